import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, refusal, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
})
afterAll(() => harness.stop())

const area = { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 }
const sheetOf = async (spreadsheetId: string) =>
  (await harness.owner.sheets.spreadsheets.get({ spreadsheetId })).data.sheets?.[0]

describe('the other kinds of a batch', () => {
  it('append rows of cells behind the last value, growing the grid', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 2, columnCount: 2 } })
    await harness.write(id, 'A1', [[1], [2]])
    const rows = [{ values: [1, 2, 3].map(numberValue => ({ userEnteredValue: { numberValue } })) }]
    await harness.batch(id, { appendCells: { sheetId: 0, rows, fields: 'userEnteredValue' } })
    expect(await harness.values(id, 'T')).toEqual([[1], [2], [1, 2, 3]])
    expect((await sheetOf(id))?.properties?.gridProperties).toEqual({ rowCount: 3, columnCount: 3 })
  })

  it('merge cells, of which only the first keeps its value, and take them apart', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [
      [1, 2],
      [3, 4],
    ])
    await harness.batch(id, { mergeCells: { range: area, mergeType: 'MERGE_ALL' } })
    expect(await harness.values(id, 'A1:B2')).toEqual([[1]])
    const part = { unmergeCells: { range: { ...area, endRowIndex: 1 } } }
    expect((await refusal(harness.batch(id, part))).message).toContain(
      'You must select all cells in a merged range',
    )
    await harness.batch(id, { unmergeCells: { range: area } })
    expect(await sheetOf(id)).not.toHaveProperty('merges')
  })

  it('keep one filter per tab', async () => {
    const id = await harness.create()
    await harness.batch(id, { setBasicFilter: { filter: { range: area } } })
    expect((await sheetOf(id))?.basicFilter?.range).toEqual({
      startRowIndex: 0,
      endRowIndex: 2,
      startColumnIndex: 0,
      endColumnIndex: 2,
    })
    await harness.batch(id, { clearBasicFilter: { sheetId: 0 } })
    expect(await sheetOf(id)).not.toHaveProperty('basicFilter')
  })

  it('set widths, hide columns and fit widths to the text', async () => {
    const id = await harness.create()
    await harness.write(id, 'C1', [['a rather long text in a cell']])
    const range = (startIndex: number, endIndex: number) => ({
      sheetId: 0,
      dimension: 'COLUMNS',
      startIndex,
      endIndex,
    })
    await harness.batch(
      id,
      {
        updateDimensionProperties: { range: range(0, 3), properties: { pixelSize: 50 }, fields: 'pixelSize' },
      },
      {
        updateDimensionProperties: {
          range: range(1, 2),
          properties: { hiddenByUser: true },
          fields: 'hiddenByUser',
        },
      },
      { autoResizeDimensions: { dimensions: range(2, 3) } },
      { insertDimension: { range: range(0, 1), inheritFromBefore: false } },
    )
    const fields = 'sheets.data.columnMetadata(pixelSize,hiddenByUser)'
    const { data } = await harness.owner.sheets.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['A1:E1'],
      fields,
    })
    expect(data.sheets?.[0]?.data?.[0]?.columnMetadata).toEqual([
      { pixelSize: 100 },
      { pixelSize: 50 },
      { pixelSize: 50, hiddenByUser: true },
      { pixelSize: 213 },
      { pixelSize: 100 },
    ])
  })

  it.each(['1st', 'A1', 'R1C1', 'two words', 'true', ''])('refuse %j as the name of a range', async name => {
    const id = await harness.create()
    expect(
      (await refusal(harness.batch(id, { addNamedRange: { namedRange: { name, range: area } } }))).message,
    ).toBe('Invalid requests[0].addNamedRange: The name given to this range is invalid')
  })

  it('move, update and delete a named range by its id', async () => {
    const id = await harness.create()
    const { data } = await harness.batch(id, {
      addNamedRange: { namedRange: { name: 'Spend', range: area } },
    })
    const namedRangeId = data.replies?.[0]?.addNamedRange?.namedRange?.namedRangeId ?? ''
    await harness.batch(id, {
      updateNamedRange: { namedRange: { namedRangeId, name: 'Cost' }, fields: 'name' },
    })
    await harness.write(id, 'A1', [[5]])
    expect(await harness.values(id, 'Cost')).toEqual([[5]])
    await harness.batch(id, { deleteNamedRange: { namedRangeId } })
    expect((await refusal(harness.values(id, 'Cost'))).message).toBe('Unable to parse range: Cost')
  })

  it('change the title of the spreadsheet, and return it when requested', async () => {
    const id = await harness.create()
    const requests = [{ updateSpreadsheetProperties: { properties: { title: 'New' }, fields: 'title' } }]
    const requestBody = { requests, includeSpreadsheetInResponse: true }
    const { data } = await harness.owner.sheets.spreadsheets.batchUpdate({ spreadsheetId: id, requestBody })
    expect(data.updatedSpreadsheet?.properties?.title).toBe('New')
  })
})

