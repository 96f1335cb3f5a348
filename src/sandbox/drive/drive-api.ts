import type { Buffer } from 'node:buffer'
import type { z } from 'zod'
import { badBody, fieldsRequired, invalidParameter, notAuthenticated, scopeTooSmall } from './errors.ts'
import { exportFile } from './export.ts'
import { shapeOf, viewAbout } from './file.ts'
import { createFile, deleteFile, getFile, listFiles, updateFile } from './files.ts'
import {
  createPermission,
  deletePermission,
  getPermission,
  listPermissions,
  updatePermission,
} from './permissions.ts'
import { mayUse } from '#sandbox/oauth/caller.ts'
import type { Caller } from '#sandbox/oauth/caller.ts'
import type { Book } from '#sandbox/sheets/book.ts'
import type { Service } from '#sandbox/sheets/endpoint.ts'
import { applyMask, parseMask, unknownPath } from '#sandbox/sheets/fields-mask.ts'
import type { Mask } from '#sandbox/sheets/fields-mask.ts'
import { openFormats } from '#sandbox/sheets/formats.ts'
import type { RequestUrl } from '#sandbox/sheets/sheets-api.ts'
import { json } from '#sandbox/sheets/wire.ts'
import type { HttpResponse } from '#sandbox/sheets/wire.ts'
import type { Work } from '#sandbox/sheets/work.ts'

export interface DriveCall {
  service: Service
  caller: Caller
  params: string[]
  query: URLSearchParams
  body: <T>(schema: z.ZodType<T>) => T
  /** Change a file in one transaction. */
  change: <T>(book: Book, changes: string[], run: (work: Work) => T) => T
  remove: (book: Book) => void
}

interface Endpoint {
  method: string
  path: RegExp
  scopes: string[]
  query: string[]
  reply: string
  /** Members of the response when no mask names others. */
  usual: string
  run: (call: DriveCall) => object | HttpResponse | null
}

const READ = ['drive', 'drive.readonly', 'drive.metadata', 'drive.metadata.readonly', 'drive.file']
const WRITE = ['drive', 'drive.file']
const CONTENT = ['drive', 'drive.readonly', 'drive.file']
const DRIVES = [
  'supportsAllDrives',
  'supportsTeamDrives',
  'includePermissionsForView',
  'includeLabels',
  'enforceSingleParent',
]
const UPLOAD = [
  'ignoreDefaultVisibility',
  'keepRevisionForever',
  'ocrLanguage',
  'useContentAsIndexableText',
  'addParents',
  'removeParents',
]
const LISTS = [
  'q',
  'pageSize',
  'pageToken',
  'corpora',
  'corpus',
  'driveId',
  'spaces',
  'orderBy',
  'includeItemsFromAllDrives',
]
const SHARING = [
  'useDomainAdminAccess',
  'enforceExpansiveAccess',
  'sendNotificationEmail',
  'emailMessage',
  'transferOwnership',
  'moveToNewOwnersRoot',
  'removeExpiration',
]
const COMMON = [
  'alt',
  'prettyPrint',
  'key',
  'quotaUser',
  '$.xgafv',
  'uploadType',
  'fields',
  '$fields',
  'userIp',
  'access_token',
  'oauth_token',
  'callback',
]

const FILE = '/drive/v3/files/([^/]+)'
const USUAL_FILE = 'kind,id,name,mimeType'
const USUAL_PERMISSION = 'kind,id,type,role'
const file = { reply: 'File', usual: USUAL_FILE }
const permission = { reply: 'Permission', usual: USUAL_PERMISSION }
const exact = (path: string) => new RegExp(`^${path}$`)

