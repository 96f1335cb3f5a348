import { describe, expect, it, vi } from 'vitest'
import { sourceOf, type AccountRef } from '#server/connectors/connector.ts'
import { CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { hostileFile, outcomeOf, quoted } from '#server/connectors/testing/hostile-files.ts'
import { SEED } from '#server/testing/random.ts'
import { yahooDsp } from './report.ts'
import { advertiser, NOW, requestOf, search, searchAccount } from './testing/sandbox.ts'
import { dspRows, lyRows, metrics, OWNER, range } from './testing/text-rows.ts'

const FILES = process.env.LONG ? 20_000 : 600

const days = ['2026/10/01', '2026-10-02', '20261003']
const devices = ['PC', 'Smartphone', 'Game console']
const numbers = ['impressions', 'cost', 'conversions', 'value']
const cells = Array.from({ length: 30 }, (_, at) => [
  days[at % 3] ?? '',
  String(70_000 + (at % 4)),
  `Autumn, sale ${at % 4} "秋"`,
  devices[at % 3] ?? '',
  String(at * 131),
  `${at * 77}.25`,
  `${at}.5`,
  '180',
])
const impressions = cells.reduce((sum, row) => sum + Number(row[4]), 0)

const lyTable = [
  ['Account ID', 'Day', 'Ad ID', 'Ad name', 'Device', ...numbers],
  ...cells.map(row => [OWNER, ...row]),
  ['Total', '--', '--', '--', '--', String(impressions), '1', '1', '1'],
]
const dspTable = [
  ['Day', 'Advertiser ID', 'Advertiser', 'Ad', 'Ad ID', 'Device', ...numbers],
  ...cells.map(([day = '', id = '', name = '', ...others]) => [day, OWNER, 'Aurora', name, id, ...others]),
]

/** A platform whose report is this file. */
const serving =
  (file: Buffer, count: number): typeof fetch =>
  async input => {
    const path = String(input)
    if (path.endsWith('token')) return Response.json({ access_token: 'x', expires_in: 3600 })
    if (/(?:download|file)$/.test(path)) return new Response(inChunks(file))
    const job = { errors: null, reportDefinition: { reportJobId: 1, reportJobStatus: 'COMPLETED' } }
    if (path.includes('ReportDefinitionService'))
      return Response.json({ errors: null, rval: { totalNumEntries: 1, values: [job] } })
    if (path.includes('currencies')) return Response.json({ response: [{ id: 1, code: 'TWD' }] })
    const state = { status: 'Success', url: 'https://files.example/file', numRows: count }
    return Response.json({ customerReportId: 'r', ...state })
  }

const CHUNK = 50_000
const inChunks = (file: Buffer) =>
  ReadableStream.from(
    Array.from(
      { length: Math.ceil(file.length / CHUNK) },
      (_, at) => new Uint8Array(file.subarray(at * CHUNK, (at + 1) * CHUNK)),
    ),
  )

const fileOf = (rows: readonly (readonly string[])[]) =>
  Buffer.from(rows.map(row => `${row.map(quoted).join(',')}\r\n`).join(''))

async function readFrom(file: Buffer, account: AccountRef, count = cells.length) {
  const source =
    account.provider === 'yahoo_dsp'
      ? sourceOf(yahooDsp, { client_id: 'any', client_secret: 'x'.repeat(32) })
      : search
  const request = requestOf({ account, range, dimensions: ['ad', 'device_type'], metrics })
  const context = { ...testContext('https://platform.example', NOW), fetch: serving(file, count) }
  return outcomeOf(() => rowsOf(fetchPages(source, request, context)))
}

describe.each([
  ['LY Ads', searchAccount(OWNER), lyTable, lyRows],
  ['Yahoo DSP', advertiser, dspTable, dspRows],
] as const)('a file of %s', (_, account, table, textRows) => {
  it('is read or refused as its text is, however damaged', async () => {
    const outcomes = { read: 0, refused: 0 }
    for (let seed = SEED; seed < SEED + FILES; seed += 1) {
      const file = hostileFile(table, seed)
      const expected = await outcomeOf(() => textRows(file, cells.length))
      expect([seed, await readFrom(file, account)]).toEqual([seed, expected])
      outcomes[typeof expected === 'string' ? 'refused' : 'read'] += 1
    }
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(FILES / 10)
  })

  it('may be large, and have line breaks in its names', async () => {
    const [header = [], ...rows] = table
    const own = rows.slice(0, cells.length).map(row => row.map(cell => cell.replace('Autumn, ', 'Autumn\n')))
    const many = Array.from({ length: 1000 }, () => own).flat()
    const totals = rows
      .slice(cells.length)
      .map(row => row.map(cell => (cell === String(impressions) ? String(1000 * impressions) : cell)))
    const file = fileOf([header, ...many, ...totals])
    const read = await readFrom(file, account, many.length)
    expect(read.length).toBe(many.length)
    expect(read).toEqual(await outcomeOf(() => textRows(file, many.length)))
  })

  it('makes texts of new names alone', async () => {
    const file = fileOf(table)
    const texts = vi.spyOn(CsvReader.prototype, 'textBetween')
    expect(await readFrom(file, account)).toEqual(await outcomeOf(() => textRows(file, cells.length)))
    const made = texts.mock.results.map(({ value }) => String(value))
    texts.mockRestore()
    expect(made.filter(text => /^\d+\.\d+$/.test(text))).toEqual([])
    expect(made.filter(text => text.startsWith('Autumn')).length).toBe(4)
    expect(made.length).toBeLessThan(2 * cells.length)
  })
})
