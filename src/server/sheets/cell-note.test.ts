import { describe, expect, it } from 'vitest'
import type { SheetsClient } from './client.ts'
import { SpreadsheetResponse } from './schema.ts'
import { PATHS } from './testing/faults.ts'
import { freely, OWNER } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'
import { tableOf } from './testing/table.ts'
import type { PreviousTable } from './work.ts'
import { writeTable, type WriteEffects, type WriteJob, type Written } from './write.ts'

const service = await testService()
const checked_at = freely(service.client()).now()

const paths = Object.keys(PATHS) as (keyof typeof PATHS)[]
const limitsOf = (path: keyof typeof PATHS) => ({ limits: PATHS[path] })

const table = (note: string | null, rows = 9) =>
  tableOf({
    titles: ['Campaign', 'Cost'],
    rows: Array.from({ length: rows }, (_, row) => [`C${row}`, row]),
    sizes: [5, 4],
    note,
  })

/** A spreadsheet of 108 cells, to which a report is written again and again. */
async function report(tab: object = { gridProperties: { rowCount: 18, columnCount: 6 } }) {
  const id = await service.owner.create(tab)
  await service.owner.share(id, service.system_user)
  let previous: PreviousTable | null = null
  let runs = 0
  const job = (more: Partial<WriteJob> & { start_cell?: string; sheet_name?: string }): WriteJob => ({
    table: table(null),
    target: {
      spreadsheet_id: id,
      sheet_id: more.sheet_name === 'Other' ? 5 : 0,
      sheet_name: more.sheet_name ?? 'T',
      start_cell: more.start_cell ?? 'A1',
    },
    format_table: false,
    report_id: 42,
    run_id: `run-${++runs}`,
    attempt: 1,
    previous,
    other_tables: [],
    checked_at,
    ...more,
  })
  const write = async (more: Parameters<typeof job>[0], effects: Partial<WriteEffects> = {}) => {
    const written: Written = await writeTable(job(more), freely(service.client(), effects))
    previous = written
    return written
  }
  return { id, job, write, forget: () => void (previous = null) }
}

const cell = (row: number, column: number) => ({
  sheetId: 0,
  startRowIndex: row,
  endRowIndex: row + 1,
  startColumnIndex: column,
  endColumnIndex: column + 1,
})

const setNote = (id: string, note: string, range = cell(0, 0)) =>
  service.owner.batch(id, { updateCells: { range, rows: [{ values: [{ note }] }], fields: 'note' } })

/** All notes of the file, by row and column. */
async function notesOf(id: string): Promise<Record<string, string>> {
  const fields = 'sheets(properties(sheetId,title),data.rowData.values.note)'
  const path = `/v4/spreadsheets/${id}?fields=${encodeURIComponent(fields)}`
  const { sheets } = SpreadsheetResponse.parse(await service.owner.ask('GET', path))
  return Object.fromEntries(
    sheets.flatMap(({ properties, data }) =>
      (data[0]?.rowData ?? []).flatMap(({ values }, row) =>
        values.flatMap(({ note }, column) =>
          note ? [[`${properties.title}!${'ABCDEF'[column]}${row + 1}`, note]] : [],
        ),
      ),
    ),
  )
}

/** The requests of the product since the last call, without those for access. */
const methods = () =>
  service
    .takeRequests()
    .filter(request => !request.includes('/token'))
    .map(request =>
      request
        .split(/[ ?]/, 2)
        .join(' ')
        .replace(/spreadsheets\/[\w-]+/, ''),
    )

