/** A byte order mark, by which spreadsheet programs know UTF-8. */
export const BOM = '\uFEFF'

/**
 * Rows as lines of CSV. A text that a spreadsheet program would take for a formula gets an apostrophe before it, since opening a file must
 * never run what somebody has named a campaign; numbers stay as they are.
 */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(csvCell).join(',')}\r\n`).join('')

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !isNumber(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** `-1,234.50`, `+3%`, `-$5.00` */
const isNumber = (text: string) => /^[+-]?\p{Sc}?\d[\d,]*(\.\d+)?([eE][+-]?\d+)?%?$/u.test(text)
