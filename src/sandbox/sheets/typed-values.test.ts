import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatNumber } from './format.ts'
import { refusal, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
})
afterAll(() => harness.stop())

describe('typed text', () => {
  it.each([
    ['=1+2', '=1+2', 3, '3'],
    ['+1', 1, 1, '1'],
    ['-1', -1, -1, '-1'],
    ['1-2', 46_024, 46_024, '1/2/2026'],
    ["'0123", '0123', '0123', '0123'],
    ['007', 7, 7, '7'],
    ['2026-09-05', 46_270, 46_270, '2026-09-05'],
    ['$100.15', 100.15, 100.15, '$100.15'],
    ['TRUE', true, true, 'TRUE'],
    ['1,234.5', 1234.5, 1234.5, '1,234.50'],
    ['12%', 0.12, 0.12, '12%'],
    ['2026-09-05 12:00', 46_270.5, 46_270.5, '2026-09-05 12:00:00'],
    ['@sum', '@sum', '@sum', '@sum'],
    ['just text', 'just text', 'just text', 'just text'],
  ])('%s is entered as %j, counts as %j and shows as %s', async (text, formula, value, display) => {
    const id = await harness.create()
    await harness.write(id, 'A1', [[text]], 'USER_ENTERED')
    expect(await harness.values(id, 'A1', 'FORMULA')).toEqual([[formula]])
    expect(await harness.values(id, 'A1')).toEqual([[value]])
    expect(await harness.values(id, 'A1', 'FORMATTED_VALUE')).toEqual([[display]])
  })

  it('follows the locale of the spreadsheet', async () => {
    const { data } = await harness.owner.sheets.spreadsheets.create({
      requestBody: { properties: { locale: 'zh_TW' } },
    })
    const id = data.spreadsheetId ?? ''
    await harness.write(id, 'A1', [['2026/9/5']], 'USER_ENTERED')
    expect(await harness.values(id, 'A1', 'FORMATTED_VALUE')).toEqual([['2026/9/5']])
  })
})

describe('a number format', () => {
  it.each([
    [46_270, 'yyyy-mm-dd', '2026-09-05'],
    [46_270, 'yyyy/m/d', '2026/9/5'],
    [46_270, 'yyyy-mm', '2026-09'],
    [0.5, 'h:mm', '12:00'],
    [1234.5, '#,##0', '1,235'],
    [1234.5, '#,##0.00', '1,234.50'],
    [-1234.5, '#,##0.00', '-1,234.50'],
    [2.5, '0', '3'],
    [1.005, '0.00', '1.01'],
    [0.0424, '0.00%', '4.24%'],
    [0, '0.00%', '0.00%'],
    [-0.001, '0.00', '0.00'],
    [1e21, '#,##0', '1,000,000,000,000,000,000,000'],
  ])('shows %d by %s as %s', (value, pattern, display) => {
    const type = /[yh]/.test(pattern) ? 'DATE' : 'NUMBER'
    expect(formatNumber(value, { type, pattern }, 'en_US')).toBe(display)
  })
})

describe('a formula', () => {
  it.each([
    ['=A1+B1*2', 8],
    ['=(A1+B1)*2', 10],
    ['=-A1', -2],
    ['=SUM(A1:B2)', 15],
    ['=SUM(A:A)', 6],
    ['=AVERAGE(A1:B2)', 3.75],
    ['=COUNT(A1:C2)', 4],
    ['=COUNTA(A1:C2)', 5],
    ['=MIN(A1:B2)', 2],
    ['=MAX(A1:B2;100)', 100],
    ['=IF(A1>1,"yes",1/0)', 'yes'],
    ['=IF(A1=5,1)', false],
    ['="a"&A1', 'a2'],
    ['=A1/0', '#DIV/0!'],
    ['=IF(A1/0,1,2)', '#DIV/0!'],
    ['=VLOOKUP(1,A1:B2,2)', '#NAME?'],
    ['=C1+1', '#VALUE!'],
    ['=E9', '#REF!'],
    ['=Nope!A1', '#REF!'],
    ['=1+', '#ERROR!'],
    ['=50%', 0.5],
  ])('%s gives %j', async (formula, result) => {
    const id = await harness.create()
    await harness.write(id, 'A1', [
      [2, 3, 'text'],
      [4, 6],
    ])
    await harness.write(id, 'E9', [[formula]], 'USER_ENTERED')
    expect(await harness.values(id, 'E9')).toEqual([[result]])
  })

  it('sees changes of the table beside it', async () => {
    const id = await harness.create()
    await harness.write(id, 'D1', [['=SUM(A1:A2)']], 'USER_ENTERED')
    await harness.write(id, 'A1', [[1], [2]])
    expect(await harness.values(id, 'D1')).toEqual([[3]])
    await harness.write(id, 'A1', [[5]])
    expect(await harness.values(id, 'D1')).toEqual([[7]])
  })
})

describe('spreadsheets.get', () => {
  it('returns structure under a mask, with what is empty left out', async () => {
    const id = await harness.create(
      { title: 'A' },
      {
        title: 'B',
        sheetId: 4,
        hidden: true,
        gridProperties: { rowCount: 5, columnCount: 2, frozenRowCount: 1 },
      },
    )
    const fields =
      'properties.title,namedRanges,sheets(properties(sheetId,title,hidden,gridProperties),merges)'
    const { data } = await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id, fields })
    expect(data).toEqual({
      properties: { title: 'Weekly' },
      sheets: [
        { properties: { sheetId: 0, title: 'A', gridProperties: { rowCount: 1000, columnCount: 26 } } },
        {
          properties: {
            sheetId: 4,
            title: 'B',
            hidden: true,
            gridProperties: { rowCount: 5, columnCount: 2, frozenRowCount: 1 },
          },
        },
      ],
    })
  })

  it('refuses a mask that names what is not there, and unknown parameters', async () => {
    const id = await harness.create()
    const refused = await refusal(
      harness.owner.sheets.spreadsheets.get({ spreadsheetId: id, fields: 'sheets.nope' }),
    )
    expect(refused.body).toMatchObject({
      error: {
        message: 'Request contains an invalid argument.',
        details: [
          {
            fieldViolations: [
              {
                description:
                  "Error expanding 'fields' parameter. Cannot find matching fields for path 'sheets.nope'.",
              },
            ],
          },
        ],
      },
    })
    const response = await fetch(`${harness.origin}/v4/spreadsheets/${id}?nope=1`, {
      headers: { authorization: 'Bearer sandbox-user:owner@example.com' },
    })
    expect(response.status).toBe(400)
  })

  it('includes cells only when requested, for the requested ranges', async () => {
    const id = await harness.create()
    await harness.write(id, 'B2', [[46_270]])
    const bare = await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id })
    expect(bare.data.sheets?.[0]).not.toHaveProperty('data')
    const { data } = await harness.owner.sheets.spreadsheets.get({
      spreadsheetId: id,
      ranges: ['B2:C3'],
      includeGridData: true,
    })
    expect(data.sheets?.[0]?.data?.[0]).toMatchObject({
      startRow: 1,
      startColumn: 1,
      rowData: [
        {
          values: [
            {
              userEnteredValue: { numberValue: 46_270 },
              effectiveValue: { numberValue: 46_270 },
              formattedValue: '46270',
            },
          ],
        },
      ],
      columnMetadata: [{ pixelSize: 100 }, { pixelSize: 100 }],
    })
  })
})
