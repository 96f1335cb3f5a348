import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import { json, send } from '#sandbox/http/response.ts'
import type { Mounted } from '#sandbox/sandbox.ts'
import { readMail } from './mail.ts'

const StoredMail = z.object({ id: z.int(), at: z.iso.datetime(), to: z.array(z.string()), raw: z.string() })
type StoredMail = z.infer<typeof StoredMail>

const CAPACITY = 200
const MOST_BYTES = 2 * 1024 * 1024

/**
 * A mail server of this machine alone, which delivers nothing: received mails are at GET /mailbox/messages.
 * Its port is written to mailbox.json in `dir`, where the last mails are stored.
 */
export async function openMailbox(dir: string, now: () => Date): Promise<Mounted> {
  const folder = join(dir, 'mails')
  mkdirSync(folder, { recursive: true })
  let mails = readMails(folder)
  const keep = (raw: string, to: string[]) => {
    const mail = { id: (mails.at(-1)?.id ?? 0) + 1, at: now().toISOString(), to, raw }
    writeFileSync(join(folder, fileOf(mail.id)), JSON.stringify(mail))
    mails.push(mail)
    for (const old of mails.splice(0, Math.max(0, mails.length - CAPACITY)))
      rmSync(join(folder, fileOf(old.id)))
  }
  const server = smtpServer(keep)
  const port = await listening(server)
  writeFileSync(join(dir, 'mailbox.json'), JSON.stringify({ smtp_port: port }))
  return {
    platformOf: () => 'mailbox',
    async handle(request, response) {
      const [, id] = /^\/mailbox\/messages(?:\/(\d+))?$/.exec(request.url ?? '') ?? [null, null]
      if (id === null || request.method !== 'GET') return false
      const mail = mails.find(each => each.id === Number(id))
      const reply =
        id === undefined
          ? json(200, { messages: mails.map(summaryOf).toReversed() })
          : mail
            ? json(200, { ...summaryOf(mail), ...readMail(mail.raw) })
            : json(404, { error: { code: 404, message: 'there is no such mail' } })
      await send(request, response, reply)
      return true
    },
    control: {
      platforms: ['mailbox'],
      getFaults: () => [],
      setFaults: faults => void z.array(z.never()).parse(faults),
      reset({ keep_files }) {
        if (keep_files) return
        for (const { id } of mails) rmSync(join(folder, fileOf(id)), { force: true })
        mails = []
      },
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

const fileOf = (id: number) => `${String(id).padStart(8, '0')}.json`

const readMails = (folder: string): StoredMail[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .toSorted()
    .slice(-CAPACITY)
    .map(file => StoredMail.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))))

/** `to` is whom it was sent to, whatever the mail says of itself. */
const summaryOf = ({ id, at, to, raw }: StoredMail) => {
  const { from, subject, message_id } = readMail(raw)
  return { id, at, receivers: to, from, subject, message_id }
}

function smtpServer(keep: (raw: string, to: string[]) => void): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: MOST_BYTES,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        if (!stream.sizeExceeded) keep(Buffer.concat(chunks).toString('latin1'), to)
        done(stream.sizeExceeded ? Object.assign(new Error('too large'), { responseCode: 552 }) : null)
      })
    },
  })
}

async function listening(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