describe.each(paths)('a note, by way of %s', path => {
  const effects = limitsOf(path)

  it('is set with the table, changes with it and goes with it', async () => {
    const { id, write } = await report()
    expect(await write({ table: table('one') }, effects)).toMatchObject({ note: 'one', notes: [] })
    expect(await notesOf(id)).toEqual({ 'T!A1': 'one' })
    expect(await write({ table: table('two', 12) }, effects)).toMatchObject({ note: 'two', notes: [] })
    expect(await notesOf(id)).toEqual({ 'T!A1': 'two' })
    expect(await write({ table: table(null, 5) }, effects)).toMatchObject({ note: null, notes: [] })
    expect(await notesOf(id)).toEqual({})
  })

  it('of somebody else stays, and the run says so', async () => {
    const { id, write } = await report()
    await setNote(id, 'ask Mei before changing')
    const unchanged = { note: null, notes: [{ code: 'note_kept', detail: { ranges: 'A1' } }] }
    expect(await write({ table: table('one') }, effects)).toMatchObject(unchanged)
    expect(await write({ table: table('two') }, effects)).toMatchObject(unchanged)
    expect(await write({ table: table(null) }, effects)).toMatchObject({ note: null, notes: [] })
    expect(await notesOf(id)).toEqual({ 'T!A1': 'ask Mei before changing' })
    await setNote(id, '')
    expect(await write({ table: table('three') }, effects)).toMatchObject({ note: 'three', notes: [] })
  })

  it('that somebody has edited is theirs', async () => {
    const { id, write } = await report()
    await write({ table: table('one') }, effects)
    await setNote(id, 'one, but please check Monday')
    expect((await write({ table: table('two') }, effects)).notes).toMatchObject([{ code: 'note_kept' }])
    await write({ table: table(null) }, effects)
    await write({ table: table(null), start_cell: 'B3' }, effects)
    expect(await notesOf(id)).toEqual({ 'T!A1': 'one, but please check Monday' })
  })

  it('moves with the table', async () => {
    const { id, write } = await report()
    await write({ table: table('one') }, effects)
    await write({ table: table('two'), start_cell: 'C4' }, effects)
    expect(await notesOf(id)).toEqual({ 'T!C4': 'two' })
    await write({ table: table(null), start_cell: 'B2' }, effects)
    expect(await notesOf(id)).toEqual({})
  })

  it('is reported by a second attempt as by the first', async () => {
    const { id, job } = await report()
    const once = job({ table: table('one') })
    const again = job({ table: table('two') })
    for (const each of [once, again]) {
      const first = await writeTable(each, freely(service.client(), effects))
      const second = await writeTable({ ...each, attempt: 2 }, freely(service.client(), effects))
      expect([second.note, second.notes]).toEqual([first.note, first.notes])
      await setNote(id, 'mine')
    }
    expect(await notesOf(id)).toEqual({ 'T!A1': 'mine' })
  })
})

