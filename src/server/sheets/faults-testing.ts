import type { CellValue } from './body.ts'
import { freely, type TestService } from './sandbox-testing.ts'
import { tableOf } from './testing.ts'
import type { WriterLimits } from './work.ts'
import { writeTable, type WriteEffects, type WriteJob } from './write.ts'

/** The three ways to write, forced upon small tables. */
export const PATHS = {
  'one request': {},
  'staging tab': { small_cells: 8, chunk: { bytes: 250, cells: 60 } },
  'no room for staging': { small_cells: 8, cells: 126 },
} satisfies Record<string, Partial<WriterLimits>>
export type Path = keyof typeof PATHS

const body = (rows: number, columns: number, mark: string): CellValue[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_each, column) =>
      column === 0 ? 46_023 + row : column === 1 ? `=${mark}${row}` : row * column,
    ),
  )
const TITLES = ['Date', 'Campaign', 'Clicks', 'Cost']
const OLD_ROWS = 9

/** What is written in place of a table of 9 rows and 3 columns: one that is longer than the tab and wider, and one that is shorter. */
export const NEW_ROWS = { 'a larger table': 20, 'a smaller table': 4 }
export type Shape = keyof typeof NEW_ROWS

export const tableFor = (rows: number, columns: number, mark: string) =>
  tableOf({
    titles: TITLES.slice(0, columns),
    rows: body(rows, columns, mark),
    formats: [
      { kind: 'day' },
      { kind: 'text' },
      { kind: 'number', digits: 0 },
      { kind: 'number', digits: 2 },
    ],
    sizes: [5, 4, 3],
  })

/** What the tab must show: the table, and beside it what the user has there. */
function shows(rows: number, columns: number, mark: string) {
  const table = [TITLES.slice(0, columns), ...body(rows, columns, mark)]
  return Array.from({ length: Math.max(table.length, 18) }, (_, row) => {
    const mine = MINE.filter(each => each.row === row)
    const width = Math.max(...mine.map(each => each.column + 1), table[row]?.length ?? 0)
    return Array.from(
      { length: width },
      (_each, column) => mine.find(each => each.column === column)?.value ?? table[row]?.[column] ?? '',
    )
  })
}

const MINE = [
  { row: 0, column: 5, value: '=SUM(C2:C4)' },
  { row: 1, column: 5, value: 'keep' },
  { row: 17, column: 5, value: 'mine' },
]

export const OLD = shows(OLD_ROWS, 3, 'old')
export const NEW = {
  'a larger table': shows(NEW_ROWS['a larger table'], 4, 'new'),
  'a smaller table': shows(NEW_ROWS['a smaller table'], 4, 'new'),
}

export interface Trial {
  id: string
  job: WriteJob
  previous: NonNullable<WriteJob['previous']>
}

/** A spreadsheet with the old table and the user's own things, and a run that is going to replace the table. */
export async function trial(service: TestService, shape: Shape): Promise<Trial> {
  const id = await service.owner.create({ gridProperties: { rowCount: 18, columnCount: 6 } })
  await service.owner.share(id, service.system_user)
  const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' }
  const job: WriteJob = {
    table: tableFor(OLD_ROWS, 3, 'old'),
    target,
    report_id: 42,
    run_id: 'earlier',
    attempt: 1,
    previous: null,
    other_tables: [],
    checked_at: freely(service.client()).now(),
  }
  const { sheet_id, rect, head, fmt } = await writeTable(job, freely(service.client()))
  for (const { row, column, value } of MINE)
    await service.owner.put(id, `'T'!${'ABCDEF'[column]}${row + 1}`, [[value]])
  const previous = { sheet_id, rect, head, fmt }
  return {
    id,
    previous,
    job: { ...job, table: tableFor(NEW_ROWS[shape], 4, 'new'), run_id: 'now', previous },
  }
}

/** Attempt after attempt as the queue makes them, until the table is written; the failures on the way. */
export async function untilWritten(
  trialled: Trial,
  effects: WriteEffects,
  {
    first_attempt = 1,
    between = async () => {},
  }: { first_attempt?: number; between?: () => Promise<void> } = {},
) {
  const failures: unknown[] = []
  for (let attempt = first_attempt; attempt < first_attempt + 20; attempt++) {
    try {
      await writeTable({ ...trialled.job, attempt }, effects)
      return failures
    } catch (error) {
      failures.push(error)
      await between()
    }
  }
  throw new Error('not written after 20 attempts', { cause: failures.at(-1) })
}
