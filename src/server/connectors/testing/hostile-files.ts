import { randomBelow } from '#server/testing/random.ts'

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
const PIECES = ['"', ',', '\n', '\r', '\r\n', '""', '-', '.', '7', ' ', '\uFEFF', 'Total,', '名'].map(text =>
  Buffer.from(text),
)
const NO_UTF8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]].map(bytes => Buffer.from(bytes))

/** A file of these rows, some of whose cells are odd, and its bytes changed in a few places or in none. */
export function hostileFile(rows: readonly (readonly string[])[], seed: number): Buffer {
  const below = randomBelow(seed)
  const oneOf = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], otherwise: Item) =>
    items[below(items.length)] ?? otherwise
  const oddity = oneOf([0, 1, 4, 40], 0)
  const [header = [], ...others] = rows
  const cellOf = (cell: string) => (below(400) < oddity ? oneOf(ODD, '') : cell)
  const lineEnd = oneOf(['\n', '\r\n'], '\n')
  const text = [header, ...others.map(row => row.map(cellOf))]
    .map(row =>
      row.map(cell => (below(30) === 0 ? `"${cell.replaceAll('"', '""')}"` : quoted(cell))).join(','),
    )
    .join(lineEnd)
  const file = Buffer.from(`${below(8) === 0 ? '\uFEFF' : ''}${text}${below(6) === 0 ? '' : lineEnd}`)
  return oneOf([0, 0, 1, 3], 0) === 0 ? file : damaged(file, below)
}

export const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function damaged(file: Buffer, below: (limit: number) => number): Buffer {
  const at = below(file.length + 1)
  const removed = below(4) === 0 ? below(20) : below(2)
  const pieces = below(6) === 0 ? NO_UTF8 : PIECES
  const piece = pieces[below(pieces.length)] ?? Buffer.alloc(0)
  const changed = Buffer.concat([file.subarray(0, at), piece, file.subarray(at + removed)])
  return below(3) === 0 ? damaged(changed, below) : changed
}