const ENDPOINTS: Endpoint[] = [
  {
    method: 'GET',
    path: exact('/drive/v3/about'),
    scopes: READ,
    query: [],
    reply: 'About',
    usual: '',
    run: ({ caller }) => viewAbout(caller.email),
  },
  {
    method: 'GET',
    path: exact('/drive/v3/files'),
    scopes: READ,
    query: [...LISTS, ...DRIVES, 'includeTeamDriveItems', 'teamDriveId'],
    reply: 'FileList',
    usual: `kind,incompleteSearch,nextPageToken,files(${USUAL_FILE})`,
    run: listFiles,
  },
  {
    method: 'POST',
    path: exact('/drive/v3/files'),
    scopes: WRITE,
    query: [...DRIVES, ...UPLOAD],
    ...file,
    run: createFile,
  },
  {
    method: 'GET',
    path: exact(FILE),
    scopes: READ,
    query: [...DRIVES, 'acknowledgeAbuse'],
    ...file,
    run: getFile,
  },
  {
    method: 'PATCH',
    path: exact(FILE),
    scopes: WRITE,
    query: [...DRIVES, ...UPLOAD],
    ...file,
    run: updateFile,
  },
  { method: 'DELETE', path: exact(FILE), scopes: WRITE, query: DRIVES, ...file, run: deleteFile },
  {
    method: 'GET',
    path: exact(`${FILE}/export`),
    scopes: CONTENT,
    query: ['mimeType'],
    ...file,
    run: exportFile,
  },
  {
    method: 'GET',
    path: exact(`${FILE}/permissions`),
    scopes: READ,
    query: [...DRIVES, ...SHARING, 'pageSize', 'pageToken'],
    reply: 'PermissionList',
    usual: `kind,permissions(${USUAL_PERMISSION})`,
    run: listPermissions,
  },
  {
    method: 'POST',
    path: exact(`${FILE}/permissions`),
    scopes: WRITE,
    query: [...DRIVES, ...SHARING],
    ...permission,
    run: createPermission,
  },
  {
    method: 'GET',
    path: exact(`${FILE}/permissions/([^/]+)`),
    scopes: READ,
    query: [...DRIVES, ...SHARING],
    ...permission,
    run: getPermission,
  },
  {
    method: 'PATCH',
    path: exact(`${FILE}/permissions/([^/]+)`),
    scopes: WRITE,
    query: [...DRIVES, ...SHARING],
    ...permission,
    run: updatePermission,
  },
  {
    method: 'DELETE',
    path: exact(`${FILE}/permissions/([^/]+)`),
    scopes: WRITE,
    query: [...DRIVES, ...SHARING],
    ...permission,
    run: deletePermission,
  },
]

/** A request to the Drive API; null when there is no such endpoint. */
export function handleDrive(
  service: Service,
  {
    method,
    url,
    caller,
    body,
  }: { method: string; url: RequestUrl; caller: Caller | null; body: Buffer | null },
): HttpResponse | null {
  for (const endpoint of ENDPOINTS) {
    const groups = endpoint.method === method ? endpoint.path.exec(url.pathname) : null
    if (!groups) continue
    if (!caller) throw notAuthenticated()
    if (!mayUse(caller, ...endpoint.scopes)) throw scopeTooSmall()
    const unknown = [...url.searchParams.keys()].find(
      name => !COMMON.includes(name) && !endpoint.query.includes(name),
    )
    if (unknown) throw invalidParameter(unknown, `Invalid parameter: ${unknown}`)
    const mask = readMask(url.searchParams, endpoint)
    const params = groups.slice(1).map(decodeURIComponent)
    const reply = endpoint.run({
      service,
      caller,
      params,
      query: url.searchParams,
      ...effects(service, caller),
      body: schema => readBody(schema, body),
    })
    if (reply === null) return { status: 204, type: 'text/html', chunks: [] }
    return 'chunks' in reply ? reply : json(applyMask(reply, mask) ?? {})
  }
  return null
}

function readMask(query: URLSearchParams, { reply, usual }: Endpoint): Mask | null {
  const text = query.get('fields') ?? query.get('$fields') ?? usual
  if (text === '') throw fieldsRequired()
  const mask = parseMask(text || usual)
  const unknown = mask ? unknownPath(mask, reply, { shapeOf }) : text
  if (!mask || unknown) throw invalidParameter('fields', `Invalid field selection ${unknown}`)
  return mask
}

function readBody<T>(schema: z.ZodType<T>, body: Buffer | null): T {
  let value: unknown
  try {
    value = body && body.length > 0 ? JSON.parse(body.toString('utf8')) : {}
  } catch {
    throw badBody('Parse Error')
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys') {
    throw badBody(`Invalid JSON payload received. Unknown name "${issue.keys[0]}": Cannot find field.`)
  }
  throw badBody(`Invalid value for: ${issue?.path.join('.')}`)
}

function effects(service: Service, caller: Caller): Pick<DriveCall, 'change' | 'remove'> {
  return {
    change(book, changes, run) {
      const now = service.clock()
      const result = service.store.transaction(cells => {
        const done = run({
          book,
          cells,
          formats: openFormats(book),
          email: caller.email,
          project: caller.project,
          cell_limit: service.cell_limit(),
          next: service.store.next,
          now,
        })
        book.version++
        service.store.putBook(book)
        return done
      })
      service.journal({ email: caller.email, spreadsheet_id: book.id, changes })
      return result
    },
    remove(book) {
      service.store.removeBook(book)
      service.journal({ email: caller.email, spreadsheet_id: book.id, changes: ['files.delete'] })
    },
  }
}
