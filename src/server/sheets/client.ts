import { Readable } from 'node:stream'
import { drive, type drive_v3 } from '@googleapis/drive'
import { auth as authentication, sheets } from '@googleapis/sheets'
import { importPKCS8, SignJWT } from 'jose'
import type { z } from 'zod'
import { classify, SheetsFailure } from './failure.ts'
import {
  ErrorResponse,
  FileResponse,
  ManyValuesResponse,
  PermissionsResponse,
  SpreadsheetResponse,
  TokenResponse,
  ValuesResponse,
  WriteResponse,
  type FilePermission,
  type PersonConsent,
  type ServiceAccountKey,
} from './schema.ts'

/**
 * The spreadsheet and the drive service over HTTP. Nothing is retried and nothing is limited here: each call
 * is one request, and each failure is a SheetsFailure. Only reads can be aborted: giving up on a write would
 * leave it unknown whether it was applied.
 */
export interface SheetsClient {
  /** The system user that spreadsheets are shared with. */
  readonly system_user: string
  /** The Google Cloud project that it belongs to: its service accounts share a part of the quota. */
  readonly project: string
  getSpreadsheet(
    spreadsheet_id: string,
    query: { fields: string; ranges?: string[] },
    signal?: AbortSignal,
  ): Promise<SpreadsheetResponse>
  /** Values as they are stored: formulas as text, numbers as numbers. */
  getValues(spreadsheet_id: string, range: string, signal?: AbortSignal): Promise<Cells>
  getManyValues(spreadsheet_id: string, ranges: string[], signal?: AbortSignal): Promise<Cells[]>
  getFile(spreadsheet_id: string, signal?: AbortSignal): Promise<FileResponse>
  listPermissions(spreadsheet_id: string, signal?: AbortSignal): Promise<FilePermission[]>
  /** `body`: the JSON of a batchUpdate. All of it is applied, or nothing. */
  batchUpdate(spreadsheet_id: string, body: Body): Promise<void>
  /** `body`: the JSON of a ValueRange, taken literally. */
  putValues(spreadsheet_id: string, range: string, body: Body): Promise<void>
  /** `body`: the JSON of a values:batchUpdate. All of it is applied, or nothing. */
  batchUpdateValues(spreadsheet_id: string, body: Body): Promise<void>
}

/** Sent one after the other as they are: megabytes of cells are not copied to stand in one buffer. */
export type Body = readonly Uint8Array[]

type Cells = (string | number | boolean | null)[][]

export interface SheetsSettings {
  /** Bare origins: the official library drops a path. */
  google_sheets_base_url: string
  google_drive_base_url: string
  google_token_url: string
  key: ServiceAccountKey | PersonConsent
  /** Google works on a request for at most 180 s. */
  timeout_ms?: number
  now?: () => Date
}

const TIMEOUT_MS = 200_000
// A response larger than this is not one of the requests made here.
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

const OPTIONS = {
  retry: false,
  redirect: 'error' as const,
  responseType: 'json' as const,
  maxContentLength: MAX_ANSWER_BYTES,
  // A proxy of the environment is meant for outside services.
  noProxy: ['localhost', '127.0.0.1'],
}

