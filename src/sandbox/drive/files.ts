import { Buffer } from 'node:buffer'
import { z } from 'zod'
import {
  fileNotFound,
  forbidden,
  insufficientPermissions,
  invalidValue,
  storageQuotaExceeded,
} from './errors.ts'
import type { DriveCall } from './drive-api.ts'
import { isVisible, viewFile } from './file.ts'
import { readQuery } from './query.ts'
import { isServiceAccount } from '#sandbox/oauth/caller.ts'
import { isEditor, roleOf } from '#sandbox/sheets/access.ts'
import { NATIVE } from '#sandbox/sheets/book.ts'
import type { Book } from '#sandbox/sheets/book.ts'
import { newBook, fillNewBook } from '#sandbox/sheets/endpoints-spreadsheet.ts'

export const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const FileBody = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  mimeType: z.string().optional(),
  trashed: z.boolean().optional(),
  description: z.string().optional(),
  parents: z.array(z.string()).optional(),
  starred: z.boolean().optional(),
  contentRestrictions: z
    .array(
      z.object({
        readOnly: z.boolean().optional(),
        reason: z.string().optional(),
        ownerRestricted: z.boolean().optional(),
      }),
    )
    .optional(),
})

/** The file, when the caller may see it; 404 otherwise, so that the response does not reveal what exists. */
export function openFile({ service, caller }: DriveCall, id: string): Book {
  const book = service.store.getBook(id)
  if (!book || !roleOf(book, caller.email)) throw fileNotFound(id)
  return book
}

export function getFile(call: DriveCall) {
  return viewFile(openFile(call, call.params[0] ?? ''), call.caller.email, call.service.origin())
}

const MOST_A_PAGE = 1000

export function listFiles({ service, caller, query }: DriveCall) {
  const size = Number(query.get('pageSize') ?? 100)
  if (!Number.isInteger(size) || size < 1 || size > MOST_A_PAGE) throw invalidValue('pageSize')
  const start = readPageToken(query.get('pageToken'))
  const fits = readQuery(query.get('q'), caller.email)
  const visible = service.store.listBooks().filter(book => isVisible(book, caller.email) && fits(book))
  const page = visible.slice(start, start + size)
  return {
    kind: 'drive#fileList',
    incompleteSearch: false,
    ...(start + size < visible.length && {
      nextPageToken: Buffer.from(`files:${start + size}`).toString('base64url'),
    }),
    files: page.map(book => viewFile(book, caller.email, service.origin())),
  }
}

function readPageToken(token: string | null): number {
  if (!token) return 0
  const start = /^files:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]
  if (!start) throw invalidValue('pageToken')
  return Number(start)
}

/** A new file of a person: a spreadsheet, or the mere shell of an Office file. */
export function createFile(call: DriveCall) {
  const { service, caller } = call
  const { name, mimeType } = call.body(FileBody)
  if (isServiceAccount(caller)) throw storageQuotaExceeded()
  const book = newBook(caller.email, service.clock(), {
    title: name ?? 'Untitled',
    locale: 'en_US',
    time_zone: 'Etc/GMT',
  })
  book.mime_type = mimeType ?? 'application/octet-stream'
  call.change(book, ['files.create'], work => {
    if (book.mime_type === NATIVE) fillNewBook(work, {})
  })
  return viewFile(book, caller.email, service.origin())
}

export function updateFile(call: DriveCall) {
  const book = openFile(call, call.params[0] ?? '')
  const { name, trashed, contentRestrictions } = call.body(FileBody)
  const { email } = call.caller
  if (!isEditor(book, email)) throw insufficientPermissions()
  if (trashed !== undefined && roleOf(book, email) !== 'owner') throw insufficientPermissions()
  call.change(book, ['files.update'], () => {
    if (name !== undefined) book.title = name
    if (trashed !== undefined) book.trashed = trashed
    if (contentRestrictions) {
      book.content_restrictions = contentRestrictions
        .filter(each => each.readOnly)
        .map(({ reason }) => ({ read_only: true, reason: reason ?? null, by: email }))
    }
  })
  return viewFile(book, email, call.service.origin())
}

export function deleteFile(call: DriveCall) {
  const book = openFile(call, call.params[0] ?? '')
  if (roleOf(book, call.caller.email) !== 'owner') {
    throw isEditor(book, call.caller.email)
      ? insufficientPermissions()
      : forbidden('The user does not own this file.')
  }
  call.remove(book)
  return null
}
