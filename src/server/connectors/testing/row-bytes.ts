import { expect } from 'vitest'
import { randomBelow } from '#server/testing/random.ts'
import { PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { ByteRows, RowList, rowReader, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { json } from '#server/connectors/kit/http.ts'
import { shapeOf, type Path, type Rows } from '#server/connectors/kit/rows.ts'
import { plainPage } from './pages.ts'

// Rows out of bytes beside the same rows out of parsed JSON, which says what a response means: whatever the
// bytes are, both read the same page or end with the same failure, or the bytes are left to JSON.parse.

export interface RowFormat {
  /** Where the rows are in a response. */
  path: Path
  reader: () => RowReader
  /** The rows of a response, of bytes and of JSON alike. */
  pageOf: (body: unknown, reader: RowReader) => Page
  /** A row as the platform writes them; `isOdd`: in other forms as well. */
  row: (below: Below, isOdd: boolean) => Json
  /** A whole response with these rows, as text. */
  response: (rows: string, below: Below, isOdd: boolean) => string
}

/** Of a platform whose rows say all by themselves. */
export const plainFormat = (path: Path, read: (rows: Rows) => Page) => ({
  path,
  reader: () => rowReader(shapeOf(read), path),
  pageOf: (body: unknown, reader: RowReader) => read(reader.rowsOf(RowList.parse(taken(body, path).rows))),
})

export type Below = (limit: number) => number
/** Written as JSON.stringify would, but for odd spellings. */
export type Json = string | number | null | boolean | Spelled | Json[] | { [name: string]: Json }
/** A value with its own spelling. */
export class Spelled {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const oneOf = <Value>(below: Below, ...values: Value[]): Value => {
  const value = values[below(values.length)]
  if (value === undefined) throw new Error('one of none')
  return value
}

/** What a platform may write where digits in quotation marks are expected. */
export const oddDigits = (below: Below): Json =>
  oneOf<Json>(
    below,
    '0',
    '-0',
    '007',
    '1.',
    '.5',
    '1e5',
    '',
    ' 1',
    '-12',
    '-1.5',
    '12.3456789',
    '0.0000005',
    '-',
    null,
  ) ?? String(below(1e9))

const RESPONSES = 400

/** Responses of a few rows each: some of their values are odd, and some of their bytes are changed. */
export function expectSameRows(format: RowFormat, seed: number): void {
  const counts = { read: 0, left: 0, changed: 0 }
  for (let number = 0; number < RESPONSES; number += 1) {
    const below = randomBelow(seed + number)
    const reader = format.reader()
    for (const kind of ['regular', 'regular', 'odd', oneOf(below, 'odd', 'changed')] as const) {
      const text = responseText(format, below, kind !== 'regular')
      const bytes = kind === 'changed' ? changed(Buffer.from(text), below) : Buffer.from(text)
      const read = reader.read(bytes)
      counts[read === null ? 'left' : kind === 'changed' ? 'changed' : 'read'] += 1
      if (read === null) {
        if (kind === 'regular') throw new Error(`left to JSON.parse: ${text}`)
        continue
      }
      const parsed = json({ status: 200, bytes })
      const [fast, plain] = [taken(read, format.path), taken(parsed, format.path)]
      const about = `seed ${seed} response ${number}: ${bytes.toString()}`
      expect(fast.rest, about).toEqual(plain.rest)
      if (!(fast.rows instanceof ByteRows) || !Array.isArray(plain.rows)) throw new Error(about)
      const endWith = (body: unknown) => endOf(() => format.pageOf(body, reader))
      expect(endWith(read), about).toEqual(endWith(parsed))
    }
  }
  // Otherwise nothing would have been compared.
  expect(counts.read).toBeGreaterThan(820)
  expect(counts.changed).toBeGreaterThan(0)
  expect(counts.left).toBeGreaterThan(0)
}

function endOf(read: () => Page) {
  try {
    return plainPage(read())
  } catch (error) {
    if (error instanceof PlatformFailure) return error.message
    throw error
  }
}

/** The rows at the path, and what else there is. */
function taken(body: unknown, [step, ...more]: Path): { rows: unknown; rest: unknown } {
  if (step === undefined) return { rows: body, rest: null }
  if (typeof body !== 'object' || body === null) return { rows: undefined, rest: body }
  const inner = taken(Reflect.get(body, step), more)
  return {
    rows: inner.rows,
    rest: [Object.entries(body).filter(([name]) => name !== String(step)), inner.rest],
  }
}

function responseText({ row, response }: RowFormat, below: Below, isOdd: boolean): string {
  const rows = Array.from({ length: isOdd ? below(6) : 1 + below(5) }, () =>
    row(below, isOdd && below(4) === 0),
  )
  return response(written(rows, isOdd ? below : null), below, isOdd)
}

/** JSON of a value; with `below`, sometimes in another order and with other spaces, names and escapes. */
function written(value: Json, below: Below | null): string {
  const space = () => (below && below(40) === 0 ? oneOf(below, ' ', '\n', '\t\r ') : '')
  if (value instanceof Spelled) return value.text
  if (typeof value === 'string') return quoted(value, below)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${value.map(each => `${space()}${written(each, below)}${space()}`).join(',')}]`
  const fields = Object.entries(value).map(([name, each]): [string, Json] => [name, each])
  if (below && below(12) === 0)
    fields.splice(below(fields.length + 1), 0, ['unknown', oneOf<Json>(below, 'x\\"]}', 1.5, [[], {}], null)])
  if (below && below(12) === 0) fields.splice(below(fields.length), 1)
  if (below && below(12) === 0) fields.push(...fields.splice(0, below(fields.length)))
  if (below && below(30) === 0) fields.push(...fields.slice(0, 1))
  return `{${space()}${fields.map(([name, each]) => `${quoted(name, null)}${space()}:${space()}${written(each, below)}`).join(`${space()},`)}}`
}

function quoted(text: string, below: Below | null): string {
  const plain = JSON.stringify(text)
  if (!below || below(10) > 0) return plain
  const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`
  return `"${Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join('')}"`
}

/** A byte or two replaced, left out, put in or cut off. */
function changed(bytes: Buffer, below: Below): Buffer {
  let all = bytes
  for (let changes = 1 + below(2); changes > 0 && all.length > 0; changes -= 1) {
    const at = below(all.length)
    const byte = oneOf(below, ...Buffer.from('"\\{}[],:0179.-eE n\u0001\u007f'), 0xff, 0xc3, 0xed, 0)
    const rest = all.subarray(at)
    all = oneOf(
      below,
      Buffer.concat([all.subarray(0, at), Buffer.of(byte), rest.subarray(1)]),
      Buffer.concat([all.subarray(0, at), Buffer.of(byte), rest]),
      Buffer.concat([all.subarray(0, at), rest.subarray(1)]),
      Buffer.concat([all.subarray(0, at), all.subarray(at, at + 1 + below(9)), rest]),
      below(4) === 0 ? all.subarray(0, at) : all,
    )
  }
  return all
}
