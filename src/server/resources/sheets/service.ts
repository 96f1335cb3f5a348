import { z } from 'zod'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import {
  BookResponse,
  CellsResponse,
  CreatedResponse,
  FileResponse,
  FileListResponse,
  TitlesResponse,
  ValuesResponse,
} from './schema.ts'

/** Bare origins of the built-in spreadsheet service. */
export interface BuiltInOrigins {
  sheets: string
  drive: string
}

export type SheetService = ReturnType<typeof sheetService>

/**
 * The service as this person; 404 where spreadsheets are not the built-in ones, or for people without an
 * address.
 */
export function serviceFor(
  user: { email: string | null },
  { settings }: Pick<Effects, 'settings'>,
): SheetService {
  if (!settings.built_in_sheets || user.email === null) throw refuse('not_found')
  return sheetService(settings.built_in_sheets, user.email)
}

const TIMEOUT_MS = 30_000
const SPREADSHEET = 'application/vnd.google-apps.spreadsheet'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const FILE_FIELDS =
  'id,name,modifiedTime,ownedByMe,owners(emailAddress),capabilities(canEdit,canComment),permissions(id,type,role,emailAddress)'

/**
 * The built-in spreadsheet service as one person uses it: requests are sent in their name, by their e-mail
 * address, so that its own rules decide what they see. Its refusals become ours.
 */
export function sheetService(origins: BuiltInOrigins, email: string) {
  const send = async (url: URL, init: RequestInit = {}) => {
    const response = await fetch(url, {
      ...init,
      headers: { authorization: `Bearer sandbox-user:${email}`, ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw refuse('spreadsheet_unavailable')
    })
    if (response.ok) return response
    await response.body?.cancel()
    throw refusalOf(response)
  }
  const read = async <Schema extends z.ZodType>(schema: Schema, url: URL, init?: RequestInit) =>
    schema.parse(await (await send(url, init)).json())

  const file = (id: string, query: Query = {}) => address(origins.drive, `/drive/v3/files/${id}`, query)
  const book = (id: string, query: Query = {}) => address(origins.sheets, `/v4/spreadsheets/${id}`, query)

  return {
    /** All visible spreadsheets, newest first. */
    async list() {
      const files: FileResponse[] = []
      for (let pageToken: string | undefined; ;) {
        const page = await read(
          FileListResponse,
          address(origins.drive, '/drive/v3/files', {
            q: `mimeType='${SPREADSHEET}' and trashed=false`,
            fields: `nextPageToken,files(${FILE_FIELDS})`,
            pageSize: '1000',
            ...(pageToken !== undefined && { pageToken }),
          }),
        )
        files.push(...page.files)
        pageToken = page.nextPageToken
        if (pageToken === undefined)
          return files.toSorted((a, b) => b.modifiedTime.localeCompare(a.modifiedTime))
      }
    },
    create: (title: string, tab?: { title: string; sheetId: number }) =>
      read(
        CreatedResponse,
        address(origins.sheets, '/v4/spreadsheets'),
        json('POST', {
          properties: { title },
          ...(tab !== undefined && { sheets: [{ properties: tab }] }),
        }),
      ),
    file: (id: string) => read(FileResponse, file(id, { fields: FILE_FIELDS })),
    titles: (id: string) =>
      read(
        TitlesResponse,
        book(id, {
          fields: 'properties(title),sheets(properties(sheetId,title,gridProperties(rowCount,columnCount)))',
        }),
      ),
    book: (id: string, ranges: string[]) =>
      read(
        BookResponse,
        book(id, {
          ranges,
          fields:
            'properties(title),namedRanges(namedRangeId,name,range),sheets(properties,protectedRanges(protectedRangeId,namedRangeId,range,description,requestingUserCanEdit,warningOnly),data(columnMetadata(pixelSize)))',
        }),
      ),
    /** The cells of a range, with what decides how they look. */
    cells: (id: string, range: string) =>
      read(
        CellsResponse,
        book(id, {
          ranges: range,
          fields:
            'sheets(data(rowData(values(formattedValue,effectiveValue(numberValue,boolValue,errorValue),userEnteredFormat(horizontalAlignment,textFormat(bold,italic))))))',
        }),
      ),
    /** What the cells of a range show. */
    values: (id: string, range: string) =>
      read(
        ValuesResponse,
        address(origins.sheets, `/v4/spreadsheets/${id}/values/${encodeURIComponent(range)}`),
      ),
    /** All of the changes, or none. */
    change: async (id: string, requests: object[]) => {
      await send(address(origins.sheets, `/v4/spreadsheets/${id}:batchUpdate`), json('POST', { requests }))
    },
    share: async (id: string, { email: emailAddress, role }: { email: string; role: string }) => {
      await send(
        address(origins.drive, `/drive/v3/files/${id}/permissions`),
        json('POST', { type: 'user', role, emailAddress }),
      )
    },
    unshare: async (id: string, permission: string) => {
      await send(
        address(origins.drive, `/drive/v3/files/${id}/permissions/${encodeURIComponent(permission)}`),
        { method: 'DELETE' },
      )
    },
    /** The bytes of the whole spreadsheet as XLSX, as they come. */
    xlsx: (id: string) => send(address(origins.drive, `/drive/v3/files/${id}/export`, { mimeType: XLSX })),
  }
}

type Query = Record<string, string | string[]>

function address(origin: string, path: string, query: Query = {}): URL {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) url.searchParams.append(name, each)
  return url
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** A spreadsheet that is not visible is treated like one that does not exist. */
function refusalOf(response: Response) {
  if (response.status === 403 || response.status === 404) return refuse('not_found')
  if (response.status === 429) return refuse('rate_limited', { retry_after_s: QUOTA_S })
  if (response.status < 500) return refuse('invalid')
  return refuse('spreadsheet_unavailable')
}

/** The service counts the requests of a minute; its windows slide, so waiting a part of it frees some. */
const QUOTA_S = 5
