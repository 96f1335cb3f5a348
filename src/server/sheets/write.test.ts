import { describe, expect, it } from 'vitest'
import type { CellValue } from './body.ts'
import { OWNER, freely } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'
import { tableOf } from './testing/table.ts'
import { writeTable, type WriteEffects, type WriteJob } from './write.ts'

const service = await testService()

const TITLES = ['Date', 'Campaign', 'Cost']
const formats = [{ kind: 'day' }, { kind: 'text' }, { kind: 'number', digits: 2 }] as const
const rows = (count: number, mark = '') =>
  Array.from({ length: count }, (_, row): CellValue[] => [
    46_023 + row,
    `C${row}${mark}`,
    row === 1 ? '' : row / 4,
  ])
const table = (count: number, mark = '') =>
  tableOf({ titles: TITLES, rows: rows(count, mark), formats: [...formats] })
const cells = (count: number, mark = '') => [TITLES, ...rows(count, mark)]

async function spreadsheet(tab: object = {}) {
  const id = await service.owner.create(tab)
  await service.owner.share(id, service.system_user)
  return id
}

let runs = 0
function job(spreadsheet_id: string, more: Partial<WriteJob> = {}): WriteJob {
  return {
    table: table(4),
    target: { spreadsheet_id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' },
    format_table: true,
    report_id: 42,
    run_id: `run-${++runs}`,
    attempt: 1,
    previous: null,
    other_tables: [],
    ...more,
  }
}
const write = (writeJob: WriteJob, more: Partial<WriteEffects> = {}) =>
  writeTable(writeJob, freely(service.client(), more))

describe('writing a table', () => {
  it('puts header and rows at the start cell, dates as numbers with their format', async () => {
    const id = await spreadsheet()
    const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'c5' }
    const written = await write(job(id, { target }))
    expect(written).toMatchObject({
      sheet_id: 0,
      sheet_name: 'T',
      rect: [4, 2, 9, 5],
      fmt: 'd,t,n2',
      notes: [],
    })
    expect((await service.owner.values(id, "'T'")).slice(4).map(row => row.slice(2))).toEqual([
      TITLES,
      [46_023, 'C0', 0],
      [46_024, 'C1'],
      [46_025, 'C2', 0.5],
      [46_026, 'C3', 0.75],
    ])
    const reply = await service.owner.ask(
      'GET',
      `/v4/spreadsheets/${id}/values/${encodeURIComponent("'T'!C6:E6")}`,
    )
    expect(reply).toMatchObject({ values: [['2026-01-01', 'C0', '0.00']] })
  })

  it('sends one read and one write when the file was checked lately', async () => {
    const id = await spreadsheet()
    service.takeRequests()
    const checked_at = new Date('2026-11-21T00:59:00Z')
    const first = await write(job(id, { checked_at }))
    const { sheet_id, rect, head, fmt } = first
    const previous = { sheet_id, rect, head, fmt }
    await write(job(id, { table: table(9), checked_at, previous }))
    await write(job(id, { table: table(2), checked_at, previous: { ...previous, rect: [0, 0, 10, 3] } }))
    const requests = service.takeRequests().filter(request => !request.startsWith('POST /token'))
    expect(requests.map(request => request.split(' ')[0])).toEqual([
      'GET',
      'POST',
      'GET',
      'POST',
      'GET',
      'POST',
    ])
    expect(await service.owner.values(id, "'T'")).toEqual(
      cells(2).map(row => row.filter(each => each !== '')),
    )
  })

  // A tenth of the real table and of the real limits. Chunks of short cells have more of them than a request
  // may have.
  it.each([
    ['small chunks', 200, (row: number) => row * 17],
    ['chunks of the size of a request', 1600, (row: number) => row * 17],
    ['chunks of short cells', 3000, (row: number) => row % 10],
  ])('sends a large table in hardly more requests than it needs, from %s', async (_, size, cell) => {
    const id = await spreadsheet()
    const titles = Array.from({ length: 12 }, (_title, column) => `c${column}`)
    const large = tableOf({
      titles,
      rows: Array.from({ length: 20_000 }, (_row, row) =>
        titles.map((_title, column) =>
          column < 3 && size < 3000 ? `廣告活動 ${row % 97}` : cell(row * column),
        ),
      ),
      sizes: Array.from({ length: Math.floor(20_000 / size) }, () => size),
    })
    let bytes = 0
    for await (const chunk of large.chunks()) bytes += chunk.json.length
    service.takeRequests()
    const limits = { small_cells: 10_000, chunk: { bytes: 200_000, cells: 25_000 } }
    await write(job(id, { table: large }), { limits })
    const writes = service.takeRequests().filter(request => /^(PUT|POST \/v4)/.test(request))
    const needed = Math.max(1.15 * (bytes / 200_000), Math.ceil((20_001 * 12) / 24_996))
    expect(writes.length).toBeLessThanOrEqual(needed + 2)
    expect(writes.length).toBeLessThanOrEqual(25)
  })

  it.each([
    ['in one request', {}],
    ['in chunks', { small_cells: 10, chunk: { bytes: 2000, cells: 90 } }],
    ['in one request of values, without room', { small_cells: 10, cells: 26_100 }],
  ])(
    'reads a stored table once, though its first rows say how wide the columns are: %s',
    async (_, limits) => {
      const id = await spreadsheet()
      const stored = tableOf({ titles: TITLES, rows: rows(200), formats: [...formats], sizes: [70, 70] })
      const read: number[] = []
      const counted = async function* () {
        for await (const chunk of stored.chunks()) {
          read.push(chunk.first_row)
          yield chunk
        }
      }
      await write(job(id, { table: { ...stored, chunks: counted } }), { limits })
      expect(read).toEqual([0, 70, 140])
      expect(await service.owner.values(id, "'T'!A4:C201")).toEqual(cells(200).slice(3))
    },
  )

  it('clears what the last table leaves behind, and nothing else', async () => {
    const id = await spreadsheet({ gridProperties: { rowCount: 120, columnCount: 10 } })
    await write(job(id, { table: tableOf({ titles: ['a', 'b', 'c', 'd', 'e'], rows: wide(100, 5) }) }))
    await service.owner.put(id, "'T'!G80", [['mine']])
    const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await write(job(id, { table: tableOf({ titles, rows: wide(50, 8) }) }))
    const values = await service.owner.values(id, "'T'")
    expect(values.slice(0, 51)).toEqual([titles, ...wide(50, 8)])
    expect(values.slice(51).flat().filter(Boolean)).toEqual(['mine'])
  })

  it('leaves formulas, formats, widths, notes and merges of the user alone for three runs', async () => {
    const id = await spreadsheet({ gridProperties: { rowCount: 30, columnCount: 8 } })
    await write(job(id, { table: table(3) }))
    const bold = { userEnteredFormat: { textFormat: { bold: true } } }
    const at = (r0: number, c0: number, r1: number, c1: number) => ({
      sheetId: 0,
      startRowIndex: r0,
      endRowIndex: r1,
      startColumnIndex: c0,
      endColumnIndex: c1,
    })
    await service.owner.put(id, "'T'!F1", [['=SUM(C2:C4)'], ['keep'], [7]])
    await service.owner.batch(
      id,
      { repeatCell: { range: at(0, 0, 2, 3), cell: bold, fields: 'userEnteredFormat.textFormat' } },
      {
        repeatCell: {
          range: at(1, 2, 2, 3),
          cell: { userEnteredFormat: { numberFormat: { type: 'NUMBER', pattern: '0.0' } } },
          fields: 'userEnteredFormat.numberFormat',
        },
      },
      { updateCells: { range: at(2, 5, 3, 6), rows: [{ values: [{ note: 'hands off' }] }], fields: 'note' } },
      {
        updateDimensionProperties: {
          range: { sheetId: 0, dimension: 'COLUMNS', startIndex: 1, endIndex: 2 },
          properties: { pixelSize: 333 },
          fields: 'pixelSize',
        },
      },
      { mergeCells: { range: at(20, 0, 22, 2), mergeType: 'MERGE_ALL' } },
      { addNamedRange: { namedRange: { name: 'Costs', range: at(1, 2, 4, 3) } } },
    )
    const before = await service.owner.document(id)
    for (let run = 0; run < 3; run++) await write(job(id, { table: table(3) }))
    expect(await service.owner.document(id)).toEqual(before)
  })

  it.each([
    ['small', {}],
    ['large', { small_cells: 10 }],
  ])('takes every text literally (%s path)', async (_path, limits) => {
    const count = process.env.LONG ? 50_000 : 400
    const texts = formulaLike(count)
    const id = await spreadsheet()
    const lines = texts.map((text): CellValue[] => [text])
    await write(job(id, { table: tableOf({ titles: ['a'], rows: lines, sizes: [50, 150] }) }), { limits })
    expect(await service.owner.values(id, "'T'")).toEqual([['a'], ...lines])
  })

  it.each([
    "O'Brien",
    'a/b',
    'CO2',
    '工作表1',
    'x!y',
    'full：colon',
    'Spend',
    ' spaced ',
    'R1C1',
    '"q" & %41',
  ])('finds the tab %j on both paths', async title => {
    const id = await spreadsheet({ title })
    await service.owner.batch(id, {
      addSheet: { properties: { sheetId: 5, title: 'Other' } },
    })
    await service.owner.batch(id, {
      addNamedRange: {
        namedRange: { name: 'Spend', range: { sheetId: 5, startRowIndex: 0, endRowIndex: 1 } },
      },
    })
    const target = { spreadsheet_id: id, sheet_id: null, sheet_name: title, start_cell: 'A1' }
    await write(job(id, { target, table: table(3) }))
    await write(job(id, { target, table: table(2) }), { limits: { small_cells: 3 } })
    const quoted = `'${title.replaceAll("'", "''")}'`
    expect(await service.owner.values(id, quoted)).toEqual(
      cells(2).map(row => row.filter(each => each !== '')),
    )
    expect(await service.owner.values(id, "'Other'")).toEqual([])
  })

  it('grows the grid as far as needed and no further', async () => {
    const id = await spreadsheet({ gridProperties: { rowCount: 5, columnCount: 2 } })
    const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'B3' }
    await write(job(id, { target, table: table(7) }))
    expect(await service.owner.document(id)).toMatchObject({
      sheets: [{ properties: { gridProperties: { rowCount: 10, columnCount: 4 } } }],
    })
  })

  it('moves the table when the start cell moves', async () => {
    const id = await spreadsheet()
    await write(job(id))
    const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'B3' }
    await write(job(id, { target, table: table(2) }))
    const read = await service.owner.values(id, "'T'")
    expect(read).toEqual([[], [], ...cells(2).map(row => ['', ...row.filter(each => each !== '')])])
  })

  it('does nothing when the run was written before', async () => {
    const id = await spreadsheet()
    const once = job(id)
    await write(once)
    service.takeRequests()
    const again = await write({ ...once, attempt: 2 })
    expect(again.rect).toEqual([0, 0, 5, 3])
    expect(
      service.takeRequests().filter(request => !request.startsWith('GET') && !request.includes('/token')),
    ).toEqual([])
  })

  it('leaves the rest of a table alone whose header somebody has moved or changed', async () => {
    const id = await spreadsheet()
    await write(job(id, { table: table(8) }))
    await service.owner.put(id, "'T'!A1", [['my own list']])
    const { notes } = await write(job(id, { table: table(2) }))
    expect(notes).toEqual([{ code: 'old_table_changed', detail: { ranges: 'A1:C9' } }])
    expect((await service.owner.values(id, "'T'")).slice(3).map(row => row[1])).toEqual([
      'C2',
      'C3',
      'C4',
      'C5',
      'C6',
      'C7',
    ])
  })

  it('warns of merged cells under the table', async () => {
    const id = await spreadsheet()
    const range = { sheetId: 0, startRowIndex: 1, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 2 }
    await service.owner.batch(id, { mergeCells: { range, mergeType: 'MERGE_ALL' } })
    const { notes } = await write(job(id))
    expect(notes).toEqual([{ code: 'merged_cells', detail: { ranges: 'A2:B3' } }])
  })

  it('deletes the staging tabs that earlier attempts left, and keeps few entries of its own', async () => {
    const id = await spreadsheet()
    await service.owner.batch(id, { addSheet: { properties: { title: '__sheetcast_stage_42_7' } } })
    await service.owner.batch(id, { addSheet: { properties: { title: '__sheetcast_stage_43_1' } } })
    for (let run = 0; run < 6; run++) await write(job(id, { table: table(run + 1) }))
    const read = await service.client().getSpreadsheet(id, {
      fields: 'sheets(properties(sheetId,title),developerMetadata)',
    })
    expect(read.sheets.map(sheet => sheet.properties.title)).toEqual(['T', '__sheetcast_stage_43_1'])
    expect(read.sheets[0]?.developerMetadata).toHaveLength(3)
  })

  it('frees space before it creates a staging tab: there are never two', async () => {
    const id = await spreadsheet()
    await service.owner.batch(id, { addSheet: { properties: { title: '__sheetcast_stage_42_7' } } })
    const stagingTabs = async () => {
      const document = JSON.stringify(await service.owner.document(id))
      return document.match(/"__sheetcast_stage_/g)?.length ?? 0
    }
    const counts: number[] = []
    service.watch(async () => {
      counts.push(await stagingTabs())
    })
    await write(job(id, { attempt: 8 }), { limits: { small_cells: 3 } })
    service.watch(null)
    expect(new Set(counts)).toEqual(new Set([1]))
    expect(await stagingTabs()).toBe(0)
  })
})

