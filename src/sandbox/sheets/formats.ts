import type { sheets_v4 } from '@googleapis/sheets'
import type { Book } from './book.ts'
import { invalid } from './errors.ts'

type Format = sheets_v4.Schema$CellFormat

export type Formats = ReturnType<typeof openFormats>

/** A tile stores the number of a format in 16 bits. */
const MOST = 65_535

/** The book's formats by number: equal formats share one. */
export function openFormats(book: Book) {
  if (book.formats.length === 0) book.formats.push({})
  let numbers: Map<string, number> | null = null

  function numberOf(format: Format): number {
    const text = JSON.stringify(sorted(format))
    if (text === '{}') return 0
    numbers ??= new Map(book.formats.map((each, number) => [JSON.stringify(sorted(each)), number]))
    const known = numbers.get(text)
    if (known !== undefined) return known
    if (book.formats.length > MOST) throw invalid('This document has too many different cell formats.')
    const number = book.formats.push(format) - 1
    numbers.set(text, number)
    return number
  }
  return { numberOf, get: (number: number): Format => book.formats[number] ?? {} }
}

/** Members in alphabetical order and without empty objects, so that equal formats have equal text. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
    .map(([name, member]) => [name, sorted(member)] as const)
    .filter(([, member]) => member !== undefined && JSON.stringify(member) !== '{}')
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
