import type { Answer } from './hostile.ts'
import { HTML, answerWith, untruth, type Untruth } from './hostile-untruth.ts'

// Tables: every column, the frame of the rows, the rows themselves.

export function aboutTable(answer: Answer, text: string): Untruth[] {
  const rows = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(line => line.split(','))
  const [header = [], ...body] = rows
  const written = (table: readonly (readonly string[])[], delimiter = ',') =>
    answerWith(answer, `${table.map(row => row.join(delimiter)).join('\n')}\n`)
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
    untruth('no header', () => written(body)),
    untruth('a header alone', () => written([header])),
    untruth('the header twice', () => written([header, ...rows])),
    untruth('a column more', () => eachRow(each => [...each, '7'])),
    untruth('a column less', () => eachRow(each => each.slice(0, -1))),
    untruth('a first column less', () => eachRow(each => each.slice(1))),
    untruth('a name of a column less', () => written([header.slice(0, -1), ...body])),
    ...header.map((name, at) =>
      untruth('a renamed column', () => written([header.with(at, `${name} (new)`), ...body]), String(at)),
    ),
    ...header
      .slice(1)
      .map((name, at) =>
        untruth(
          'a column named like another',
          () => written([header.with(at + 1, header[at] ?? ''), ...body]),
          `${at + 1} ${name}`,
        ),
      ),
    ...[';', '\t', '|'].map(delimiter =>
      untruth('another delimiter', () => written(rows, delimiter), delimiter),
    ),
    untruth('a quote that never ends', () => row(([first = '', ...others]) => [`"${first}`, ...others])),
    untruth('a cell more', () => row(each => [...each, '7'])),
    untruth('a cell less', () => row(each => each.slice(0, -1))),
    untruth('an empty line', () => row(() => [''])),
    untruth('one more row of totals', () => written([...rows, ['Total', ...header.slice(1).map(() => '7')]])),
    untruth('a row of HTML', () => written([...rows, [HTML]])),
    untruth('a row twice', () =>
      written([header, ...body.flatMap((each, at) => (at === middle ? [each, each] : [each]))]),
    ),
    untruth('a row twice at the end', () => written([...rows, ...body.slice(0, 1)])),
    untruth('a row dropped', () => written([header, ...body.toSpliced(middle, 1)])),
    untruth('the last row dropped', () => written(rows.slice(0, -1))),
    ...header.flatMap((_, at) =>
      cells.map(cell =>
        untruth(
          `a cell ${cell.slice(0, 12)}`,
          () => row(each => each.map((own, place) => (place === at ? cell : own))),
          String(at),
        ),
      ),
    ),
  ]
}
