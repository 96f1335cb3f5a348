import { setTimeout } from 'node:timers/promises'
import { rangeOf } from '#shared/cell.ts'
import { csvLine, csvText } from '#shared/csv-cell.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { SheetService } from './service.ts'

/** A byte order mark, by which spreadsheet programs recognise UTF-8. */
const BOM = '\uFEFF'

/** Cells in one request; a response of this size is a few megabytes. */
const CELLS_A_CHUNK = 200_000

/** A tab as CSV, piece by piece: only the present piece is in memory. */
export async function* exportCsv(
  service: SheetService,
  id: string,
  { title, rows, columns }: { title: string; rows: number; columns: number },
): AsyncGenerator<string> {
  const step = Math.max(1, Math.floor(CELLS_A_CHUNK / Math.max(1, columns)))
  yield BOM
  // Empty rows in between count, those at the end do not: they are held back until a row with content
  // follows.
  let empty = 0
  for (let row = 0; row < rows; row += step) {
    const end = Math.min(rows, row + step)
    const { values } = await patiently(() => service.values(id, rangeOf(title, [row, 0, end, columns])))
    if (values.length > 0) {
      yield '\r\n'.repeat(empty) + csvLines(values)
      empty = 0
    }
    empty += end - row - values.length
  }
}

/** Rows as lines of CSV: opening a file must never run the name of a campaign; numbers stay as they are. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => csvLine(row.map(csvCell))).join('')

const csvCell = (text: string) => (isNumber(text) ? numberCell(text) : csvText(text))

const numberCell = (text: string) => (text.includes(',') ? `"${text}"` : text)

/** `-1,234.50`, `+3%`, `-$5.00` */
const isNumber = (text: string) => /^[+-]?\p{Sc}?\d[\d,]*(\.\d+)?([eE][+-]?\d+)?%?$/u.test(text)

const PATIENCE = 20

/** The service counts requests; a long export waits for its next minute rather than break off. */
async function patiently<Result>(read: () => Promise<Result>, tries = PATIENCE): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (tries === 0 || !(error instanceof Refusal) || error.code !== 'rate_limited') throw error
    await setTimeout((error.facts.retry_after_s ?? 5) * 1000)
    return await patiently(read, tries - 1)
  }
}
