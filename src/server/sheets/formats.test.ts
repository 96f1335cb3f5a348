import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Rect } from '#shared/cell.ts'
import type { ColumnFormat } from '#server/table/stored-table.ts'
import type { CellValue } from './body.ts'
import { formatCodes, formatRuns } from './formats.ts'
import { freely } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'
import { tableOf } from './testing/table.ts'
import { measured } from './widths.ts'
import { writeTable, type WriteJob } from './write.ts'

const columns = (...formats: ColumnFormat[]) => formats.map(format => ({ title: 'x', format }))
const day = { kind: 'day' } as const
const text = { kind: 'text' } as const
const money = { kind: 'number', digits: 2 } as const
const percent = { kind: 'percent', digits: 2 } as const
const old = (rect: Rect, fmt: string) => ({ rect, fmt, head: '', note: null })
const table = (formats: ColumnFormat[], rect: Rect, format_table = true) => ({
  columns: columns(...formats),
  rect,
  format_table,
})

describe('number formats', () => {
  it('are set on all rows under the header the first time, neighbours of one kind together', () => {
    expect(formatRuns(table([day, text, money, money, percent], [2, 1, 12, 6]), null)).toEqual([
      { rect: [3, 1, 12, 2], format: { type: 'DATE', pattern: 'yyyy-mm-dd' } },
      { rect: [3, 3, 12, 5], format: { type: 'NUMBER', pattern: '#,##0.00' } },
      { rect: [3, 5, 12, 6], format: { type: 'PERCENT', pattern: '0.00%' } },
    ])
  })

  it('are set on new rows only while the columns stay as they are', () => {
    const rect: Rect = [0, 0, 11, 2]
    const last = old(rect, formatCodes(table([day, money], rect), null))
    expect(formatRuns(table([day, money], [0, 0, 21, 2]), last)).toEqual([
      { rect: [11, 0, 21, 1], format: { type: 'DATE', pattern: 'yyyy-mm-dd' } },
      { rect: [11, 1, 21, 2], format: { type: 'NUMBER', pattern: '#,##0.00' } },
    ])
    expect(formatRuns(table([day, money], rect), last)).toEqual([])
  })

  it('are set again on a column of another type, and on a table at another place', () => {
    const last = old([0, 0, 11, 2], formatCodes(table([day, percent], [0, 0, 11, 2]), null))
    const rects = (formats: ColumnFormat[], rect: Rect) =>
      formatRuns(table(formats, rect), last).map(run => run.rect)
    expect(rects([day, money], [0, 0, 11, 2])).toEqual([[1, 1, 11, 2]])
    expect(rects([day, percent], [0, 1, 11, 3])).toEqual([
      [1, 1, 11, 2],
      [1, 2, 11, 3],
    ])
  })

  it('need no digits after the point to be numbers', () => {
    const [run] = formatRuns(table([{ kind: 'number', digits: 0 }], [0, 0, 2, 1]), null)
    expect(run?.format.pattern).toBe('#,##0')
    const [month] = formatRuns(table([{ kind: 'month' }], [0, 0, 2, 1]), null)
    expect(month?.format).toEqual({ type: 'DATE', pattern: 'yyyy-mm' })
  })

  it('of a table that is not formatted are those of dates and percentages alone', () => {
    const plain = table([day, text, money, percent], [0, 0, 3, 4], false)
    expect(formatRuns(plain, null).map(run => run.format.pattern)).toEqual(['yyyy-mm-dd', '0.00%'])
    expect(formatCodes(plain, null)).toBe('d-,t-,n2-,p2-')
  })

  it('come when formatting is switched on, and stay when it is switched off', () => {
    const rect: Rect = [0, 0, 3, 2]
    const formatted = table([day, money], rect)
    const plain = table([day, money], rect, false)
    expect(formatRuns(formatted, old(rect, formatCodes(plain, null)))).toHaveLength(2)
    const last = old(rect, formatCodes(formatted, null))
    expect(formatRuns(plain, last)).toEqual([])
    expect(formatCodes(plain, last)).toBe('d,n2')
  })
})

