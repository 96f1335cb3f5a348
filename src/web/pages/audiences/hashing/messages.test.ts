import { describe, expect, it, onTestFinished } from 'vitest'
import { answerCalls } from './answer-calls.ts'
import { createHashing, type Hashing } from './hashing.ts'
import { callThrough, HashingProblem, type Port } from './messages.ts'
import type { FileReading } from './passes.ts'

/** Both ends, with a channel of messages between them as between page and worker. */
function connected(hashing: Partial<Hashing> = {}) {
  const { port1, port2 } = new MessageChannel()
  const sent: unknown[] = []
  const watched: Port = {
    addEventListener(type, listener) {
      port2.addEventListener(type, listener)
      port2.start()
    },
    postMessage(message, { transfer }) {
      sent.push(structuredClone(message))
      port2.postMessage(message, transfer as ArrayBuffer[])
    },
  }
  answerCalls(watched, { ...createHashing(), ...hashing })
  port1.start()
  const close = () => port1.close()
  onTestFinished(close)
  return { hasher: callThrough(port1 as unknown as Port, close), sent }
}

const file: FileReading = {
  file: new Blob(['mary@example.com\nmary@example.com\nnobody\n']),
  format: { encoding: 'utf-8', delimiter: ',' },
  has_headings: false,
  columns: ['email'],
  country: 'TW',
}
const SESSION = '0193a1c2-0000-7000-8000-000000000001'

describe('the thread that hashes', () => {
  it('counts, and says how far it is', async () => {
    const { hasher } = connected()
    const progress: number[] = []
    const { counts } = await hasher.count(file, rows => progress.push(rows))
    expect(counts).toMatchObject({ valid: 1, duplicate: 1, bad_email: 1 })
    expect(progress.at(-1)).toBe(3)
  })

  it('yields one batch after the other, then none', async () => {
    const { hasher, sent } = connected()
    await hasher.start(file, { session: SESSION, action: 'replace' }, 1)
    const batch = await hasher.next()
    expect(batch).toMatchObject({ seq: 1, last: true, rows: 1 })
    expect(await hasher.next()).toBeNull()
    expect(new TextDecoder().decode(batch?.body)).not.toContain('mary')
    expect(JSON.stringify(sent)).not.toContain('mary')
  })

  it('answers several calls at once, each its own', async () => {
    const { hasher } = connected()
    const [one, two] = await Promise.all([
      hasher.identify('mary@example.com', 'TW'),
      hasher.identify('nobody', 'TW'),
    ])
    expect([one?.columns, two]).toEqual([['email', 'email_google'], null])
  })

  it('says that it has failed, and never with what was thrown', async () => {
    const { hasher, sent } = connected({
      identify: async text => {
        throw new Error(`cannot hash ${text}`)
      },
    })
    await expect(hasher.identify('mary@example.com', 'TW')).rejects.toEqual(new HashingProblem('failed'))
    expect(JSON.stringify(sent)).not.toContain('mary')
  })

  it('says of a file that it cannot be read', async () => {
    const { hasher } = connected()
    const workbook = new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])])
    await expect(hasher.open(workbook)).rejects.toMatchObject({ failure: 'not_text' })
    const endless = { ...file, file: new Blob([`"${'x'.repeat(2_000_000)}`]) }
    await expect(hasher.count(endless, () => {})).rejects.toMatchObject({ failure: 'unreadable' })
  })
})
