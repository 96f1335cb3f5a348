/**
 * Texts as cells of a file that somebody will open in a spreadsheet program: a name from an untrusted source
 * must stay a name. Excel takes the column separator from the machine's settings, so a file with commas is
 * read with semicolons in half of Europe, and with tabs or bars on request; quotes then only count at the
 * beginning of a cell. So whatever could end up at the beginning of a cell, in any of these readings, gets an
 * apostrophe before it.
 */
export function csvText(text: string): string {
  const harmless = (BEGINS.test(text) ? `'${text}` : text).replaceAll(AFTER_SEPARATOR, "$1'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The text of such a cell, once its quotes are off: without the apostrophes. */
export function textOfCell(cell: string): string {
  const text = cell.startsWith("'") && BEGINS.test(cell.slice(1)) ? cell.slice(1) : cell
  return text.replaceAll(APOSTROPHE_AFTER_SEPARATOR, '$1')
}

/**
 * Programs treat what begins with these as a formula, the full-width signs too; they skip blanks, quotes and
 * invisible characters.
 */
const FORMULA = String.raw`["\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]`
const BEGINS = new RegExp(String.raw`^(?:${FORMULA}|[\t\r\n])`, 'u')
const APOSTROPHE_AFTER_SEPARATOR = new RegExp(String.raw`([;|\t\r\n])'(?=${FORMULA})`, 'gu')
const AFTER_SEPARATOR = new RegExp(String.raw`([;|\t\r\n])(?=${FORMULA})`, 'gu')

/**
 * Cells that are ready as a line. A number at its beginning keeps its sign, unless the rest of the line, read
 * with another separator, could be calculated with it: `-5,x|'cmd'!A1` is one cell with semicolons as
 * separators.
 */
export function csvLine(cells: readonly string[]): string {
  const line = `${cells.join(',')}\r\n`
  return /^["]?[=+\-@]/.test(line) && /[(|![]/.test(line) ? line.replace(/^"?/, "$&'") : line
}
