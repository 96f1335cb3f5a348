import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, startSheets } from '#sandbox/testing/sheets.ts'

// LONG=1: ten million cells staged, then ten million copied; otherwise one million, the same way.
const CHUNKS = process.env['LONG'] ? 100 : 10
const ROWS = 10_000
const COLUMNS = 10
const STAGE = 9

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
  harness.control.setCellLimit(25_000_000)
})
afterAll(() => harness.stop())

const cell = (row: number, column: number) =>
  column < 4 ? `活動 ${(row * 7 + column) % 500}` : row * 1.37 + column
const rowsFrom = (first: number) =>
  Array.from({ length: ROWS }, (_, i) =>
    Array.from({ length: COLUMNS }, (_cell, column) => cell(first + i, column)),
  )

describe('a very large table', () => {
  it('is staged in chunks, moved in one batch, and read by windows', async () => {
    const total = CHUNKS * ROWS
    const id = await harness.create(
      { title: 'T', gridProperties: { rowCount: 10, columnCount: COLUMNS } },
      {
        title: 'Stage',
        sheetId: STAGE,
        hidden: true,
        gridProperties: { rowCount: total, columnCount: COLUMNS },
      },
    )
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const range = encodeURIComponent(`Stage!A${chunk * ROWS + 1}:J${(chunk + 1) * ROWS}`)
      const response = await fetch(
        `${harness.origin}/v4/spreadsheets/${id}/values/${range}?valueInputOption=RAW`,
        {
          method: 'PUT',
          headers: { authorization: `Bearer sandbox-user:${OWNER}` },
          body: JSON.stringify({ values: rowsFrom(chunk * ROWS) }),
        },
      )
      expect(await response.json()).toMatchObject({ updatedCells: ROWS * COLUMNS })
    }
    const area = (first: number, sheetId: number) => ({
      sheetId,
      startRowIndex: first,
      endRowIndex: first + total,
      startColumnIndex: 0,
      endColumnIndex: COLUMNS,
    })
    await harness.batch(
      id,
      { appendDimension: { sheetId: 0, dimension: 'ROWS', length: total } },
      { copyPaste: { source: area(0, STAGE), destination: area(3, 0), pasteType: 'PASTE_VALUES' } },
      { deleteSheet: { sheetId: STAGE } },
    )
    for (const row of [0, 1023, 1024, total / 2, total - 1]) {
      const expected = Array.from({ length: COLUMNS }, (_, column) => cell(row, column))
      expect(await harness.values(id, `T!A${row + 4}:J${row + 4}`)).toEqual([expected])
    }
    expect(await harness.values(id, 'T!A1:J3')).toBeUndefined()
  })

  it('may be as wide as a grid can be', async () => {
    const id = await harness.create({ title: 'W', gridProperties: { rowCount: 100, columnCount: 18_278 } })
    await harness.write(id, 'A99', [Array.from({ length: 18_278 }, (_, column) => column)])
    expect(await harness.values(id, 'ZZY99:ZZZ100')).toEqual([[18_276, 18_277]])
  })
})
