import { Buffer } from 'node:buffer'
import { createSign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drive } from '@googleapis/drive'
import type { drive_v3 } from '@googleapis/drive'
import { auth, sheets } from '@googleapis/sheets'
import type { sheets_v4 } from '@googleapis/sheets'
import { z } from 'zod'
import { KEEP_ALIVE } from '#sandbox/http/keep-alive.ts'
import { createSheetsService } from '#sandbox/workspace/service.ts'
import { SYSTEM_USER } from '#sandbox/oauth/key-pair.ts'

export const OWNER = 'owner@example.com'

/**
 * The service on a socket and a folder of its own, for tests: clients of Google's own libraries point at it.
 */
export async function startSheets({ now = new Date('2026-11-21T01:00:00Z') } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'sheets-'))
  const time = { now }
  let origin = ''
  let service = createSheetsService({ dir, clock: () => time.now, origin: () => origin })
  const server = createServer(KEEP_ALIVE, (request, response) => {
    void service.handle(request, response).then(known => known || response.writeHead(404).end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  const login = (token: string) => {
    const client = new auth.OAuth2()
    client.setCredentials({ access_token: token })
    return client
  }
  const clients = (token: string): { sheets: sheets_v4.Sheets; drive: drive_v3.Drive } => {
    const options = { rootUrl: `${origin}/`, auth: login(token), retry: false }
    return { sheets: sheets({ version: 'v4', ...options }), drive: drive({ version: 'v3', ...options }) }
  }
  const person = (email: string) => clients(`sandbox-user:${email}`)
  const owner = person(OWNER)

  return {
    dir,
    origin,
    time,
    get control() {
      return service.control
    },
    clients,
    person,
    owner,
    /** A new spreadsheet of the owner; returns its id. */
    async create(...tabs: sheets_v4.Schema$SheetProperties[]) {
      const content = tabs.length > 0 ? { sheets: tabs.map(properties => ({ properties })) } : {}
      const { data } = await owner.sheets.spreadsheets.create({
        requestBody: { properties: { title: 'Weekly' }, ...content },
      })
      return data.spreadsheetId ?? ''
    },
    share: (fileId: string, emailAddress: string, role: string) =>
      owner.drive.permissions.create({ fileId, requestBody: { type: 'user', role, emailAddress } }),
    batch: (spreadsheetId: string, ...requests: sheets_v4.Schema$Request[]) =>
      owner.sheets.spreadsheets.batchUpdate({ spreadsheetId, requestBody: { requests } }),
    async values(spreadsheetId: string, range: string, valueRenderOption = 'UNFORMATTED_VALUE') {
      const { data } = await owner.sheets.spreadsheets.values.get({ spreadsheetId, range, valueRenderOption })
      return data.values
    },
    write: (spreadsheetId: string, range: string, values: unknown[][], valueInputOption = 'RAW') =>
      owner.sheets.spreadsheets.values.update({
        spreadsheetId,
        range,
        valueInputOption,
        requestBody: { values },
      }),
    /** The system user, with a token that it got by a signed assertion. */
    async systemUser(
      scope = 'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.metadata.readonly',
    ) {
      const response = await requestToken(origin, assertion(service.control.serviceAccountKey(), { scope }))
      const { access_token } = z.object({ access_token: z.string() }).parse(await response.json())
      return clients(access_token)
    },
    /** Close the service and open it again on the same folder. */
    reopen() {
      service.close()
      service = createSheetsService({ dir, clock: () => time.now, origin: () => origin })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      service.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A signed assertion as a service account sends it. */
export function assertion(
  key: { private_key: string; private_key_id: string },
  claims: Record<string, unknown>,
) {
  const now = Math.floor(Date.now() / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })
  const usual = { iss: SYSTEM_USER, aud: 'https://oauth2.googleapis.com/token', iat: now, exp: now + 3600 }
  const signed = `${header}.${encode({ ...usual, ...claims })}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.private_key, 'base64url')}`
}

export const requestToken = (origin: string, text: string) =>
  fetch(`${origin}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: text }),
  })

/** Status and message of a refused request; throws when it was not refused. */
export async function refusal(
  request: Promise<unknown>,
): Promise<{ code: number; message: string; body: unknown }> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const response =
      'response' in error && typeof error.response === 'object' && error.response ? error.response : {}
    const body = 'data' in response ? response.data : undefined
    const code = 'status' in response ? Number(response.status) : 0
    return { code, message: error.message, body }
  }
  throw new Error('The request was carried out')
}