describe('a note', () => {
  it('stays where its table stays: in another tab', async () => {
    const { id, write } = await report()
    await service.owner.batch(id, { addSheet: { properties: { sheetId: 5, title: 'Other' } } })
    await write({ table: table('one') })
    await write({ table: table('two'), sheet_name: 'Other' })
    expect(await notesOf(id)).toEqual({ 'T!A1': 'one', 'Other!A1': 'two' })
  })

  it('is recognised by the tab alone or by the database alone', async () => {
    const { id, write, forget } = await report()
    await write({ table: table('one') })
    forget()
    expect(await write({ table: table('two') })).toMatchObject({ note: 'two' })
    forget()
    await write({ table: table(null) })
    expect(await notesOf(id)).toEqual({})
    await write({ table: table('three') })
    const entries = { developerMetadataLookup: { metadataKey: 'sheetcast.report.42' } }
    await service
      .client()
      .batchUpdate(id, [
        Buffer.from(JSON.stringify({ requests: [{ deleteDeveloperMetadata: { dataFilter: entries } }] })),
      ])
    expect(await write({ table: table('four') })).toMatchObject({ note: 'four', notes: [] })
  })

  it('is recognised though the service returns its line ends and blanks otherwise', async () => {
    const { id, write } = await report()
    await write({ table: table('Updated 9:00\r\nNext 10:00\n') })
    await setNote(id, 'Updated 9:00\nNext 10:00')
    expect(await write({ table: table('Updated 10:00') })).toMatchObject({ note: 'Updated 10:00' })
  })

  it('is on the first cell of merged ones, and below the end of the grid', async () => {
    const { id, write } = await report()
    const range = { ...cell(0, 0), endColumnIndex: 2 }
    await service.owner.batch(id, { mergeCells: { range, mergeType: 'MERGE_ALL' } })
    expect((await write({ table: table('one') })).notes).toMatchObject([{ code: 'merged_cells' }])
    await write({ table: table('two'), start_cell: 'B40' })
    expect(await notesOf(id)).toEqual({ 'T!B40': 'two' })
  })

  it('under a protection that the table has moved away from stays, and the table is written', async () => {
    const { id, write } = await report()
    await write({ table: table('one') })
    // Somebody has replaced the table, so it is not cleared either.
    await service.owner.put(id, "'T'!A1", [['my own list']])
    await service.owner.batch(id, {
      addProtectedRange: { protectedRange: { range: cell(0, 0), editors: { users: [OWNER] } } },
    })
    expect(await write({ table: table('two'), start_cell: 'D1' })).toMatchObject({ note: 'two' })
    expect(await notesOf(id)).toEqual({ 'T!A1': 'one', 'T!D1': 'two' })
  })

  it('that somebody sets while a large table is being staged stays', async () => {
    const { id, write } = await report()
    await write({ table: table('one') })
    const rows = [{ values: [{ note: 'mine' }] }]
    service.arm(2, {
      action: 'edit',
      requests: [{ updateCells: { range: cell(0, 0), rows, fields: 'note' } }],
    })
    const { note, notes } = await write({ table: table('two') }, limitsOf('staging tab'))
    expect([service.isArmed(), note, notes.map(({ code }) => code)]).toEqual([false, null, ['note_kept']])
    expect(await notesOf(id)).toEqual({ 'T!A1': 'mine' })
  })

  it('does not hide that there is no space: what is missing is counted after the refusal', async () => {
    const { id, write } = await report()
    await write({ table: table('one') })
    await service.owner.batch(id, {
      addSheet: {
        properties: { title: '__sheetcast_stage_42_7', gridProperties: { rowCount: 2, columnCount: 6 } },
      },
    })
    service.control.setCellLimit(132)
    try {
      // Of 108 and 12 cells, the second are of a staging tab that an attempt has left.
      await write({ table: table('two', 21) }, { limits: { cells: 132 } })
      expect(await notesOf(id)).toEqual({ 'T!A1': 'two' })
      await expect(write({ table: table('three', 22) }, { limits: { cells: 132 } })).rejects.toMatchObject({
        code: 'cell_limit',
        detail: { used: 132, needed: 138, limit: 132 },
      })
      expect(await notesOf(id)).toEqual({ 'T!A1': 'two' })
    } finally {
      service.control.setCellLimit(10_000_000)
    }
  })
})

/** A report's requests, write after write: with notes or without. */
async function requestsOf(note: string | null, effects: Partial<WriteEffects>) {
  const { write } = await report()
  service.takeRequests()
  const all: string[][] = []
  for (const [rows, start_cell] of [
    [9, 'A1'],
    [9, 'A1'],
    [5, 'A1'],
    [9, 'C2'],
  ] as const) {
    await write({ table: table(note && `${note} ${rows}`, rows), start_cell }, effects)
    all.push(methods())
  }
  return all
}

