/**
 * The cells of rows as spreadsheets put them on the clipboard: tabs between cells, and quotes around one that
 * has a tab, a quote or the end of a line in it.
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell.trim())
    cell = ''
  }
  const letters = [...text.replaceAll('\r\n', '\n')]
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (letters[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (letter === '"' && cell === '' && closes(letters, at)) isQuoted = true
    else if (letter === '\t') endCell()
    else if (letter === '\n') {
      endCell()
      rows.push([])
    } else cell += letter
  }
  endCell()
  return rows
}

/** Whether the quote at a position has its end: 15" may be a size, too. */
function closes(letters: readonly string[], from: number): boolean {
  for (let at = from + 1; at < letters.length; at += 1) {
    if (letters[at] !== '"') continue
    if (letters[at + 1] === '"') at += 1
    else return letters[at + 1] === undefined || letters[at + 1] === '\t' || letters[at + 1] === '\n'
  }
  return false
}
