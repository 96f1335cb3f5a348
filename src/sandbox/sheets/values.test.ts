import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
})
afterAll(() => harness.stop())

describe('values', () => {
  it('write and read a rectangle, and echo the range', async () => {
    const id = await harness.create({ title: 'T' })
    const { data } = await harness.write(id, "'T'!A1:C2", [
      ['a', 1, true],
      ['b', 2.5, false],
    ])
    expect(data).toEqual({
      spreadsheetId: id,
      updatedRange: 'T!A1:C2',
      updatedRows: 2,
      updatedColumns: 3,
      updatedCells: 6,
    })
    const read = await harness.owner.sheets.spreadsheets.values.get({ spreadsheetId: id, range: "'T'!A1:D9" })
    expect(read.data).toEqual({
      range: 'T!A1:D9',
      majorDimension: 'ROWS',
      values: [
        ['a', '1', 'TRUE'],
        ['b', '2.5', 'FALSE'],
      ],
    })
  })

  it('drop empty cells and rows at the end and keep gaps inside', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [['a', 'b'], [], ['', 2]])
    expect(await harness.values(id, 'A1:C9')).toEqual([['a', 'b'], [], ['', 2]])
    expect(await harness.values(id, 'E1:F9')).toBeUndefined()
  })

  it('skip null, clear with an empty text, and leave what short rows do not reach', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [['a', 'b', 'c']])
    const { data } = await harness.write(id, 'A1:C1', [[null, '']])
    expect(data.updatedCells).toBe(1)
    expect(await harness.values(id, 'A1:C1')).toEqual([['a', '', 'c']])
  })

  it('refuse what does not fit the range, the grid or the cell', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 10, columnCount: 3 } })
    const message = async (range: string, values: unknown[][]) =>
      (await refusal(harness.write(id, range, values))).message
    expect(await message('T!A1:B1', [[1, 2, 3]])).toBe(
      'Requested writing within range [T!A1:B1], but tried writing to column [C]',
    )
    expect(await message('T!A1:B1', [[1], [2]])).toBe(
      'Requested writing within range [T!A1:B1], but tried writing to row [2]',
    )
    expect(await message('T!A10', [[1], [2]])).toBe(
      'Range (T!A10:A11) exceeds grid limits. Max rows: 10, max columns: 3',
    )
    expect(await message('T!A5000:B5001', [[1]])).toContain('exceeds grid limits')
    expect(await message('T!A1', [['x'.repeat(50_001)]])).toContain('maximum of 50000 characters')
    expect(await message('Nope!A1', [[1]])).toBe('Unable to parse range: Nope!A1')
    expect(await message('AAAA1', [[1]])).toBe('Unable to parse range: AAAA1')
    expect(await harness.values(id, 'T')).toBeUndefined()
  })

  it('refuse rows that are no lists and an unknown member', async () => {
    const id = await harness.create()
    const send = (body: object) =>
      fetch(`${harness.origin}/v4/spreadsheets/${id}/values/A1?valueInputOption=RAW`, {
        method: 'PUT',
        headers: { authorization: 'Bearer sandbox-user:owner@example.com' },
        body: JSON.stringify(body),
      }).then(response => response.json())
    expect(await send({ values: ['x'] })).toMatchObject({
      error: {
        code: 400,
        message: `Invalid value at 'data.values[0]' (type.googleapis.com/google.protobuf.ListValue), "x"`,
      },
    })
    expect(await send({ valuez: [] })).toMatchObject({
      error: {
        message: 'Invalid JSON payload received. Unknown name "valuez": Cannot find field.',
        status: 'INVALID_ARGUMENT',
      },
    })
  })

  it('go all or nothing over several ranges', async () => {
    const id = await harness.create({ title: 'A' }, { title: 'B' })
    const data = [
      { range: 'A!A1', values: [[1]] },
      { range: 'B!A2000', values: [[1]] },
    ]
    const update = (ranges: typeof data) =>
      harness.owner.sheets.spreadsheets.values.batchUpdate({
        spreadsheetId: id,
        requestBody: { valueInputOption: 'RAW', data: ranges },
      })
    expect((await refusal(update(data))).message).toMatch(
      /^Invalid data\[1\]: Range \(B!A2000\) exceeds grid limits/,
    )
    expect(await harness.values(id, 'A!A1')).toBeUndefined()
    const done = await update([
      { range: 'A!A1', values: [[1]] },
      { range: 'B!A2', values: [[2, 3]] },
    ])
    expect(done.data).toMatchObject({ totalUpdatedCells: 3, totalUpdatedSheets: 2 })
  })

  it('clear values of one and of several ranges', async () => {
    const id = await harness.create()
    await harness.write(id, 'A1', [[1, 2, 3, 4]])
    const { values } = harness.owner.sheets.spreadsheets
    const one = await values.clear({ spreadsheetId: id, range: 'A1:B1' })
    expect(one.data.clearedRange).toBe('Sheet1!A1:B1')
    const many = await values.batchClear({ spreadsheetId: id, requestBody: { ranges: ['C1', 'D1:D5'] } })
    expect(many.data.clearedRanges).toEqual(['Sheet1!C1', 'Sheet1!D1:D5'])
    expect(await harness.values(id, 'A1:D1')).toBeUndefined()
  })

  it('append below the table that the range touches', async () => {
    const id = await harness.create()
    await harness.write(id, 'B2', [
      ['h1', 'h2'],
      [1, 2],
    ])
    const { data } = await harness.owner.sheets.spreadsheets.values.append({
      spreadsheetId: id,
      range: 'B2',
      valueInputOption: 'RAW',
      requestBody: { values: [[3, 4]] },
    })
    expect(data).toMatchObject({ tableRange: 'Sheet1!B2:C3', updates: { updatedRange: 'Sheet1!B4:C4' } })
  })

  it.each(["O'Brien", 'a/b', 'CO2', '工作表1', 'x!y', 'full：colon', '2024 "q"', 'a:append'])(
    'reach a tab called %s by its quoted title',
    async title => {
      const id = await harness.create({ title })
      const range = `'${title.replaceAll("'", "''")}'!A1:B1`
      // A colon makes Google misjudge single cells only; bounded ranges work.
      await harness.write(id, range, [['x', 'y']])
      expect(await harness.values(id, range)).toEqual([['x', 'y']])
    },
  )

  it('misjudge an anchor on a tab with a half-width colon, as Google does', async () => {
    const id = await harness.create({ title: 'foo:bar' })
    expect((await refusal(harness.write(id, "'foo:bar'!A1", [[1, 2]]))).message).toBe(
      "Requested writing within range ['foo:bar'!A1], but tried writing to column [B]",
    )
  })

  it('prefer a named range to a tab when the title is bare', async () => {
    const id = await harness.create({ title: 'Spend' }, { title: 'Other' })
    const other =
      (await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id })).data.sheets?.[1]?.properties
        ?.sheetId ?? 0
    const range = { sheetId: other, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 0, endColumnIndex: 1 }
    await harness.batch(id, { addNamedRange: { namedRange: { name: 'Spend', range } } })
    await harness.write(id, 'Spend', [['named']])
    await harness.write(id, "'Spend'!A1", [['tab']])
    expect(await harness.values(id, 'Other!A1')).toEqual([['named']])
    expect(await harness.values(id, "'Spend'")).toEqual([['tab']])
  })

  it.each([
    '=HYPERLINK("http://x","y")',
    '+1',
    '-1',
    '@a',
    "'q",
    'tab\tand\nline',
    '007',
    '2026-09-05',
    'half \ud800 pair',
    '💥 漢字',
  ])('keep the raw text %j literally', async text => {
    const id = await harness.create()
    await harness.write(id, 'A1', [[text]])
    expect(await harness.values(id, 'A1', 'FORMULA')).toEqual([[text]])
  })
})
