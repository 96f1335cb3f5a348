import type { ColumnFormat, StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { CellValue } from './body.ts'
import { firstRowsOf } from './chunks.ts'

/** The first rows say how wide a column is; all of a large table would have to be read for the rest. */
const MEASURED_ROWS = 500
const [NARROWEST, WIDEST] = [64, 360]
const PADDING = 20
/** In Arial 10, the spreadsheet's own font; a full-width character takes nearly two. */
const [NARROW, WIDE] = [7.5, 14]
const BOLD = 1.15

export interface MeasuredTable extends StoredTable {
  /** In pixels, for each column: its header and its first rows fit, as far as it is reasonable. */
  columnWidths(): Promise<number[]>
}

/** The same table. Chunks that were read before, to be sent, are not read again to be measured. */
export function measured(table: StoredTable): MeasuredTable {
  const first: TableChunk[] = []
  const rowsRead = () => first.reduce((sum, chunk) => sum + chunk.rows, 0)
  async function* chunks() {
    for await (const chunk of table.chunks()) {
      if (chunk.first_row === rowsRead() && chunk.first_row <= MEASURED_ROWS) first.push(chunk)
      yield chunk
    }
  }
  async function columnWidths() {
    const rows = Math.min(table.rows, MEASURED_ROWS) + 1
    if (rowsRead() < rows) for await (const _ of chunks()) if (rowsRead() >= rows) break
    return widthsOf(table, first.flatMap(chunk => firstRowsOf(chunk, rows)).slice(1, rows))
  }
  return { ...table, chunks, columnWidths }
}

function widthsOf({ columns }: StoredTable, rows: CellValue[][]): number[] {
  const widths = columns.map(({ title }) => BOLD * textWidth(title))
  for (const row of rows)
    for (const [index, { format }] of columns.entries())
      widths[index] = Math.max(widths[index] ?? 0, textWidth(displayText(row[index] ?? '', format)))
  return widths.map(width => Math.min(WIDEST, Math.max(NARROWEST, Math.round(width + PADDING))))
}

const FULL_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{3fffd}]/u

const ALL_NARROW = /^[ -~]*$/

const textWidth = (text: string) => (ALL_NARROW.test(text) ? NARROW * text.length : mixedWidth(text))

const mixedWidth = (text: string) =>
  Array.from(text).reduce((sum, character) => sum + (FULL_WIDTH.test(character) ? WIDE : NARROW), 0)

/** About what the cell shows: its length is what counts. */
function displayText(value: CellValue, format: ColumnFormat): string {
  if (typeof value === 'string') return value
  switch (format.kind) {
    case 'day':
      return 'yyyy-mm-dd'
    case 'month':
      return 'yyyy-mm'
    case 'percent':
      return `${(100 * value).toFixed(format.digits)}%`
    case 'number':
      return value.toFixed(format.digits).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
    case 'text':
      return String(value)
  }
}
