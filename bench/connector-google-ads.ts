import { sourceOf } from '#server/connectors/connector.ts'
import { googleAds } from '#server/connectors/google-ads/report.ts'
import {
  connectorCases,
  dayAfter,
  listOf,
  serve,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

/** Google's page size. */
const PAGE_ROWS = 10_000
const FIRST = '2026-01-01'
const channels = {
  aw: 'campaigns by device',
  aw_keyword: 'keywords, added up over their match types',
} as const

const benches = (['aw', 'aw_keyword'] as const).map((channel): ConnectorBench => ({
  what: `Google Ads, ${channels[channel]}`,
  reach: 0.8,
  source: sourceOf(googleAds, { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }),
  request: rows => ({
    channel,
    account: {
      provider: 'google_ads',
      external_id: '1234567890',
      currency: 'USD',
      timezone: 'UTC',
      via: null,
    },
    range: { start: FIRST, end: dayAfter(FIRST, rows / PAGE_ROWS - 1) },
    time: 'date',
    dimensions: ['campaign', channel === 'aw' ? 'device_type' : 'keyword'],
    metrics: ['impressions', 'clicks', 'cost', 'conversions', 'conversion_value', 'interactions'],
    filters: [],
  }),
  reply: received => ({
    json: received.path === 'token' ? '{"access_token":"bench","expires_in":3599}' : pageOf(received),
  }),
}))

export const cases = connectorCases(import.meta.filename, benches)

if (import.meta.main) await serve(benches)

/** Each page is one day. */
function pageOf({ rows, body }: BenchRequest): string {
  const { pageToken = '0' }: { pageToken?: string } = JSON.parse(body)
  const page = Number(pageToken)
  const date = dayAfter(FIRST, page)
  const next = (page + 1) * PAGE_ROWS < rows ? `,"nextPageToken":"${page + 1}"` : ''
  return `{"results":[${listOf(PAGE_ROWS, at => rowOf(at, date))}]${next}}`
}

const rowOf = (row: number, date: string) => ({
  campaign: { id: `2202100110${String(row).padStart(5, '0')}`, name: `Autumn sale ${row} 秋の新作` },
  adGroupCriterion: { keyword: { text: `buy lipstick ${row}` } },
  segments: { date, device: 'MOBILE' },
  metrics: {
    impressions: String(8801 + row),
    clicks: String(212 + row),
    costMicros: String(312_690_000 + row * 10_000),
    conversions: 4.143_961 + row,
    conversionsValue: 180.707_566 + row,
    interactions: String(219 + row),
  },
})
