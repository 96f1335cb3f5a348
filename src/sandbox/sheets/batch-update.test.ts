import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, refusal, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
})
afterAll(() => harness.stop())

const text = (stringValue: string) => ({ userEnteredValue: { stringValue } })
const number = (numberValue: number) => ({ userEnteredValue: { numberValue } })
const rect = (
  r0: number,
  c0: number,
  { r1, c1, sheetId = 0 }: { r1: number; c1: number; sheetId?: number },
) => ({
  sheetId,
  startRowIndex: r0,
  endRowIndex: r1,
  startColumnIndex: c0,
  endColumnIndex: c1,
})

describe('a batch', () => {
  it('changes nothing when one request is invalid, and says which', async () => {
    const id = await harness.create()
    const rows = [{ values: [text('x')] }]
    const failing = harness.batch(
      id,
      { updateCells: { range: rect(0, 0, { r1: 1, c1: 1 }), rows, fields: 'userEnteredValue' } },
      { deleteSheet: { sheetId: 123 } },
    )
    expect((await refusal(failing)).message).toBe('Invalid requests[1].deleteSheet: No sheet with id: 123')
    expect(await harness.values(id, 'A1')).toBeUndefined()
  })

  it('returns one reply per request', async () => {
    const id = await harness.create()
    const { data } = await harness.batch(
      id,
      { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 5 } },
      {
        addSheet: {
          properties: {
            sheetId: 7,
            title: 'B',
            hidden: true,
            gridProperties: { rowCount: 3, columnCount: 2 },
          },
        },
      },
    )
    expect(data).toEqual({
      spreadsheetId: id,
      replies: [
        {},
        {
          addSheet: {
            properties: {
              sheetId: 7,
              title: 'B',
              index: 1,
              sheetType: 'GRID',
              gridProperties: { rowCount: 3, columnCount: 2 },
              hidden: true,
            },
          },
        },
      ],
    })
  })

  it.each([
    [{ requests: [] }, 'Must specify at least one request.'],
    [
      { requests: [{ frobnicate: {} }] },
      'Invalid JSON payload received. Unknown name "frobnicate" at \'requests[0]\': Cannot find field.',
    ],
    [
      { requests: [{ updateCells: { range: { sheetId: 0, start: 1 } } }] },
      'Invalid JSON payload received. Unknown name "start" at \'requests[0].update_cells.range\': Cannot find field.',
    ],
    [
      { requests: [{ updateCells: { range: { sheetId: 0 } } }] },
      "Invalid requests[0].updateCells: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
    ],
    [
      { requests: [{ appendDimension: { sheetId: 5, dimension: 'ROWS', length: 1 } }] },
      'Invalid requests[0].appendDimension: No grid with id: 5',
    ],
    [{ requests: [{ autoFill: {} }] }, 'Not supported by the embedded spreadsheet service: autoFill'],
    [
      { requests: [{ appendDimension: { dimension: 'ROWZ' } }] },
      'Invalid value at \'requests[0].append_dimension.dimension\' (type.googleapis.com/google.apps.sheets.v4.Dimension), "ROWZ"',
    ],
  ])('refuses %j', async (requestBody, message) => {
    const id = await harness.create()
    const response = await fetch(`${harness.origin}/v4/spreadsheets/${id}:batchUpdate`, {
      method: 'POST',
      headers: { authorization: `Bearer sandbox-user:${OWNER}` },
      body: JSON.stringify(requestBody),
    })
    expect(await response.json()).toMatchObject({ error: { message } })
  })
})

