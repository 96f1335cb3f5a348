import { csvRows } from '#server/connectors/kit/csv.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'

/** One row of a CSV file, with the line that it begins on, or why it cannot be read. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; problem: string }

/** A longer field is an unclosed quote. */
const LONGEST_RECORD = 1_000_000

/**
 * The rows of a CSV file as it is read, however long it is; empty lines are none. Bytes that are not UTF-8
 * end it.
 */
export async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  let line = 0
  let first = 1
  let record = ''
  let is_open = false
  for await (const text of linesOf(chunks)) {
    line += 1
    if (text === null) {
      yield { line, problem: 'this is not UTF-8' }
      return
    }
    if (record === '') first = line
    record = record === '' ? text : `${record}\n${text}`
    is_open = staysOpen(text, is_open)
    if (is_open && record.length < LONGEST_RECORD) continue
    is_open = false
    if (record.trim() !== '') yield { line: first, ...fieldsOf(record) }
    record = ''
  }
  if (record.trim() !== '') yield { line: first, ...fieldsOf(record) }
}

/** The lines of a file, up to the first that is not UTF-8: null stands for it. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      const line = textOf(decoder, rest, chunk.subarray(from, end))
      yield line
      if (line === null) return
      rest = Buffer.alloc(0)
      from = end + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(from)])
  }
  if (rest.length > 0) yield textOf(decoder, rest)
}

const NEW_LINE = 10

function textOf(decoder: TextDecoder, ...parts: Uint8Array[]): string | null {
  try {
    const [first, second] = parts
    return decoder.decode(first?.length ? Buffer.concat(parts) : (second ?? first))
  } catch {
    return null
  }
}

/** Whether a quoted field goes on in the next line. Only a quote that begins a field opens one. */
function staysOpen(line: string, is_open: boolean): boolean {
  let at = 0
  for (;;) {
    if (is_open || line[at] === '"') {
      const closing = closingQuote(line, is_open ? at : at + 1)
      if (closing < 0) return true
      at = closing + 1
      is_open = false
    }
    const comma = line.indexOf(',', at)
    if (comma < 0) return false
    at = comma + 1
  }
}

/** Doubled quotes stand for one. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from)
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
  return at
}

function fieldsOf(record: string): { fields: string[] } | { problem: string } {
  try {
    const [fields = []] = csvRows(record)
    return { fields }
  } catch (error) {
    if (error instanceof PlatformFailure) return { problem: 'quotes that cannot be read' }
    throw error
  }
}