describe('column widths', () => {
  it('fit headers and cells as they are shown, within reason', async () => {
    const [date, name, cost, short, long] = await measured(
      tableOf({
        titles: ['Date', '廣告活動名稱', 'Cost', 'x', 'y'],
        rows: [[46_023, 'ab', 1_234_567.891, 1, 'w'.repeat(500)]],
        formats: [day, text, money, text, text],
      }),
    ).columnWidths()
    expect(date).toBe(95)
    expect(name).toBeGreaterThan(90)
    expect(cost).toBe(110)
    expect([short, long]).toEqual([64, 360])
  })

  it('do not depend on how the table is stored', async () => {
    const rows = Array.from({ length: 40 }, (_, row): CellValue[] => ['n'.repeat(row)])
    const whole = await measured(tableOf({ titles: ['a'], rows })).columnWidths()
    const inChunks = measured(tableOf({ titles: ['a'], rows, sizes: [1, 5, 9] }))
    expect(await inChunks.columnWidths()).toEqual(whole)
  })
})

const service = await testService()

const TITLES = ['Date', 'Campaign', 'Cost', 'Rate']
const FORMATS: ColumnFormat[] = [day, text, money, percent]
const tableFor = (width: number, titles = TITLES) =>
  tableOf({
    titles: titles.slice(0, width),
    rows: Array.from({ length: 3 }, (_, row) => [46_023 + row, 'Autumn', 12.5, 0.5].slice(0, width)),
    formats: FORMATS.slice(0, width),
  })

async function spreadsheet(tab: object = {}) {
  const id = await service.owner.create(tab)
  await service.owner.share(id, service.system_user)
  return id
}

let runs = 0
const write = (
  spreadsheet_id: string,
  { start_cell = 'A1', ...more }: Partial<WriteJob> & { start_cell?: string } = {},
) =>
  writeTable(
    {
      table: tableFor(3),
      target: { spreadsheet_id, sheet_id: 0, sheet_name: 'T', start_cell },
      format_table: true,
      report_id: 42,
      run_id: `formats-${++runs}`,
      attempt: 1,
      previous: null,
      other_tables: [],
      ...more,
    },
    freely(service.client()),
  )