export function sheetsClient(settings: SheetsSettings): SheetsClient {
  const auth = systemUser(settings)
  const options = { ...OPTIONS, auth, timeout: settings.timeout_ms ?? TIMEOUT_MS }
  const sheetsApi = sheets({ version: 'v4', rootUrl: settings.google_sheets_base_url, ...options })
  const driveApi = drive({ version: 'v3', rootUrl: settings.google_drive_base_url, ...options })

  const read = async <S extends z.ZodType>(
    schema: S,
    signal: AbortSignal | undefined,
    call: (options: { signal?: AbortSignal }) => PromiseLike<{ data: unknown }>,
  ) => {
    signal?.throwIfAborted()
    try {
      const response = parsed(
        schema,
        await callService('read', auth, () => call(signal ? { signal } : {})),
        'read',
      )
      // The library ignores a signal that is raised while it signs in.
      signal?.throwIfAborted()
      return response
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }

  // The library copies a body member by member before it stringifies it; bytes are sent as they are.
  const write = async (method: 'POST' | 'PUT', to: string, body: Body) => {
    const url = new URL(to, settings.google_sheets_base_url)
    const length = body.reduce((sum, part) => sum + part.length, 0)
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(length) }
    const { auth: _, ...request } = options
    const send = () => auth.request({ ...request, method, url, headers, data: Readable.from(body) })
    parsed(WriteResponse, await callService('write', auth, send), 'write')
  }

  return {
    ...identityOf(settings.key),
    getSpreadsheet: (spreadsheetId, query, signal) =>
      read(SpreadsheetResponse, signal, cut => sheetsApi.spreadsheets.get({ spreadsheetId, ...query }, cut)),
    getValues: async (spreadsheetId, range, signal) =>
      (
        await read(ValuesResponse, signal, cut =>
          sheetsApi.spreadsheets.values.get({ spreadsheetId, range, valueRenderOption: 'FORMULA' }, cut),
        )
      ).values,
    getManyValues: async (spreadsheetId, ranges, signal) =>
      (
        await read(ManyValuesResponse, signal, cut =>
          sheetsApi.spreadsheets.values.batchGet(
            { spreadsheetId, ranges, valueRenderOption: 'FORMULA' },
            cut,
          ),
        )
      ).valueRanges.map(range => range.values),
    getFile: (fileId, signal) =>
      read(FileResponse, signal, cut =>
        driveApi.files.get({ fileId, supportsAllDrives: true, fields: FILE_FIELDS }, cut),
      ),
    async listPermissions(fileId, signal) {
      const found: FilePermission[] = []
      let pageToken: string | undefined
      do {
        const page: drive_v3.Params$Resource$Permissions$List = {
          fileId,
          supportsAllDrives: true,
          pageSize: 100,
          fields: 'nextPageToken,permissions(id,type,role,emailAddress,deleted)',
          ...(pageToken !== undefined && { pageToken }),
        }
        const response = await read(PermissionsResponse, signal, cut => driveApi.permissions.list(page, cut))
        found.push(...response.permissions)
        pageToken = response.nextPageToken
      } while (pageToken !== undefined)
      return found
    },
    batchUpdate: (id, body) => write('POST', `${path(id)}:batchUpdate`, body),
    putValues: (id, range, body) =>
      write('PUT', `${path(id)}/values/${encodeURIComponent(range)}?valueInputOption=RAW`, body),
    batchUpdateValues: (id, body) => write('POST', `${path(id)}/values:batchUpdate`, body),
  }
}

function identityOf(key: SheetsSettings['key']) {
  // A client id begins with the number of its project.
  if ('refresh_token' in key) return { system_user: key.address, project: key.client_id.replace(/-.*/s, '') }
  const { client_email: address, project_id } = key
  return { system_user: address, project: project_id ?? address.replace(/^.*@|\.iam\..*$/g, '') }
}

const path = (spreadsheet_id: string) => `/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}`

const FILE_FIELDS =
  'id,name,mimeType,trashed,driveId,capabilities(canEdit,canModifyContent),contentRestrictions(readOnly,reason)'

type SystemUser = ReturnType<typeof systemUser>

/**
 * One request, and a second one with a new token when the first was refused for its token: such a request was
 * not executed.
 */
async function callService(
  kind: 'read' | 'write',
  auth: SystemUser,
  call: () => PromiseLike<{ data: unknown }>,
) {
  try {
    try {
      return (await call()).data
    } catch (error) {
      if (statusOf(error) !== 401) throw error
      auth.setCredentials({})
      return (await call()).data
    }
  } catch (error) {
    throw toFailure(error, kind)
  }
}

function parsed<S extends z.ZodType>(schema: S, data: unknown, kind: 'read' | 'write'): z.infer<S> {
  const response = schema.safeParse(data)
  if (response.success) return response.data
  throw new SheetsFailure('spreadsheet_unavailable', {
    ambiguous: kind === 'write',
    service_message: 'the response cannot be read',
    cause: response.error,
  })
}

