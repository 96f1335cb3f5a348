import Papa from 'papaparse'
import type { FileFormat } from './file-format.ts'
import { HashingProblem } from './messages.ts'

/** A quote that is never closed would make one cell of all the rest. */
const LONGEST_ROW = 1_000_000

/** The rows of a file, some at a time: a piece of it is in memory. Rows without any text are left out. */
export async function* readRows(
  file: Blob,
  { encoding, delimiter }: FileFormat,
): AsyncGenerator<string[][], void, void> {
  const parser = new Papa.Parser({ delimiter, newline: '\n' })
  let rest = ''
  const take = (text: string, isLast: boolean): string[][] => {
    const pending = rest + text
    const { data, meta }: Parsed = parser.parse(pending, 0, !isLast)
    rest = pending.slice(meta.cursor)
    if (rest.length > LONGEST_ROW) throw new HashingProblem('unreadable')
    return data.filter(row => row.some(cell => cell.trim() !== ''))
  }
  for await (const text of textOf(file, encoding)) yield take(text, false)
  yield take('', true)
}

interface Parsed {
  data: string[][]
  meta: { cursor: number }
}

/** Line ends are those of Unix here; one that is cut in two is put together again. */
async function* textOf(file: Blob, encoding: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder(encoding)
  const reader = file.stream().getReader()
  let held = ''
  for (;;) {
    const { done, value } = await reader.read()
    const text = held + decoder.decode(value, { stream: !done })
    held = !done && text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, '\n')
    if (done) return
  }
}
