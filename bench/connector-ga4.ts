import { sourceOf } from '#server/connectors/connector.ts'
import { ga4 } from '#server/connectors/ga4/report.ts'
import {
  connectorCases,
  dayAfter,
  listOf,
  serve,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

const FIRST = '2025-11-01'
const DAYS = 365

const bench: ConnectorBench = {
  what: 'GA4, campaigns and sources, six metrics',
  reach: 1,
  source: sourceOf(ga4, { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }),
  request: () => ({
    channel: 'ga4',
    account: { provider: 'ga4', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
    range: { start: FIRST, end: dayAfter(FIRST, DAYS - 1) },
    time: 'date',
    dimensions: ['campaign', 'source_medium'],
    metrics: ['sessions', 'active_users', 'new_users', 'conversions', 'revenue', 'pageviews'],
    filters: [],
  }),
  reply: received => ({
    json: received.path === 'token' ? '{"access_token":"bench","expires_in":3600}' : pageOf(received),
  }),
}

export const cases = connectorCases(import.meta.filename, [bench])

if (import.meta.main) await serve([bench])

interface ReportQuery {
  dimensions: { name: string }[]
  metrics: { name: string }[]
  offset: string
  limit: string
}

/** Rows come day by day. */
function pageOf({ rows, body }: BenchRequest): string {
  const { dimensions, metrics, offset, limit }: ReportQuery = JSON.parse(body)
  const from = Number(offset)
  const to = Math.min(rows, from + Number(limit))
  const about = {
    dimensionHeaders: dimensions,
    metricHeaders: metrics.map(({ name }) => ({ name, type: 'TYPE_INTEGER' })),
    rowCount: rows,
    metadata: { currencyCode: 'USD', timeZone: 'UTC' },
    kind: 'analyticsData#runReport',
  }
  const list = listOf(to - from, at => rowOf(from + at, rows))
  return `{"rows":[${list}],${JSON.stringify(about).slice(1)}`
}

const days = Array.from({ length: DAYS }, (_, offset) => dayAfter(FIRST, offset).replaceAll('-', ''))

/** The same sources in each day, but for a few. In the order in which they are requested; money is fifth. */
function rowOf(row: number, rows: number) {
  const day = Math.floor((row * DAYS) / rows)
  const at = row - Math.ceil((day * rows) / DAYS)
  const texts = [
    days[day] ?? '',
    at % 50 === 49 ? `Push of day ${day} ${at}` : `Autumn sale ${at} 秋の新作`,
    `newsletter ${at % 30} / email`,
  ]
  const numbers = [row % 900, row % 700, row % 500, row % 30, `${row % 9000}.25`, row % 5000]
  return {
    dimensionValues: texts.map(value => ({ value })),
    metricValues: numbers.map(value => ({ value: String(value) })),
  }
}
