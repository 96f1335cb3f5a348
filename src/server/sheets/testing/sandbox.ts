import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { KEEP_ALIVE } from '#sandbox/http/keep-alive.ts'
import { createSheetsService } from '#sandbox/workspace/service.ts'
import type { SystemUser } from '#server/sheets/system-user.ts'
import { sheetsClient, type SheetsSettings } from '#server/sheets/client.ts'
import type { WriteEffects } from '#server/sheets/write.ts'

export const OWNER = 'client-a@aurora.demo'

/** The spreadsheet service of the sandbox at a port of its own. Call `stop` when done. */
export async function startService({ system_users }: { system_users?: readonly string[] } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'sheets-'))
  let origin = ''
  const service = createSheetsService({
    dir,
    clock: () => new Date(),
    origin: () => origin,
    ...(system_users && { system_users }),
  })
  const under_way = new Set<Promise<unknown>>()
  const requests: string[] = []
  let turn: Promise<unknown> = Promise.resolve()
  let watch: (() => Promise<void>) | null = null
  let armed: { skip: number; fault: object } | null = null

  const server = createServer(KEEP_ALIVE, (request, response) => {
    const is_owner = request.headers.authorization?.includes('sandbox-user:') ?? false
    if (!is_owner) requests.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`)
    const handle = async () => {
      // The fault applies only to the product, not to the owner who reads along.
      if (armed && !is_owner && request.url?.startsWith('/v4/') && armed.skip-- === 0) {
        service.control.setFaults([{ platform: 'sheets', ...armed.fault }])
        armed = null
      }
      await service.handle(request, response)
      if (!is_owner && request.method !== 'GET') await watch?.()
    }
    // While the states are observed, requests are serialised, so that none in between goes unseen.
    const done = watch && !is_owner ? (turn = turn.then(handle, handle)) : handle()
    under_way.add(done)
    void done.finally(() => under_way.delete(done))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `http://127.0.0.1:${address.port}`

  service.control.setQuota({ per_user: 1_000_000, per_project: 1_000_000 })
  const key = service.control.serviceAccountKey()
  const settings: SheetsSettings = {
    google_sheets_base_url: origin,
    google_drive_base_url: origin,
    google_token_url: `${origin}/token`,
    key,
  }
  return {
    origin,
    control: service.control,
    settings,
    system_user: key.client_email,
    client: (more: Partial<SheetsSettings> = {}) => sheetsClient({ ...settings, ...more }),
    /** All of the system users, without waiting. */
    seeking(): { system_users: SystemUser[]; sleep: () => Promise<void>; signal: AbortSignal } {
      const limiter = {
        acquire: async () => {},
        report: async () => 0,
        reservePosition: async () => ({ waitlist: 'open', wait_ms: 0 }),
      }
      const keys = service.control.system_users.map(email => service.control.serviceAccountKey(email))
      return {
        system_users: keys.map(one => ({ client: sheetsClient({ ...settings, key: one }), limiter })),
        sleep: async () => {},
        signal: new AbortController().signal,
      }
    },
    /** The product's requests since the last call. */
    takeRequests: () => requests.splice(0),
    /** The product's request to the spreadsheet service after the next `skip` ones gets this fault. */
    arm: (skip: number, fault: object) => void (armed = { skip, fault }),
    isArmed: () => armed !== null || service.control.getFaults().length > 0,
    /** `look` sees the service after every write of the product. */
    watch: (look: (() => Promise<void>) | null) => void (watch = look),
    /** Resolves when nothing is in progress any more, late requests included. */
    async settled() {
      while (under_way.size > 0) await Promise.allSettled(under_way)
    },
    owner: ownerAt(() => origin, OWNER),
    /** Another person with spreadsheets of their own. */
    person: (email: string) => ownerAt(() => origin, email),
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      service.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>

/** The effects of an attempt that is never delayed or refused. */
export const freely = (client: WriteEffects['client'], more: Partial<WriteEffects> = {}): WriteEffects => ({
  client,
  limiter: { acquire: async () => {}, report: async () => 0 },
  now: () => new Date('2026-11-21T01:00:00Z'),
  sleep: async () => {},
  signal: new AbortController().signal,
  on_step: () => {},
  ...more,
})

const Body = z.record(z.string(), z.unknown())
export const Values = z.object({ values: z.array(z.array(z.unknown())).default([]) })
const Created = z.object({ spreadsheetId: z.string() })
const Shares = z.object({ permissions: z.array(z.object({ id: z.string(), emailAddress: z.string() })) })

/** The spreadsheet service, as the owner of the spreadsheets. */
export function ownerAt(origin: () => string, email: string) {
  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(origin() + path, {
      method,
      headers: { authorization: `Bearer sandbox-user:${email}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = text === '' ? {} : Body.parse(JSON.parse(text))
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`)
    return parsed
  }
  const book = (id: string) => `/v4/spreadsheets/${id}`
  return {
    ask: send,
    /** A new spreadsheet with one tab. */
    async create(tab: object = {}): Promise<string> {
      const made = await send('POST', '/v4/spreadsheets', {
        properties: { title: 'Weekly' },
        sheets: [{ properties: { sheetId: 0, title: 'T', ...tab } }],
      })
      return Created.parse(made).spreadsheetId
    },
    share: (id: string, emailAddress: string, role = 'writer') =>
      send('POST', `/drive/v3/files/${id}/permissions?sendNotificationEmail=false`, {
        type: 'user',
        role,
        emailAddress,
      }),
    async unshare(id: string, address: string) {
      const path = `/drive/v3/files/${id}/permissions`
      const { permissions } = Shares.parse(await send('GET', `${path}?fields=permissions(id,emailAddress)`))
      await send(
        'DELETE',
        `${path}/${permissions.find(permission => permission.emailAddress === address)?.id}`,
      )
    },
    batch: (id: string, ...requests: object[]) => send('POST', `${book(id)}:batchUpdate`, { requests }),
    put: (id: string, range: string, values: unknown[][], option = 'USER_ENTERED') =>
      send('PUT', `${book(id)}/values/${encodeURIComponent(range)}?valueInputOption=${option}`, { values }),
    /** Everything in a tab, formulas as text, numbers and dates as numbers. */
    async values(id: string, range: string): Promise<unknown[][]> {
      const path = `${book(id)}/values/${encodeURIComponent(range)}?valueRenderOption=FORMULA`
      return Values.parse(await send('GET', path)).values
    },
    /** The whole document, without the entries of runs. */
    document: (id: string) =>
      send(
        'GET',
        `${book(id)}?fields=${encodeURIComponent(
          'namedRanges,sheets(properties,protectedRanges,merges,basicFilter,data(rowData.values(userEnteredValue,userEnteredFormat,note),columnMetadata.pixelSize))',
        )}`,
      ),
  }
}
