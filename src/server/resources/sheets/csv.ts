import { csvLine, csvText } from '#server/csv-cell.ts'

/** A byte order mark, by which spreadsheet programs know UTF-8. */
export const BOM = '\uFEFF'

/**
 * Rows as lines of CSV: opening a file must never run what somebody has named a campaign; numbers stay as
 * they are.
 */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => csvLine(row.map(csvCell))).join('')

const csvCell = (text: string) => (isNumber(text) ? numberCell(text) : csvText(text))

const numberCell = (text: string) => (text.includes(',') ? `"${text}"` : text)

/** `-1,234.50`, `+3%`, `-$5.00` */
const isNumber = (text: string) => /^[+-]?\p{Sc}?\d[\d,]*(\.\d+)?([eE][+-]?\d+)?%?$/u.test(text)