describe('updateCells', () => {
  it('clears the masked fields of cells in the range that the rows do not reach, and nothing else', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ])
    const format = { numberFormat: { type: 'NUMBER', pattern: '0.00' } }
    await harness.batch(
      id,
      {
        repeatCell: {
          range: rect(0, 0, { r1: 3, c1: 3 }),
          cell: { userEnteredFormat: format },
          fields: 'userEnteredFormat.numberFormat',
        },
      },
      {
        updateCells: {
          range: rect(0, 0, { r1: 2, c1: 2 }),
          rows: [{ values: [text('=SALE')] }],
          fields: 'userEnteredValue',
        },
      },
    )
    expect(await harness.values(id, 'A1:C3', 'FORMATTED_VALUE')).toEqual([
      ['=SALE', '', '3.00'],
      ['', '', '6.00'],
      ['7.00', '8.00', '9.00'],
    ])
    await harness.write(id, 'B1', [[5]])
    expect(await harness.values(id, 'B1', 'FORMATTED_VALUE')).toEqual([['5.00']])
  })

  it('replaces a tall table by a wide one without touching what belongs to neither', async () => {
    const id = await harness.create()
    const oldRows = Array.from({ length: 100 }, (_, i) => [i, i, i, i, i])
    await harness.write(id, 'A1', oldRows)
    await harness.write(id, 'G80', [['mine']])
    const rows = Array.from({ length: 50 }, (_, i) => ({
      values: Array.from({ length: 8 }, () => number(-i)),
    }))
    await harness.batch(
      id,
      { updateCells: { range: rect(0, 0, { r1: 100, c1: 5 }), fields: 'userEnteredValue' } },
      { updateCells: { range: rect(0, 0, { r1: 50, c1: 8 }), rows, fields: 'userEnteredValue' } },
    )
    expect(await harness.values(id, 'A51:F100')).toBeUndefined()
    expect(await harness.values(id, 'G80')).toEqual([['mine']])
    expect(await harness.values(id, 'H50')).toEqual([[-49]])
  })

  it('is clipped at the end of the grid and refused where it starts outside', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 10, columnCount: 3 } })
    const clear = (r0: number) =>
      harness.batch(id, {
        updateCells: { range: rect(r0, 0, { r1: 99, c1: 99 }), fields: 'userEnteredValue' },
      })
    await clear(9)
    expect((await refusal(clear(10))).message).toBe(
      'Invalid requests[0].updateCells: Range (T!A11:CU99) exceeds grid limits. Max rows: 10, max columns: 3',
    )
    const wide = {
      range: rect(0, 0, { r1: 1, c1: 9 }),
      rows: [{ values: Array.from({ length: 4 }, () => number(1)) }],
      fields: '*',
    }
    expect((await refusal(harness.batch(id, { updateCells: wide }))).message).toBe(
      'Invalid requests[0].updateCells: Attempting to write column: 3, beyond the last requested column of: 2',
    )
  })

  it('keeps notes until the mask names them', async () => {
    const id = await harness.create()
    await harness.batch(id, {
      updateCells: { start: { sheetId: 0 }, rows: [{ values: [{ ...text('a'), note: 'n' }] }], fields: '*' },
    })
    const note = async () => {
      const fields = 'sheets.data.rowData.values.note'
      const { data } = await harness.owner.sheets.spreadsheets.get({
        spreadsheetId: id,
        ranges: ['A1'],
        fields,
      })
      return data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[0]?.note
    }
    await harness.batch(id, {
      updateCells: { range: rect(0, 0, { r1: 1, c1: 1 }), fields: 'userEnteredValue' },
    })
    expect(await note()).toBe('n')
    await harness.batch(id, { updateCells: { range: rect(0, 0, { r1: 1, c1: 1 }), fields: '*' } })
    expect(await note()).toBeUndefined()
  })

  it('moves notes with their cells, and copies them unless only values or formats are pasted', async () => {
    const id = await harness.create()
    const notes = async () => {
      const fields = 'sheets.data.rowData.values.note'
      const { data } = await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id, fields })
      return (data.sheets?.[0]?.data?.[0]?.rowData ?? []).map(row => row.values?.map(({ note = '' }) => note))
    }
    const setNote = (note: string) =>
      harness.batch(id, {
        updateCells: { start: { sheetId: 0 }, rows: [{ values: [{ note }] }], fields: 'note' },
      })
    await setNote('n')
    const paste = (r0: number, pasteType: string) =>
      harness.batch(id, {
        copyPaste: {
          source: rect(0, 0, { r1: 1, c1: 1 }),
          destination: rect(r0, 0, { r1: r0 + 1, c1: 1 }),
          pasteType,
        },
      })
    for (const pasteType of ['PASTE_VALUES', 'PASTE_FORMAT', 'PASTE_FORMULA']) await paste(1, pasteType)
    expect(await notes()).toEqual([['n']])
    await paste(1, 'PASTE_NORMAL')
    expect(await notes()).toEqual([['n'], ['n']])
    await harness.batch(id, {
      insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 2 } },
    })
    await setNote('')
    expect(await notes()).toEqual([undefined, undefined, ['n']])
  })
})

