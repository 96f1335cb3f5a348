import { describe, expect, it, vi } from 'vitest'
import { sourceOf, type ReportRequest } from '#server/connectors/connector.ts'
import { CsvReader } from '#server/connectors/kit/csv-bytes.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { hostileFile, outcomeOf, quoted } from '#server/connectors/testing/hostile-files.ts'
import { SEED } from '#server/testing/random.ts'
import { line } from './report.ts'
import { NOW } from './testing/sandbox.ts'
import { lineRows, metrics } from './testing/text-rows.ts'

const FILES = process.env.LONG ? 20_000 : 600

const request: ReportRequest = {
  channel: 'ln',
  account: { provider: 'line', external_id: 'A1', currency: 'TWD', timezone: 'Asia/Taipei', via: null },
  range: { start: '2026-11-01', end: '2026-11-03' },
  time: 'date',
  dimensions: ['ad'],
  metrics,
  filters: [],
}

const titles = [
  'Rate 1',
  'Day',
  'Ad name',
  'Rate 2',
  'Ad ID',
  'Impressions',
  'Clicks',
  'CPC',
  'Cost',
  'Search',
  'Rate 3',
]
const cells = Array.from({ length: 30 }, (_, at) => [
  '0.25',
  `2026-11-0${1 + (at % 3)}`,
  `Autumn, sale ${at % 4} "秋"`,
  '-',
  String(70_000 + (at % 4)),
  String(at * 131),
  String(at * 10),
  '1.25',
  `${at * 12}.5`,
  at % 5 === 0 ? '-' : String(at),
  '',
])
const table = [titles, ...cells]

/** A platform that makes the report at once, which is this file. */
const serving =
  (file: Buffer): typeof fetch =>
  async (input, init) => {
    if (init?.method === 'POST') return Response.json({ id: 1, status: 'CREATED' })
    if (String(input).endsWith('/download')) return new Response(new Uint8Array(file))
    const paging = { page: 1, size: 100, totalElements: 1 }
    return Response.json({ paging, datas: [{ id: 1, status: 'READY' }] })
  }

function readFrom(file: Buffer) {
  const source = sourceOf(line, { access_key: 'key', secret_key: 'secret', group_ids: 'G1' })
  const context = { ...testContext('https://platform.example', NOW), fetch: serving(file) }
  return outcomeOf(() => rowsOf(fetchPages(source, request, context)))
}

describe('a file of LINE', () => {
  it.each(['utf8', 'utf16le'] as const)(
    'in %s is read or refused as its text is, however damaged',
    async encoding => {
      const outcomes = { read: 0, refused: 0 }
      for (let seed = SEED; seed < SEED + FILES; seed += 1) {
        const file = hostileFile(table, seed, encoding)
        const expected = await outcomeOf(() => lineRows(file))
        expect([seed, await readFrom(file)]).toEqual([seed, expected])
        outcomes[typeof expected === 'string' ? 'refused' : 'read'] += 1
      }
      expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(FILES / 10)
    },
  )

  it('makes texts of its header and of new names alone', async () => {
    const file = Buffer.from(table.map(row => `${row.map(quoted).join(',')}\r\n`).join(''))
    const texts = vi.spyOn(CsvReader.prototype, 'textBetween')
    expect(await readFrom(file)).toEqual(await outcomeOf(() => lineRows(file)))
    const made = texts.mock.results.map(({ value }) => String(value)).slice(titles.length)
    texts.mockRestore()
    expect(made.filter(text => text !== '-').toSorted()).toEqual(
      [...new Set(cells.flatMap(([, day = '', name = '', , id = '']) => [day, name, id]))].toSorted(),
    )
  })
})
