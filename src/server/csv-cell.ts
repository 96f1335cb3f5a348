/**
 * Texts as cells of a file that somebody will open in a spreadsheet program: a name that a stranger has
 * chosen must stay a name. Excel asks the machine's settings what separates columns, so a file with commas is
 * read with semicolons in half of Europe, and with tabs or bars when somebody says so; quotes mean nothing
 * then but at the beginning of a cell. So whatever could come to stand at the beginning, in whichever of
 * these readings, gets an apostrophe before it.
 */
export function csvText(text: string): string {
  const harmless = (BEGINS.test(text) ? `'${text}` : text).replaceAll(AFTER_SEPARATOR, "$1'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Programs calculate what begins so, the full-width signs too; they skip blanks, quotes and what cannot be
 * seen.
 */
const FORMULA = String.raw`["\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]`
const BEGINS = new RegExp(String.raw`^(?:${FORMULA}|[\t\r\n])`, 'u')
const AFTER_SEPARATOR = new RegExp(String.raw`([;|\t\r\n])(?=${FORMULA})`, 'gu')

/**
 * Cells that are ready as a line. A number at its beginning keeps its sign, unless the rest of the line, read
 * with another separator, could be calculated with it: `-5,x|'cmd'!A1` is one cell to whoever expects
 * semicolons.
 */
export function csvLine(cells: readonly string[]): string {
  const line = `${cells.join(',')}\r\n`
  return /^["]?[=+\-@]/.test(line) && /[(|![]/.test(line) ? line.replace(/^"?/, "$&'") : line
}