describe('the grid', () => {
  it('grows at the end and stays within ten million cells, tabs together', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 1000, columnCount: 26 } })
    const grow = (length: number) =>
      harness.batch(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length } })
    expect((await refusal(grow(383_616))).message).toBe(
      'Invalid requests[0].appendDimension: This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
    )
    await grow(383_615)
    const wide = harness.batch(id, { appendDimension: { sheetId: 0, dimension: 'COLUMNS', length: 20_000 } })
    expect((await refusal(wide)).message).toContain('above the limit of 18278 columns')
  })

  it('obeys a lowered cell limit, whose message keeps the real number', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 10, columnCount: 10 } })
    harness.control.setCellLimit(200)
    const adding = harness.batch(id, {
      addSheet: { properties: { gridProperties: { rowCount: 11, columnCount: 10 } } },
    })
    expect((await refusal(adding)).message).toContain('above the limit of 10000000 cells')
    await harness.batch(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 10 } })
    harness.control.setCellLimit(10_000_000)
  })

  it('does not shrink into frozen rows', async () => {
    const id = await harness.create({
      title: 'T',
      gridProperties: { rowCount: 10, columnCount: 3, frozenRowCount: 2 },
    })
    const shrink = {
      properties: { sheetId: 0, gridProperties: { rowCount: 2 } },
      fields: 'gridProperties.rowCount',
    }
    expect((await refusal(harness.batch(id, { updateSheetProperties: shrink }))).message).toContain(
      'not possible to delete all non-frozen rows',
    )
  })

  it('loses what lies beyond when it shrinks', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 10, columnCount: 3 } })
    await harness.write(id, 'A1', [[1], [2], [3]])
    const size = (rowCount: number) => ({
      updateSheetProperties: {
        properties: { sheetId: 0, gridProperties: { rowCount } },
        fields: 'gridProperties.rowCount',
      },
    })
    await harness.batch(id, size(2), size(10))
    expect(await harness.values(id, 'T')).toEqual([[1], [2]])
  })
})

describe('tabs', () => {
  it('refuse a taken title, a taken id, and the loss of the last visible one', async () => {
    const id = await harness.create({ title: 'A' }, { title: 'B', sheetId: 5, hidden: true })
    const message = async (request: object) => (await refusal(harness.batch(id, request))).message
    expect(await message({ addSheet: { properties: { title: 'A' } } })).toBe(
      'Invalid requests[0].addSheet: A sheet with the name "A" already exists. Please enter another name.',
    )
    expect(await message({ addSheet: { properties: { sheetId: 5 } } })).toContain(
      'Sheet with id 5 already exists',
    )
    expect(await message({ deleteSheet: { sheetId: 0 } })).toContain(
      "You can't remove all the visible sheets",
    )
    const hide = { properties: { sheetId: 0, hidden: true }, fields: 'hidden' }
    expect(await message({ updateSheetProperties: hide })).toContain(
      "You can't hide all the sheets in a document.",
    )
  })

  it('are duplicated with cells, and copied to another spreadsheet with formats', async () => {
    const id = await harness.create({ title: 'A' })
    await harness.write(id, 'A1', [['2026-09-05']], 'USER_ENTERED')
    const { data } = await harness.batch(id, { duplicateSheet: { sourceSheetId: 0, newSheetName: 'Again' } })
    expect(data.replies?.[0]?.duplicateSheet?.properties).toMatchObject({ title: 'Again', index: 0 })
    expect(await harness.values(id, 'Again!A1')).toEqual([[46_270]])
    const other = await harness.create({ title: 'X' })
    const copied = await harness.owner.sheets.spreadsheets.sheets.copyTo({
      spreadsheetId: id,
      sheetId: 0,
      requestBody: { destinationSpreadsheetId: other },
    })
    expect(copied.data.title).toBe('Copy of A')
    expect(await harness.values(other, "'Copy of A'!A1", 'FORMATTED_VALUE')).toEqual([['2026-09-05']])
  })
})

