import type { WireResponse } from './hostile.ts'
import { HTML, responseWith, mutation, type Mutation } from './hostile-mutation.ts'

// Tables: every column, the frame of the rows, the rows themselves.

export function aboutTable(original: WireResponse, text: string): Mutation[] {
  const rows = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(line => line.split(','))
  const [header = [], ...body] = rows
  const written = (table: readonly (readonly string[])[], delimiter = ',') =>
    responseWith(original, `${table.map(row => row.join(delimiter)).join('\n')}\n`)
  const middle = body.length >> 1
  const eachRow = (change: (row: string[], at: number) => string[]) => written(rows.map(change))
  const row = (change: (row: string[]) => string[]) =>
    written([header, ...body.map((each, at) => (at === middle ? change(each) : each))])
  const cells = [
    '',
    'abc',
    '1e400',
    '-',
    '{}',
    '"',
    '"a"b',
    '\u0000',
    'constructor',
    '１２',
    `${'9'.repeat(400)}.5`,
  ]
  return [
    mutation('no header', () => written(body)),
    mutation('a header alone', () => written([header])),
    mutation('the header twice', () => written([header, ...rows])),
    mutation('a column more', () => eachRow(each => [...each, '7'])),
    mutation('a column less', () => eachRow(each => each.slice(0, -1))),
    mutation('a first column less', () => eachRow(each => each.slice(1))),
    mutation('a name of a column less', () => written([header.slice(0, -1), ...body])),
    ...header.map((name, at) =>
      mutation('a renamed column', () => written([header.with(at, `${name} (new)`), ...body]), String(at)),
    ),
    ...header
      .slice(1)
      .map((name, at) =>
        mutation(
          'a column named like another',
          () => written([header.with(at + 1, header[at] ?? ''), ...body]),
          `${at + 1} ${name}`,
        ),
      ),
    ...[';', '\t', '|'].map(delimiter =>
      mutation('another delimiter', () => written(rows, delimiter), delimiter),
    ),
    mutation('a quote that never ends', () => row(([first = '', ...others]) => [`"${first}`, ...others])),
    mutation('a cell more', () => row(each => [...each, '7'])),
    mutation('a cell less', () => row(each => each.slice(0, -1))),
    mutation('an empty line', () => row(() => [''])),
    mutation('one more row of totals', () =>
      written([...rows, ['Total', ...header.slice(1).map(() => '7')]]),
    ),
    mutation('a row of HTML', () => written([...rows, [HTML]])),
    mutation('a row twice', () =>
      written([header, ...body.flatMap((each, at) => (at === middle ? [each, each] : [each]))]),
    ),
    mutation('a row twice at the end', () => written([...rows, ...body.slice(0, 1)])),
    mutation('a row dropped', () => written([header, ...body.toSpliced(middle, 1)])),
    mutation('the last row dropped', () => written(rows.slice(0, -1))),
    ...header.flatMap((_, at) =>
      cells.map(cell =>
        mutation(
          `a cell ${cell.slice(0, 12)}`,
          () => row(each => each.map((own, place) => (place === at ? cell : own))),
          String(at),
        ),
      ),
    ),
  ]
}