describe('the requests of a report', () => {
  it.each(['one request', 'staging tab'] as const)(
    'are no more with a note than without, by way of %s',
    async path => {
      const without = await requestsOf(null, limitsOf(path))
      const counts = (await requestsOf('one', limitsOf(path))).map(each => each.length)
      expect(counts).toEqual(counts.map((count, index) => Math.min(count, without[index]?.length ?? 0)))
    },
  )

  it('are no more for a table that grows beyond the grid', async () => {
    const { write } = await report()
    await write({ table: table('one') })
    service.takeRequests()
    await write({ table: table('two', 30) })
    expect(methods()).toEqual(['GET /v4/', 'POST /v4/:batchUpdate'])
  })

  it('are those of a product without notes when it has none', async () => {
    const sent: unknown[] = []
    const client: SheetsClient = {
      ...service.client(),
      async getSpreadsheet(id, query, signal) {
        sent.push(query)
        return service.client().getSpreadsheet(id, query, signal)
      },
      async batchUpdate(id, body) {
        sent.push(Buffer.concat(body).toString().replaceAll(id, 'ID'))
        await service.client().batchUpdate(id, body)
      },
    }
    const { write } = await report()
    const rows = (count: number) =>
      tableOf({ titles: ['a'], rows: Array.from({ length: count }, (_, row) => [row]) })
    await write({ table: rows(2) }, { client })
    await write({ table: rows(1) }, { client })
    expect(sent).toMatchInlineSnapshot(`
      [
        {
          "fields": "spreadsheetId,properties.title,namedRanges,sheets(properties(sheetId,title,sheetType,hidden,gridProperties),protectedRanges,merges,developerMetadata,tables)",
        },
        "{"requests":[{"updateCells":{"range":{"sheetId":0,"startRowIndex":2,"endRowIndex":3,"startColumnIndex":0,"endColumnIndex":1},"fields":"userEnteredValue"}},{"updateCells":{"range":{"sheetId":0,"startRowIndex":0,"endRowIndex":3,"startColumnIndex":0,"endColumnIndex":1},"rows":[{"values":[{"userEnteredValue":{"stringValue":"a"}}]},{"values":[{"userEnteredValue":{"numberValue":0}}]},{"values":[{"userEnteredValue":{"numberValue":1}}]}],"fields":"userEnteredValue"}},{"createDeveloperMetadata":{"developerMetadata":{"metadataId":1315296251,"metadataKey":"sheetcast.report.42","metadataValue":"{\\"v\\":1,\\"ss\\":\\"ID\\",\\"sheet\\":0,\\"run\\":\\"run-1\\",\\"n\\":1,\\"at\\":\\"2026-11-21T01:00:00.000Z\\",\\"rect\\":[0,0,3,1],\\"head\\":\\"DrW41vgbxnfaighW\\",\\"fmt\\":\\"t-\\"}","location":{"sheetId":0},"visibility":"PROJECT"}}}]}",
        {
          "fields": "spreadsheetId,properties.title,namedRanges,sheets(properties(sheetId,title,sheetType,hidden,gridProperties),protectedRanges,merges,developerMetadata,tables,data(startRow,startColumn,rowData.values.userEnteredValue))",
          "ranges": [
            "'T'!A1:A1",
          ],
        },
        "{"requests":[{"updateCells":{"range":{"sheetId":0,"startRowIndex":1,"endRowIndex":2,"startColumnIndex":0,"endColumnIndex":1},"fields":"userEnteredValue"}},{"updateCells":{"range":{"sheetId":0,"startRowIndex":2,"endRowIndex":3,"startColumnIndex":0,"endColumnIndex":1},"fields":"userEnteredValue"}},{"updateCells":{"range":{"sheetId":0,"startRowIndex":0,"endRowIndex":2,"startColumnIndex":0,"endColumnIndex":1},"rows":[{"values":[{"userEnteredValue":{"stringValue":"a"}}]},{"values":[{"userEnteredValue":{"numberValue":0}}]}],"fields":"userEnteredValue"}},{"createDeveloperMetadata":{"developerMetadata":{"metadataId":970027570,"metadataKey":"sheetcast.report.42","metadataValue":"{\\"v\\":1,\\"ss\\":\\"ID\\",\\"sheet\\":0,\\"run\\":\\"run-2\\",\\"n\\":2,\\"at\\":\\"2026-11-21T01:00:00.000Z\\",\\"rect\\":[0,0,2,1],\\"head\\":\\"DrW41vgbxnfaighW\\",\\"fmt\\":\\"t-\\"}","location":{"sheetId":0},"visibility":"PROJECT"}}}]}",
      ]
    `)
  })
})
