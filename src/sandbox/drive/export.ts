import type { DriveCall } from './drive-api.ts'
import { badBody, forbidden } from './errors.ts'
import { openFile, OFFICE } from './files.ts'
import { NATIVE } from '#sandbox/sheets/book.ts'
import { exportCsv } from '#sandbox/sheets/export-csv.ts'
import { exportXlsx } from '#sandbox/sheets/export-xlsx.ts'

/**
 * The whole spreadsheet as XLSX, or its first tab as CSV. Google caps this at 10 MB; there is no cap here.
 */
export function exportFile(call: DriveCall) {
  const book = openFile(call, call.params[0] ?? '')
  const type = call.query.get('mimeType')
  if (!type) throw badBody('Required parameter: mimeType')
  if (book.mime_type !== NATIVE) throw forbidden('Export only supports Docs Editors files.')
  const source = { book, cells: call.service.store.cells() }
  if (type === OFFICE) return exportXlsx(call.service.store, book)
  const first = book.sheets.find(sheet => sheet.type === 'GRID')
  if (type === 'text/csv' && first) return exportCsv(source, first)
  throw badBody('The requested conversion is not supported.')
}
