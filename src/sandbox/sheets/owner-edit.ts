import type { sheets_v4 } from '@googleapis/sheets'
import { applyRequests } from './batch-update/apply.ts'
import { readMessage } from './check.ts'
import type { Service } from './endpoint.ts'
import { openFormats } from './formats.ts'

/** Change the spreadsheet of a path as its owner would by hand, between two requests of another user. */
export function applyAsOwner(service: Service, path: string, requests: Record<string, unknown>[]) {
  const id = /^\/v4\/spreadsheets\/([^/:]+)/.exec(path)?.[1]
  const book = id ? service.store.getBook(id) : null
  const owner = book?.permissions.find(each => each.role === 'owner')?.email
  if (!book || !owner) return
  const message = 'BatchUpdateSpreadsheetRequest'
  const body = readMessage<sheets_v4.Schema$BatchUpdateSpreadsheetRequest>(
    message,
    structuredClone({ requests }),
  )
  service.store.transaction(cells => {
    applyRequests(
      {
        book,
        cells,
        formats: openFormats(book),
        email: owner,
        project: 'sandbox-people',
        cell_limit: service.cell_limit(),
        next: service.store.next,
        now: service.clock(),
      },
      body.requests ?? [],
    )
    service.store.putBook(book)
  })
  service.journal({ email: owner, spreadsheet_id: book.id, changes: ['edit by hand'] })
}