describe('the values endpoints', () => {
  it('read several ranges at once, by columns too', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [
      [1, 2],
      [3, 4],
    ])
    const { data } = await harness.owner.sheets.spreadsheets.values.batchGet({
      spreadsheetId: id,
      ranges: ['A1:B2', 'Z1'],
      majorDimension: 'COLUMNS',
      valueRenderOption: 'UNFORMATTED_VALUE',
    })
    expect(data).toEqual({
      spreadsheetId: id,
      valueRanges: [
        {
          range: 'Sheet1!A1:B2',
          majorDimension: 'COLUMNS',
          values: [
            [1, 3],
            [2, 4],
          ],
        },
        { range: 'Sheet1!Z1', majorDimension: 'COLUMNS' },
      ],
    })
  })

  it('echo what was written when requested, and write by columns', async () => {
    const id = await harness.create()
    const { data } = await harness.owner.sheets.spreadsheets.values.update({
      spreadsheetId: id,
      range: 'A1',
      valueInputOption: 'RAW',
      includeValuesInResponse: true,
      requestBody: { majorDimension: 'COLUMNS', values: [[1, 2], [3]] },
    })
    expect(data.updatedData?.values).toEqual([['1', '3'], ['2']])
  })

  it('refuse a body whose range is not that of the path, and no input option', async () => {
    const id = await harness.create()
    const { values } = harness.owner.sheets.spreadsheets
    const body = { range: 'A2', values: [[1]] }
    const other = values.update({
      spreadsheetId: id,
      range: 'A1',
      valueInputOption: 'RAW',
      requestBody: body,
    })
    expect((await refusal(other)).message).toBe("Request range[A1] does not match value's range[A2]")
    const none = values.update({ spreadsheetId: id, range: 'A1', requestBody: { values: [[1]] } })
    expect((await refusal(none)).message).toBe("'valueInputOption' is required but not specified")
  })

  it('refuse more than 10 MiB', async () => {
    const id = await harness.create()
    const response = await fetch(`${harness.origin}/v4/spreadsheets/${id}:batchUpdate`, {
      method: 'POST',
      headers: { authorization: `Bearer sandbox-user:${OWNER}` },
      body: ' '.repeat(10_485_761),
    })
    expect(await response.json()).toMatchObject({
      error: { code: 400, message: 'Request payload size exceeds the limit: 10485760 bytes.' },
    })
  })
})

describe('what readers see', () => {
  it('is the whole old or the whole new table after every change in the journal', async () => {
    const id = await harness.create({ title: 'T' }, { title: 'Stage', sheetId: 9, hidden: true })
    const table = (text: string, size: number) =>
      Array.from({ length: size }, (_, i) => [text, `${text} ${i}`])
    await harness.write(id, 'T!A1', table('old', 5))
    const kinds = new Set<string>()
    const look = async () => kinds.add(JSON.stringify(await harness.values(id, 'T!A1:B9')))
    await look()
    await harness.write(id, 'Stage!A1', table('new', 3))
    await look()
    const oldArea = { ...area, endRowIndex: 5 }
    const stage = { ...area, sheetId: 9, endRowIndex: 3 }
    await harness.batch(
      id,
      { updateCells: { range: oldArea, fields: 'userEnteredValue' } },
      { copyPaste: { source: stage, destination: { ...area, endRowIndex: 3 }, pasteType: 'PASTE_VALUES' } },
      { deleteSheet: { sheetId: 9 } },
    )
    await look()
    expect([...kinds]).toEqual([JSON.stringify(table('old', 5)), JSON.stringify(table('new', 3))])
  })
})

describe('ownership', () => {
  it('moves only when that is requested by name', async () => {
    const id = await harness.create()
    const give = (transferOwnership: boolean) =>
      harness.owner.drive.permissions.create({
        fileId: id,
        transferOwnership,
        requestBody: { type: 'user', role: 'owner', emailAddress: 'heir@example.com' },
      })
    expect((await refusal(give(false))).body).toMatchObject({
      error: { code: 403, errors: [{ reason: 'forbidden' }] },
    })
    await give(true)
    const { data } = await harness
      .person('heir@example.com')
      .drive.files.get({ fileId: id, fields: 'ownedByMe,permissions(role)' })
    expect(data).toEqual({ ownedByMe: true, permissions: [{ role: 'writer' }, { role: 'owner' }] })
  })
})