describe('copyPaste', () => {
  it("pastes values of a staging tab, text staying text and formats staying the target's", async () => {
    const id = await harness.create({ title: 'T' }, { title: 'S', sheetId: 9 })
    await harness.write(id, 'S!A1', [
      ['=1+1', 46_023],
      ['b', 2],
    ])
    const date = { numberFormat: { type: 'DATE', pattern: 'yyyy-mm-dd' } }
    await harness.batch(
      id,
      {
        repeatCell: {
          range: rect(2, 3, { r1: 4, c1: 4 }),
          cell: { userEnteredFormat: date },
          fields: 'userEnteredFormat.numberFormat',
        },
      },
      {
        copyPaste: {
          source: rect(0, 0, { r1: 2, c1: 2, sheetId: 9 }),
          destination: rect(2, 2, { r1: 4, c1: 4 }),
          pasteType: 'PASTE_VALUES',
        },
      },
      { deleteSheet: { sheetId: 9 } },
    )
    expect(await harness.values(id, 'T!C3:D4', 'FORMATTED_VALUE')).toEqual([
      ['=1+1', '2026-01-01'],
      ['b', '1900-01-01'],
    ])
  })

  it('repeats into a multiple, overlaps safely, and moves relative references', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [[1, '=A1*2'], [2]], 'USER_ENTERED')
    await harness.batch(id, {
      copyPaste: { source: rect(0, 0, { r1: 1, c1: 2 }), destination: rect(2, 0, { r1: 4, c1: 2 }) },
    })
    expect(await harness.values(id, 'A1:B4', 'FORMULA')).toEqual([
      [1, '=A1*2'],
      [2],
      [1, '=A3*2'],
      [1, '=A4*2'],
    ])
    await harness.batch(id, {
      copyPaste: { source: rect(0, 0, { r1: 3, c1: 1 }), destination: rect(1, 0, { r1: 4, c1: 1 }) },
    })
    expect(await harness.values(id, 'A1:A4')).toEqual([[1], [1], [2], [1]])
  })
})

describe('inserting and deleting rows and columns', () => {
  it('moves cells, formulas, names, protections, merges, filters and metadata', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 20, columnCount: 6 } })
    await harness.write(id, 'A1', [[1], [2], [3], ['=SUM(A1:A3)+$A$2']], 'USER_ENTERED')
    const row = { sheetId: 0, dimension: 'ROWS', startIndex: 3, endIndex: 4 }
    await harness.batch(
      id,
      { addNamedRange: { namedRange: { name: 'Spend', range: rect(1, 0, { r1: 3, c1: 1 }) } } },
      { addProtectedRange: { protectedRange: { range: rect(3, 0, { r1: 4, c1: 1 }) } } },
      { mergeCells: { range: rect(5, 0, { r1: 6, c1: 2 }) } },
      { setBasicFilter: { filter: { range: rect(0, 0, { r1: 4, c1: 1 }) } } },
      {
        createDeveloperMetadata: {
          developerMetadata: { metadataKey: 'k', visibility: 'DOCUMENT', location: { dimensionRange: row } },
        },
      },
      { insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 2, endIndex: 4 } } },
      { deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 0, endIndex: 1 } } },
    )
    expect(await harness.values(id, 'T', 'FORMULA')).toEqual([[2], [], [], [3], ['=SUM(A1:A4)+$A$1']])
    expect(await harness.values(id, 'A5')).toEqual([[7]])
    const { data } = await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id })
    const [sheet] = data.sheets ?? []
    expect(data.namedRanges?.[0]?.range).toEqual({
      startRowIndex: 0,
      endRowIndex: 4,
      startColumnIndex: 0,
      endColumnIndex: 1,
    })
    expect(sheet?.protectedRanges?.[0]?.range).toMatchObject({ startRowIndex: 4, endRowIndex: 5 })
    expect(sheet?.merges).toEqual([
      { startRowIndex: 6, endRowIndex: 7, startColumnIndex: 0, endColumnIndex: 2 },
    ])
    expect(sheet?.basicFilter?.range).toMatchObject({ startRowIndex: 0, endRowIndex: 5 })
    const found = await harness.owner.sheets.spreadsheets.developerMetadata.search({
      spreadsheetId: id,
      requestBody: { dataFilters: [{ developerMetadataLookup: { metadataKey: 'k' } }] },
    })
    expect(
      found.data.matchedDeveloperMetadata?.[0]?.developerMetadata?.location?.dimensionRange,
    ).toMatchObject({ startIndex: 4, endIndex: 5 })
  })

  it('loses references into what was deleted, and breaks a name whose whole area went', async () => {
    const id = await harness.create({ title: 'T' }, { title: 'Other' })
    await harness.write(id, 'Other!A1', [['=T!B2', '=SUM(T!B1:B3)']], 'USER_ENTERED')
    await harness.batch(id, {
      addNamedRange: { namedRange: { name: 'Spend', range: rect(1, 1, { r1: 2, c1: 2 }) } },
    })
    await harness.batch(id, {
      deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 2 } },
    })
    expect(await harness.values(id, 'Other!A1:B1', 'FORMULA')).toEqual([['=#REF!', '=SUM(T!B1:B2)']])
    const { data } = await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id, fields: 'namedRanges' })
    expect(data).toEqual({})
    const again = harness.batch(id, {
      addNamedRange: { namedRange: { name: 'Spend', range: rect(0, 0, { r1: 1, c1: 1 }) } },
    })
    expect((await refusal(again)).message).toBe(
      'Invalid requests[0].addNamedRange: Cannot add named range with name: Spend, a named range with that name already exists.',
    )
  })

  it('refuses an insertion behind the grid that inherits from nothing', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 5, columnCount: 5 } })
    const range = { sheetId: 0, dimension: 'ROWS', startIndex: 5, endIndex: 6 }
    expect(
      (await refusal(harness.batch(id, { insertDimension: { range, inheritFromBefore: false } }))).message,
    ).toContain('range.startIndex must be less than the grid size (5) if inheritFromBefore is false.')
  })

  it('follows a renamed tab and loses a deleted one', async () => {
    const id = await harness.create({ title: 'T', sheetId: 3 }, { title: 'Other' })
    await harness.write(id, 'T!A1', [[5]])
    await harness.write(id, 'Other!A1', [['=T!A1*2']], 'USER_ENTERED')
    await harness.batch(id, {
      updateSheetProperties: { properties: { sheetId: 3, title: 'New name' }, fields: 'title' },
    })
    expect(await harness.values(id, 'Other!A1', 'FORMULA')).toEqual([["='New name'!A1*2"]])
    await harness.batch(id, { deleteSheet: { sheetId: 3 } })
    expect(await harness.values(id, 'Other!A1', 'FORMATTED_VALUE')).toEqual([['#REF!']])
  })
})

