import { deepStrictEqual } from 'node:assert/strict'
import type { CellValue } from '#server/sheets/body.ts'
import { SpreadsheetResponse, type CellData } from '#server/sheets/schema.ts'
import { freely, type TestService } from './sandbox.ts'
import { isObject, tableOf } from './table.ts'
import type { WriterLimits } from '#server/sheets/work.ts'
import { writeTable, type WriteEffects, type WriteJob } from '#server/sheets/write.ts'

/** The three write paths, forced upon small tables. */
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

/**
 * The tables that replace one of 9 rows and 3 columns: one that is longer than the tab and wider, and one
 * that is shorter; both also of a report with a note, which the old table then has too.
 */
const SHAPES = {
  'a larger table': { rows: 20, has_note: false },
  'a smaller table': { rows: 4, has_note: false },
  'a larger table with a note': { rows: 20, has_note: true },
  'a smaller table with a note': { rows: 4, has_note: true },
}
export type Shape = keyof typeof SHAPES
export const shapes = [
  'a larger table',
  'a smaller table',
  'a larger table with a note',
  'a smaller table with a note',
] as const satisfies Shape[]

const noteOf = (shape: Shape, mark: string) => (SHAPES[shape].has_note ? `${mark} note` : null)

export const newTable = (shape: Shape) => ({
  ...tableFor(SHAPES[shape].rows, 4, 'new'),
  note: noteOf(shape, 'new'),
})

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

/** The expected content of the tab: the table, and beside it the user's own cells. */
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

const OLD = shows(OLD_ROWS, 3, 'old')
const newValues = (shape: Shape) => shows(SHAPES[shape].rows, 4, 'new')

export interface Trial {
  id: string
  job: WriteJob
  previous: {
    sheet_id: number
    rect: [number, number, number, number]
    head: string
    fmt: string
    note: string | null
  }
}

/**
 * A spreadsheet with the old table and the user's own content, and a run that is going to replace the table.
 */
export async function trial(service: TestService, shape: Shape): Promise<Trial> {
  const id = await service.owner.create({ gridProperties: { rowCount: 18, columnCount: 6 } })
  await service.owner.share(id, service.system_user)
  const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' }
  const job: WriteJob = {
    table: { ...tableFor(OLD_ROWS, 3, 'old'), note: noteOf(shape, 'old') },
    target,
    format_table: true,
    report_id: 42,
    run_id: 'earlier',
    attempt: 1,
    previous: null,
    other_tables: [],
    checked_at: freely(service.client()).now(),
  }
  const { sheet_id, rect, head, fmt, note } = await writeTable(job, freely(service.client()))
  for (const { row, column, value } of MINE)
    await service.owner.put(id, `'T'!${'ABCDEF'[column]}${row + 1}`, [[value]])
  const previous = { sheet_id, rect, head, fmt, note }
  return {
    id,
    previous,
    job: { ...job, table: newTable(shape), run_id: 'now', previous },
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

const paths = ['one request', 'staging tab', 'no room for staging'] as const satisfies Path[]
export const CASES = paths.flatMap(path => shapes.map(shape => ({ path, shape })))
/** Each path with and without a note. */
export const FEWER_CASES = CASES.filter((_, index) => [0, 3, 5, 6, 8, 11].includes(index))

export const valuesOf = (service: TestService, id: string) => service.owner.values(id, "'T'")

/** What the tab shows, in one read: its values, and the note of the start cell. */
export async function contentOf(service: TestService, id: string) {
  const fields = 'sheets(properties(sheetId,title),data.rowData.values(userEnteredValue,note))'
  const path = `/v4/spreadsheets/${id}?ranges=${encodeURIComponent("'T'")}&fields=${encodeURIComponent(fields)}`
  const { sheets } = SpreadsheetResponse.parse(await service.owner.ask('GET', path))
  const rows = (sheets[0]?.data[0]?.rowData ?? []).map(({ values }) => values)
  const filled = rows.map(row => withoutEnd(row.map(valueOf), value => value === ''))
  return { values: withoutEnd(filled, row => row.length === 0), note: rows[0]?.[0]?.note ?? '' }
}

const valueOf = ({ userEnteredValue: value }: CellData) =>
  value?.stringValue ?? value?.numberValue ?? value?.formulaValue ?? ''

const withoutEnd = <T>(list: T[], isEmpty: (item: T) => boolean) =>
  list.slice(0, list.findLastIndex(item => !isEmpty(item)) + 1)

/** Whether it is the old or the new table, with its own note; without space for staging, with it or none. */
export function isWhole(
  { values, note }: Awaited<ReturnType<typeof contentOf>>,
  { path, shape }: { path: Path; shape: Shape },
): boolean {
  return [
    { table: OLD, its: noteOf(shape, 'old') ?? '' },
    { table: newValues(shape), its: noteOf(shape, 'new') ?? '' },
  ].some(
    ({ table, its }) =>
      JSON.stringify(table) === JSON.stringify(values) &&
      (note === its || (path === 'no room for staging' && note === '')),
  )
}

/** The document without staging tabs, which a very late request may leave behind, hidden and empty. */
async function visible(service: TestService, id: string) {
  const document = await service.owner.document(id)
  if (!isObject(document) || !Array.isArray(document['sheets'])) throw new Error('no document')
  return {
    ...document,
    sheets: document['sheets'].filter(each => !JSON.stringify(each).includes('__sheetcast_stage')),
  }
}

/** How many requests and steps an undisturbed run takes, and the resulting document. */
export async function undisturbed(service: TestService, path: Path, shape: Shape) {
  const trialled = await trial(service, shape)
  let steps = 0
  service.takeRequests()
  await untilWritten(trialled, freely(service.client(), { limits: PATHS[path], on_step: () => void steps++ }))
  const requests = service.takeRequests().filter(request => request.includes('/v4/')).length
  deepStrictEqual(await valuesOf(service, trialled.id), newValues(shape))
  return { requests, steps, document: await visible(service, trialled.id) }
}

/**
 * The tab holds the new table, the user's content is unchanged, and the run has left one entry; without late
 * requests no staging tab.
 */
export async function expectWritten(
  service: TestService,
  { id }: Trial,
  { shape, document, late = false }: { shape: Shape; document: unknown; late?: boolean },
) {
  deepStrictEqual(await contentOf(service, id), {
    values: newValues(shape),
    note: noteOf(shape, 'new') ?? '',
  })
  deepStrictEqual(await visible(service, id), document)
  const { sheets } = await service
    .client()
    .getSpreadsheet(id, { fields: 'sheets(properties(sheetId,title),developerMetadata)' })
  if (!late)
    deepStrictEqual(
      sheets.map(sheet => sheet.properties.title),
      ['T'],
    )
  const runs = sheets[0]?.developerMetadata.map(each => JSON.parse(each.metadataValue))
  deepStrictEqual(runs?.filter(run => run.run === 'now' && !('was' in run)).length, 1)
}