const Look = z.object({
  sheets: z.array(
    z.object({
      properties: z.object({ gridProperties: z.object({ frozenRowCount: z.number().default(0) }) }),
      data: z.array(
        z.object({
          columnMetadata: z.array(z.object({ pixelSize: z.number() })),
          rowData: z
            .array(
              z.object({
                values: z
                  .array(
                    z.object({
                      userEnteredFormat: z
                        .object({
                          textFormat: z.object({ bold: z.boolean().default(false) }).optional(),
                          numberFormat: z.object({ pattern: z.string() }).optional(),
                        })
                        .optional(),
                    }),
                  )
                  .default([]),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ),
})

/** What is bold, frozen, wide and formatted in the tab. */
async function lookOf(id: string) {
  const { sheets } = Look.parse(await service.owner.ask('GET', `/v4/spreadsheets/${id}?includeGridData=true`))
  const [sheet] = sheets
  const [data] = sheet?.data ?? []
  const rows = (data?.rowData ?? []).map(row => row.values.map(cell => cell.userEnteredFormat))
  return {
    frozen: sheet?.properties.gridProperties.frozenRowCount,
    widths: data?.columnMetadata.slice(0, 4).map(column => column.pixelSize),
    bold: rows.map(row => row.slice(0, 4).map(format => format?.textFormat?.bold ?? false)),
    patterns: rows[1]?.slice(0, 4).map(format => format?.numberFormat?.pattern ?? null),
  }
}

describe('a table in a spreadsheet', () => {
  it('looks like its preview when it is first written: bold and frozen header, widths, formats', async () => {
    const id = await spreadsheet()
    service.takeRequests()
    await write(id)
    expect(service.takeRequests().filter(request => request.includes(':batchUpdate'))).toHaveLength(1)
    expect(await lookOf(id)).toEqual({
      frozen: 1,
      widths: [95, 89, 64, 100],
      bold: [
        [true, true, true],
        [false, false, false],
        [false, false, false],
        [false, false, false],
      ],
      patterns: ['yyyy-mm-dd', null, '#,##0.00'],
    })
  })

  it('is formatted alike on every path', async () => {
    const [small, large] = [await spreadsheet(), await spreadsheet()]
    await write(small)
    const job = {
      table: tableFor(3),
      target: { spreadsheet_id: large, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' },
    }
    await writeTable(
      {
        ...job,
        format_table: true,
        report_id: 42,
        run_id: 'large',
        attempt: 1,
        previous: null,
        other_tables: [],
      },
      freely(service.client(), { limits: { small_cells: 4 } }),
    )
    expect(await lookOf(large)).toEqual(await lookOf(small))
  })

  it('keeps what people change afterwards; a new column alone is formatted', async () => {
    const id = await spreadsheet()
    await write(id)
    await service.owner.batch(
      id,
      {
        repeatCell: {
          range: { sheetId: 0, startRowIndex: 0, endRowIndex: 1 },
          cell: { userEnteredFormat: { textFormat: { italic: true } } },
          fields: 'userEnteredFormat.textFormat',
        },
      },
      {
        updateDimensionProperties: {
          range: { sheetId: 0, dimension: 'COLUMNS', startIndex: 0, endIndex: 3 },
          properties: { pixelSize: 222 },
          fields: 'pixelSize',
        },
      },
      {
        updateSheetProperties: {
          properties: { sheetId: 0, gridProperties: { frozenRowCount: 0 } },
          fields: 'gridProperties.frozenRowCount',
        },
      },
    )
    await write(id, { table: tableFor(4) })
    const look = await lookOf(id)
    expect(look).toMatchObject({ frozen: 0, widths: [222, 222, 222, 65] })
    expect(look.bold[0]).toEqual([false, false, false, true])
    expect(look.patterns).toEqual(['yyyy-mm-dd', null, '#,##0.00', '0.00%'])
  })

  it('that was written before formatting came keeps its look', async () => {
    const id = await spreadsheet()
    const { sheet_id, rect, head } = await write(id, { format_table: false })
    const look = await lookOf(id)
    expect(look).toMatchObject({ frozen: 0, widths: [100, 100, 100, 100] })
    expect(look.bold.flat()).not.toContain(true)
    // An entry of that time has no dashes; without any, the database's copy counts.
    await service.owner.batch(id, {
      addSheet: { properties: { sheetId: 9, title: 'Later' } },
    })
    const target = { spreadsheet_id: id, sheet_id: 9, sheet_name: 'Later', start_cell: 'A1' }
    const previous = { sheet_id: 9, rect, head, fmt: 'd,t,n2' }
    await write(id, { target, previous })
    const { sheets } = Look.parse(
      await service.owner.ask('GET', `/v4/spreadsheets/${id}?includeGridData=true`),
    )
    expect(sheets[1]?.properties.gridProperties.frozenRowCount).toBe(0)
    expect(sheets[1]?.data[0]?.columnMetadata[0]?.pixelSize).toBe(100)
    expect(sheet_id).toBe(0)
  })

  it('freezes no rows far down, already frozen, cut through a merged cell or below another table', async () => {
    const frozen = async (id: string) => (await lookOf(id)).frozen
    const far = await spreadsheet()
    await write(far, { start_cell: 'A9' })
    expect(await frozen(far)).toBe(0)

    const own = await spreadsheet({ gridProperties: { rowCount: 50, columnCount: 9, frozenRowCount: 3 } })
    await write(own)
    expect(await frozen(own)).toBe(3)

    const merged = await spreadsheet()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 6, endColumnIndex: 7 }
    await service.owner.batch(merged, { mergeCells: { range, mergeType: 'MERGE_ALL' } })
    await write(merged)
    expect(await frozen(merged)).toBe(0)

    const shared = await spreadsheet()
    await write(shared, {
      start_cell: 'A3',
      other_tables: [{ report_id: 7, sheet_id: 0, rect: [0, 6, 9, 8] }],
    })
    expect(await frozen(shared)).toBe(0)

    const header = await spreadsheet({ gridProperties: { rowCount: 1, columnCount: 3 } })
    await write(header, { table: tableOf({ titles: TITLES.slice(0, 3), rows: [] }) })
    expect(await frozen(header)).toBe(0)
  })

  it('leaves the widths of columns alone that another report writes into as well', async () => {
    const id = await spreadsheet()
    await write(id, { other_tables: [{ report_id: 7, sheet_id: 0, rect: [20, 1, 30, 2] }] })
    expect((await lookOf(id)).widths).toEqual([95, 100, 64, 100])
  })

  it('is written into a partly protected tab without changing its layout', async () => {
    const id = await spreadsheet()
    const hole = { sheetId: 0, startRowIndex: 0, endRowIndex: 10, startColumnIndex: 0, endColumnIndex: 5 }
    await service.owner.batch(id, {
      addProtectedRange: { protectedRange: { range: { sheetId: 0 }, unprotectedRanges: [hole] } },
    })
    await write(id)
    expect(await lookOf(id)).toMatchObject({ frozen: 0, widths: [100, 100, 100, 100] })
    expect((await lookOf(id)).bold[0]).toEqual([true, true, true])
  })

  it('that moves is formatted at its new place', async () => {
    const id = await spreadsheet()
    await write(id)
    await write(id, { start_cell: 'B3' })
    const look = await lookOf(id)
    expect(look.frozen).toBe(1)
    expect(look.bold[2]).toEqual([false, true, true, true])
  })
})