describe('developer metadata', () => {
  it('is created, found, read, updated and deleted by id', async () => {
    const id = await harness.create()
    const entry = {
      metadataId: 42,
      metadataKey: 'k',
      metadataValue: 'v',
      location: { sheetId: 0 },
      visibility: 'PROJECT',
    }
    const { data } = await harness.batch(id, { createDeveloperMetadata: { developerMetadata: entry } })
    expect(data.replies?.[0]?.createDeveloperMetadata?.developerMetadata).toEqual({
      ...entry,
      location: { locationType: 'SHEET', sheetId: 0 },
    })
    const twice = harness.batch(
      id,
      { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } },
      { createDeveloperMetadata: { developerMetadata: entry } },
    )
    expect((await refusal(twice)).message).toContain('Developer metadata with id 42 already exists')
    const filter = { developerMetadataLookup: { metadataId: 42 } }
    const dataFilters = [filter]
    await harness.batch(id, {
      updateDeveloperMetadata: {
        dataFilters,
        developerMetadata: { metadataValue: 'w' },
        fields: 'metadataValue',
      },
    })
    const { developerMetadata } = harness.owner.sheets.spreadsheets
    expect((await developerMetadata.get({ spreadsheetId: id, metadataId: 42 })).data.metadataValue).toBe('w')
    await harness.batch(
      id,
      { deleteDeveloperMetadata: { dataFilter: filter } },
      { deleteDeveloperMetadata: { dataFilter: filter } },
    )
    expect((await refusal(developerMetadata.get({ spreadsheetId: id, metadataId: 42 }))).code).toBe(404)
  })

  it('of one project stays hidden from people of another', async () => {
    const id = await harness.create()
    await harness.share(id, 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com', 'writer')
    const system = await harness.systemUser()
    const entry = { metadataKey: 'k', location: { sheetId: 0 }, visibility: 'PROJECT' }
    const requests = [{ createDeveloperMetadata: { developerMetadata: entry } }]
    await system.sheets.spreadsheets.batchUpdate({ spreadsheetId: id, requestBody: { requests } })
    const fields = 'sheets.developerMetadata.metadataKey'
    expect((await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id, fields })).data).toEqual({
      sheets: [{}],
    })
    expect((await system.sheets.spreadsheets.get({ spreadsheetId: id, fields })).data).toEqual({
      sheets: [{ developerMetadata: [{ metadataKey: 'k' }] }],
    })
  })
})
