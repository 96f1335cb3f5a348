import type { Book, Sheet } from './book.ts'
import type { Cells } from './cells.ts'
import { gridOf } from './grid.ts'
import { openRender } from './render.ts'
import { readRows } from './values-read.ts'
import type { HttpResponse } from './wire.ts'

/**
 * A tab as CSV the way Google writes it: UTF-8 without a mark, CRLF between rows and none at the end, what
 * the cells show.
 */
export function exportCsv({ book, cells }: { book: Book; cells: Cells }, sheet: Sheet): HttpResponse {
  const name = encodeURIComponent(`${book.title} - ${sheet.title}.csv`)
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename*=UTF-8''${name}` },
    chunks: csvChunks(book, cells, sheet),
  }
}

const ROWS_A_CHUNK = 2048

/** All text is made at once, so that it is of one moment even when it is read slowly. */
function csvChunks(book: Book, cells: Cells, sheet: Sheet): string[] {
  const render = openRender(book, cells, { value: 'FORMATTED_VALUE', date: 'SERIAL_NUMBER' })
  let width = 0
  for (const row of readRows(cells, { sheet, rect: gridOf(sheet) }, (tile, position) =>
    tile.kinds[position] ? 1 : '',
  )) {
    width = Math.max(width, row.length)
  }
  const chunks: string[] = []
  let lines: string[] = []
  const push = () => {
    chunks.push(`${chunks.length > 0 ? '\r\n' : ''}${lines.join('\r\n')}`)
    lines = []
  }
  for (const row of readRows(cells, { sheet, rect: gridOf(sheet) }, render)) {
    const fields = row.map(value => quoted(String(value)))
    lines.push(fields.join(',') + ','.repeat(Math.max(0, width - Math.max(1, row.length))))
    if (lines.length === ROWS_A_CHUNK) push()
  }
  if (lines.length > 0) push()
  return chunks
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
