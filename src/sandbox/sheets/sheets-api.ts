import type { Buffer } from 'node:buffer'
import { mayRead, mayWrite } from './access.ts'
import { NATIVE } from './book.ts'
import type { Book } from './book.ts'
import { readMessage, shapeOf } from './check.ts'
import type { Call, Endpoint, Service } from './endpoint.ts'
import { spreadsheetEndpoints } from './endpoints-spreadsheet.ts'
import { valuesEndpoints } from './endpoints-values.ts'
import {
  badRequest,
  insufficientScope,
  notFound,
  notPermitted,
  notSupported,
  officeFile,
  unauthenticated,
} from './errors.ts'
import { applyMask, parseMask, unknownPath } from './fields-mask.ts'
import type { Mask } from './fields-mask.ts'
import { openFormats } from './formats.ts'
import { json, parseBody } from './wire.ts'
import type { HttpResponse } from './wire.ts'
import type { Work } from './work.ts'
import { mayUse } from '#sandbox/oauth/caller.ts'
import type { Caller } from '#sandbox/oauth/caller.ts'

const ENDPOINTS: Endpoint[] = [...spreadsheetEndpoints, ...valuesEndpoints]
const KNOWN_TO_GOOGLE =
  /:(getByDataFilter|batchGetByDataFilter|batchUpdateByDataFilter|batchClearByDataFilter)$/
const COMMON_QUERY = [
  'alt',
  'prettyPrint',
  'key',
  'quotaUser',
  '$.xgafv',
  'uploadType',
  'upload_protocol',
  'fields',
  '$fields',
  'access_token',
  'callback',
  'oauth_token',
]

/** Path and query as they came; the path is still encoded. */
export interface RequestUrl {
  pathname: string
  searchParams: URLSearchParams
}

/**
 * A request to the Sheets API: token, scope, quota, existence, role, kind of file, then what it says. null:
 * no such endpoint.
 */
export function handleSheets(
  service: Service,
  {
    method,
    url,
    caller,
    body,
  }: { method: string; url: RequestUrl; caller: Caller | null; body: Buffer | null },
): HttpResponse | null {
  const found = match(method, url.pathname)
  if (!found) {
    if (KNOWN_TO_GOOGLE.test(url.pathname)) throw notSupported(url.pathname.split(':').at(-1) ?? '')
    return null
  }
  const { endpoint, params } = found
  if (!caller) throw unauthenticated()
  if (!mayUse(caller, ...endpoint.scopes)) throw insufficientScope('sheets.googleapis.com')
  service.quota.take(endpoint.counts, caller)
  const book =
    endpoint.needs === 'nothing' ? NO_BOOK : open(service, params[0] ?? '', { caller, needs: endpoint.needs })
  refuseUnknownQuery(url.searchParams, endpoint.query)
  const mask = readMask(url.searchParams, endpoint.reply)
  const call: Call = {
    service,
    caller,
    book,
    params,
    query: url.searchParams,
    mask,
    body: message => readMessage(message, parseBody(body)),
    change: (changes, run) => change(call, changes, run),
  }
  const reply = endpoint.run(call)
  if ('chunks' in reply) return reply
  return json((mask ? applyMask(reply, mask) : reply) ?? {})
}

function match(method: string, path: string) {
  for (const endpoint of ENDPOINTS) {
    if (endpoint.method !== method) continue
    const groups = endpoint.path.exec(path)
    // The verb was cut from the raw path; only now is the range decoded, which may itself hold slashes and
    // colons.
    if (groups) return { endpoint, params: groups.slice(1).map(decode) }
  }
  return null
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badRequest([{ description: `Invalid value, ${text}` }])
  }
}

function open(
  { store }: Service,
  id: string,
  { caller, needs }: { caller: Caller; needs: 'read' | 'write' },
): Book {
  const book = store.getBook(id)
  if (!book) throw notFound()
  if (!mayRead(book, caller.email)) throw notPermitted()
  if (needs === 'write' && !mayWrite(book, caller.email)) throw notPermitted()
  if (book.mime_type !== NATIVE) throw officeFile()
  return book
}

/** Run a change on the book in one transaction, and write it into the journal. */
function change<T>({ service, caller, book }: Call, changes: string[], run: (work: Work) => T): T {
  const now = service.clock()
  const result = service.store.transaction(cells => {
    const work: Work = {
      book,
      cells,
      formats: openFormats(book),
      email: caller.email,
      project: caller.project,
      cell_limit: service.cell_limit(),
      next: service.store.next,
      now,
    }
    const done = run(work)
    Object.assign(book, {
      modified_at: now.toISOString(),
      modified_by: caller.email,
      version: book.version + 1,
    })
    service.store.putBook(book)
    return done
  })
  service.journal({ email: caller.email, spreadsheet_id: book.id, changes })
  return result
}

function refuseUnknownQuery(query: URLSearchParams, own: string[]) {
  const unknown = [...new Set(query.keys())].filter(
    name => !COMMON_QUERY.includes(name) && !own.includes(name),
  )
  if (unknown.length === 0) return
  throw badRequest(
    unknown.map(name => ({
      description: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
    })),
  )
}

function readMask(query: URLSearchParams, reply: string): Mask | null {
  const text = query.get('fields') ?? query.get('$fields')
  if (text === null || text === '') return null
  const mask = parseMask(text)
  const unknown = mask ? unknownPath(mask, reply, { shapeOf }) : text
  if (mask && !unknown) return mask
  const description = `Error expanding 'fields' parameter. Cannot find matching fields for path '${unknown}'.`
  throw badRequest([{ field: unknown ?? '', description }], 'Request contains an invalid argument.')
}

const NO_BOOK: Book = {
  id: '',
  title: '',
  locale: '',
  time_zone: '',
  mime_type: NATIVE,
  trashed: false,
  created_at: '',
  modified_at: '',
  modified_by: '',
  version: 0,
  permissions: [],
  content_restrictions: [],
  sheets: [],
  named_ranges: [],
  broken_names: [],
  metadata: [],
  formats: [],
}