// The library's error is not used as the cause: it contains the whole request, with body and token.
function toFailure(error: unknown, kind: 'read' | 'write'): SheetsFailure {
  if (error instanceof SheetsFailure) return error
  const status = statusOf(error)
  if (status !== null) {
    const response = ErrorResponse.safeParse(bodyOf(error))
    const { message, details, errors } = response.success
      ? response.data.error
      : { message: '', details: [], errors: [] }
    const reasons = [...details, ...errors].flatMap(each => each.reason ?? [])
    const quota_limit = details.flatMap(detail => detail.metadata?.quota_limit ?? [])[0] ?? null
    return classify({ status, message, reasons, quota_limit, retry_after_ms: retryAfter(error) }, kind)
  }
  return new SheetsFailure('spreadsheet_unavailable', {
    ambiguous: kind === 'write' && !wasNeverSent(error),
    service_message: error instanceof Error ? error.message : String(error),
  })
}

const responseOf = (error: unknown): unknown =>
  error instanceof Error && 'response' in error ? error.response : undefined

function statusOf(error: unknown): number | null {
  const response = responseOf(error)
  if (typeof response !== 'object' || response === null || !('status' in response)) return null
  // A good status here means that the body broke off.
  return typeof response.status === 'number' && response.status >= 300 ? response.status : null
}

function bodyOf(error: unknown): unknown {
  const response = responseOf(error)
  return typeof response === 'object' && response !== null && 'data' in response ? response.data : undefined
}

function retryAfter(error: unknown): number | null {
  const response = responseOf(error)
  if (typeof response !== 'object' || response === null || !('headers' in response)) return null
  const { headers } = response
  const seconds = headers instanceof Headers ? Number(headers.get('retry-after') ?? NaN) : NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code !== undefined
    ? error.code
    : error instanceof Error && error.cause !== undefined
      ? codeOf(error.cause)
      : undefined

/** There was no connection, so nothing can have been applied. */
const wasNeverSent = (error: unknown) =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String(codeOf(error)))

/**
 * The service account, signed in by its own key, or the person by their consent: the library's own way only
 * knows Google's address.
 */
function systemUser({ key, google_token_url, now = () => new Date(), timeout_ms }: SheetsSettings) {
  const auth = new authentication.OAuth2()
  const options = {
    ...OPTIONS,
    timeout: timeout_ms ?? TIMEOUT_MS,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    validateStatus: () => true,
  }
  let exchange: Promise<{ access_token: string; expiry_date: number }> | null = null
  auth.refreshHandler = () =>
    (exchange ??= grantOf(key, now())
      .then(grant =>
        exchanged(grant, body =>
          auth.transporter.request({ ...options, method: 'POST', url: google_token_url, data: body }),
        ),
      )
      .finally(() => (exchange = null)))
  return auth
}

const AUDIENCE = 'https://oauth2.googleapis.com/token'
const SCOPE =
  'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.metadata.readonly'

async function grantOf(key: SheetsSettings['key'], now: Date): Promise<URLSearchParams> {
  if ('refresh_token' in key) {
    const { client_id, client_secret, refresh_token } = key
    return new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
  }
  const assertion = await assertionOf(key, now)
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
}

async function assertionOf(key: ServiceAccountKey, now: Date): Promise<string> {
  const issued_at = Math.floor(now.getTime() / 1000)
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(key.private_key_id && { kid: key.private_key_id }) })
    .setIssuer(key.client_email)
    .setAudience(AUDIENCE)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + 3600)
    .sign(await importPKCS8(key.private_key, 'RS256'))
}

async function exchanged(
  form: URLSearchParams,
  post: (body: URLSearchParams) => Promise<{ status: number; data: unknown }>,
) {
  const { status, data } = await post(form).catch((error: unknown) => {
    const service_message = error instanceof Error ? error.message : String(error)
    throw new SheetsFailure('spreadsheet_unavailable', { service_message })
  })
  const response = TokenResponse.safeParse(data)
  // The library compares the expiry with the process's own clock.
  if (response.success)
    return {
      access_token: response.data.access_token,
      expiry_date: Date.now() + response.data.expires_in * 1000,
    }
  const service_message = `the token service answered ${status}`
  if (status >= 500 || status === 429) throw new SheetsFailure('spreadsheet_unavailable', { service_message })
  // The key is wrong or deleted, the consent taken back, or our clock wrong: only a superuser can fix that.
  throw new SheetsFailure('internal_error', { why: 'configuration', service_message })
}
