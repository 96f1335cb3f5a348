import { PlatformFailure } from '#server/connectors/connector.ts'
import { randomBelow } from '#server/testing/random.ts'
import type { ComparableRow } from './context.ts'

// Report files as they may come at the worst: cells of every kind, put down in every way, and bytes changed.

/** Cells that are no plain numbers or names. */
const ODD = [
  '',
  '-',
  '--',
  '0',
  '-0',
  '-7',
  '+7',
  '007',
  '1.',
  '.5',
  '1.5',
  '0.0000005',
  '1.2.3',
  '1,234.5',
  '1e3',
  ' 5',
  '5 ',
  '<10%',
  '41.5%',
  '123456789012345',
  '1234567890123456',
  '999999999.999999',
  '1234567890.123456',
  '9007199254740993',
  'a "b"',
  '""',
  'a,b',
  'two\nlines',
  'two\r\nlines',
  'ends in \r',
  'tab\there',
  'é 名 ﾅﾏｴ \u{1f600}',
  'e\u0301',
  '\u3000',
  '\uFEFF',
  '\u0000',
  '１２',
  'Total',
  '__proto__',
]

/** Pieces that stand anywhere in a damaged file. */
const PIECES = ['"', ',', '\n', '\r', '\r\n', '""', '-', '.', '7', ' ', '\uFEFF', 'Total,', '名']
/** No text of the encoding: an unpaired surrogate among them. */
const NO_TEXT: Record<Encoding, number[][]> = {
  utf8: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]],
  utf16le: [[0x00, 0xd8], [0x00, 0xdc], [0x41]],
}
type Encoding = 'utf8' | 'utf16le'

/** A file of these rows, some of whose cells are odd, and its bytes changed in a few places or in none. */
export function hostileFile(
  rows: readonly (readonly string[])[],
  seed: number,
  encoding: Encoding = 'utf8',
): Buffer {
  const below = randomBelow(seed)
  const oneOf = <Item>(items: readonly Item[], otherwise: Item) => items[below(items.length)] ?? otherwise
  const oddity = oneOf([0, 1, 4, 40], 0)
  const [header = [], ...others] = rows
  const cellOf = (cell: string) => (below(400) < oddity ? oneOf(ODD, '') : cell)
  const lineEnd = oneOf(['\n', '\r\n'], '\n')
  const text = [header, ...others.map(row => row.map(cellOf))]
    .map(row => row.map(cell => (below(30) === 0 ? inQuotes(cell) : quoted(cell))).join(','))
    .join(lineEnd)
  const mark = encoding === 'utf16le' || below(8) === 0 ? '\uFEFF' : ''
  const file = Buffer.from(`${mark}${text}${below(6) === 0 ? '' : lineEnd}`, encoding)
  return oneOf([0, 0, 1, 3], 0) === 0 ? file : damaged(file, encoding, below)
}

export const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? inQuotes(cell) : cell)

const inQuotes = (cell: string) => `"${cell.replaceAll('"', '""')}"`

function damaged(file: Buffer, encoding: Encoding, below: (limit: number) => number): Buffer {
  const unit = encoding === 'utf16le' && below(8) > 0 ? 2 : 1
  const at = unit * below(Math.floor(file.length / unit) + 1)
  const removed = unit * (below(4) === 0 ? below(20) : below(2))
  const piece =
    below(6) === 0
      ? Buffer.from(NO_TEXT[encoding][below(NO_TEXT[encoding].length)] ?? [])
      : Buffer.from(PIECES[below(PIECES.length)] ?? '', encoding)
  const changed = Buffer.concat([file.subarray(0, at), piece, file.subarray(at + removed)])
  return below(3) === 0 ? damaged(changed, encoding, below) : changed
}

/** The rows that are read, in one order, or why they are refused. */
export async function outcomeOf(read: () => ComparableRow[] | Promise<ComparableRow[]>) {
  try {
    return (await read()).map(row => JSON.stringify(row)).toSorted()
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error
    return error.message
  }
}