/** The refusal of a write; nothing was sent that could change anything, and nothing has changed. */
async function refused(writeJob: WriteJob, more: Partial<WriteEffects> = {}) {
  const before = await service.owner.document(writeJob.target.spreadsheet_id).catch(() => null)
  service.takeRequests()
  const failure: unknown = await write(writeJob, more).catch((error: unknown) => error)
  const sent = service
    .takeRequests()
    .filter(request => /^(PUT|POST)/.test(request) && !request.includes('/token'))
  expect(sent).toEqual([])
  expect(await service.owner.document(writeJob.target.spreadsheet_id).catch(() => null)).toEqual(before)
  return failure
}

describe('a table that cannot be written', () => {
  const at = (spreadsheet_id: string, more: object) => ({
    target: { spreadsheet_id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1', ...more },
  })

  it.each([
    ['A0', 'start_cell_format'],
    ['1A', 'start_cell_format'],
    ['AAAA1', 'start_cell_format'],
    ['', 'start_cell_not_set'],
  ])('for its start cell %j', async (start_cell, code) => {
    const id = await spreadsheet()
    expect(await refused(job(id, at(id, { start_cell })))).toMatchObject({ code })
  })

  it('for its tab: none chosen, a colon, deleted, renamed', async () => {
    const id = await spreadsheet()
    expect(await refused(job(id, at(id, { sheet_name: '' })))).toMatchObject({ code: 'page_not_set' })
    expect(await refused(job(id, at(id, { sheet_name: 'a:b' })))).toMatchObject({ code: 'sheet_name_colon' })
    expect(await refused(job(id, at(id, { sheet_id: 77, sheet_name: 'Gone' })))).toMatchObject({
      code: 'sheet_name_mismatch',
    })
    await service.owner.batch(id, {
      updateSheetProperties: { properties: { sheetId: 0, title: 'Renamed' }, fields: 'title' },
    })
    expect(await refused(job(id, at(id, {})))).toMatchObject({
      code: 'sheet_name_mismatch',
      detail: { new_name: 'Renamed' },
    })
    const previous = { sheet_id: 0, rect: [0, 0, 99, 3] as [number, number, number, number], head: 'x' }
    expect(await refused(job(id, { ...at(id, {}), previous }))).toMatchObject({ code: 'sheet_name_mismatch' })
  })

  it('for the file: not shared, view only, in the bin, locked, an Office file', async () => {
    const alone = await service.owner.create()
    expect(await refused(job(alone))).toMatchObject({ code: 'spreadsheet_not_shared' })
    expect(await refused(job('1'.repeat(44)))).toMatchObject({ code: 'spreadsheet_not_shared' })
    await service.owner.share(alone, service.system_user, 'reader')
    expect(await refused(job(alone))).toMatchObject({ code: 'spreadsheet_not_editor' })
    const binned = await spreadsheet()
    await service.owner.ask('PATCH', `/drive/v3/files/${binned}`, { trashed: true })
    expect(await refused(job(binned))).toMatchObject({ code: 'spreadsheet_not_shared', why: 'trashed' })
  })

  it('for a permission that was revoked after the file was checked', async () => {
    const id = await service.owner.create()
    await service.owner.share(id, service.system_user, 'reader')
    const failure = await write(job(id, { checked_at: new Date('2026-11-21T00:59:00Z') })).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'spreadsheet_not_editor', ambiguous: false })
  })

  it('for a protected range, named in the refusal', async () => {
    const id = await spreadsheet()
    const range = { sheetId: 0, startRowIndex: 2, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 5 }
    const protectedRange = { range, description: 'Totals', editors: { users: [OWNER] } }
    await service.owner.batch(id, { addProtectedRange: { protectedRange } })
    expect(await refused(job(id))).toMatchObject({
      code: 'protected_range',
      detail: { description: 'Totals', range: 'A3:E3' },
    })
    expect((await write(job(id, { ...at(id, { start_cell: 'A4' }) }))).rect).toEqual([3, 0, 8, 3])
  })

  it('for a protected named range, by its name', async () => {
    const id = await spreadsheet()
    const range = { sheetId: 0, startRowIndex: 2, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 5 }
    await service.owner.batch(
      id,
      { addNamedRange: { namedRange: { namedRangeId: 'totals', name: 'Totals', range } } },
      { addNamedRange: { namedRange: { namedRangeId: 'free', name: 'Free', range } } },
      { addProtectedRange: { protectedRange: { namedRangeId: 'totals', editors: { users: [OWNER] } } } },
    )
    const failure = { code: 'named_range', detail: { names: ['Totals'], range: 'A3:E3' } }
    expect(await refused(job(id))).toMatchObject(failure)
    await service.owner.batch(id, { deleteNamedRange: { namedRangeId: 'free' } })
    expect(await refused(job(id))).toMatchObject(failure)
  })

  it("for another report's table", async () => {
    const id = await spreadsheet()
    const other_tables = [
      { report_id: 7, name: 'Costs', sheet_id: 0, rect: [4, 2, 9, 9] as [number, number, number, number] },
    ]
    expect(await refused(job(id, { other_tables }))).toMatchObject({
      code: 'target_overlap',
      detail: { report_id: 7, name: 'Costs', range: 'C5:I9' },
    })
    expect(
      (await write(job(id, { other_tables: other_tables.map(one => ({ ...one, sheet_id: 1 })) }))).sheet_id,
    ).toBe(0)
  })

  it('for lack of cells, counted over all tabs before any write', async () => {
    const id = await spreadsheet({ gridProperties: { rowCount: 10, columnCount: 10 } })
    await service.owner.batch(id, {
      addSheet: { properties: { title: 'Other', gridProperties: { rowCount: 80, columnCount: 10 } } },
    })
    const big = job(id, { table: tableOf({ titles: ['a', 'b', 'c'], rows: wide(20, 3) }) })
    expect(await refused(big, { limits: { cells: 1009 } })).toMatchObject({
      code: 'cell_limit',
      detail: { used: 900, needed: 1010, limit: 1009 },
    })
    expect((await write(big, { limits: { cells: 1010 } })).rect).toEqual([0, 0, 21, 3])
  })

  it('for lack of columns', async () => {
    const id = await spreadsheet()
    expect(await refused(job(id, at(id, { start_cell: 'ZZY1' })))).toMatchObject({ code: 'cell_limit' })
  })

  it('for a large table that fits neither beside a staging copy nor in one request', async () => {
    const id = await spreadsheet({ gridProperties: { rowCount: 10, columnCount: 10 } })
    const big = job(id, { table: tableOf({ titles: ['a', 'b', 'c'], rows: wide(20, 3) }) })
    const limits = { cells: 250, small_cells: 10, no_room_cells: 20 }
    expect(await refused(big, { limits })).toMatchObject({
      code: 'cell_limit',
      detail: { used: 100, limit: 250 },
    })
    // One atomic request of values is the alternative when it is large enough.
    expect((await write(big, { limits: { cells: 250, small_cells: 10 } })).rect).toEqual([0, 0, 21, 3])
    expect(await service.owner.values(id, "'T'")).toEqual([['a', 'b', 'c'], ...wide(20, 3)])
  })
})

const wide = (count: number, columns: number) =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (_each, column) => `${row}.${column}`),
  )

function formulaLike(count: number): string[] {
  const heads = ['=', '+', '-', '@', "'", '\t', '\n', '"', '==', '=+', '-=', '%', '#', '{', '\\']
  const tails = [
    'HYPERLINK("http://x","y")',
    '1',
    'a',
    '1+1',
    'IMPORTXML("http://x","//a")',
    'SUM(A1:A9)',
    '"q',
    'REF!',
    '=',
    "cmd|'/c calc'!A0",
    '007',
    '2026-01-01',
    '１',
    '😀',
    '\u2028',
    'TRUE',
    '1e5',
    ' ',
  ]
  return Array.from({ length: count }, (_, index) => {
    const head = heads[index % heads.length] ?? ''
    const tail = tails[Math.floor(index / heads.length) % tails.length] ?? ''
    return `${head}${tail}${index >= heads.length * tails.length ? index : ''}`
  })
}
