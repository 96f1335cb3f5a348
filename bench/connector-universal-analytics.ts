import { sourceOf } from '#server/connectors/connector.ts'
import { universalAnalytics } from '#server/connectors/universal-analytics/report.ts'
import {
  connectorCases,
  dayAfter,
  listOf,
  serve,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

const FIRST = '2022-01-01'
const DAYS = 365

const bench: ConnectorBench = {
  what: 'Universal Analytics, campaigns and keywords',
  reach: 1,
  source: sourceOf(universalAnalytics, {
    client_id: 'bench',
    client_secret: 'bench',
    refresh_token: 'bench',
  }),
  request: () => ({
    channel: 'ga',
    account: {
      provider: 'universal_analytics',
      external_id: '1',
      currency: 'USD',
      timezone: 'UTC',
      via: null,
    },
    range: { start: FIRST, end: dayAfter(FIRST, DAYS - 1) },
    time: 'date',
    dimensions: ['campaign', 'keyword'],
    metrics: ['sessions', 'users', 'transactions', 'revenue', 'pageviews'],
    filters: [],
  }),
  reply: received => ({
    json: received.path === 'token' ? '{"access_token":"bench","expires_in":3600}' : pageOf(received),
  }),
}

export const cases = connectorCases(import.meta.filename, [bench])

if (import.meta.main) await serve([bench])

interface ReportQuery {
  reportRequests: [
    {
      dimensions: { name: string }[]
      metrics: { expression: string }[]
      pageSize: number
      pageToken?: string
    },
  ]
}

/** Rows come day by day; tokens are the number of the first row. */
function pageOf({ rows, body }: BenchRequest): string {
  const { reportRequests }: ReportQuery = JSON.parse(body)
  const [{ dimensions, metrics, pageSize, pageToken = '0' }] = reportRequests
  const from = Number(pageToken)
  const to = Math.min(rows, from + pageSize)
  const columnHeader = {
    dimensions: dimensions.map(({ name }) => name),
    metricHeader: {
      metricHeaderEntries: metrics.map(({ expression }) => ({ name: expression, type: 'INTEGER' })),
    },
  }
  const list = listOf(to - from, at => rowOf(from + at, rows))
  const next = to < rows ? `,"nextPageToken":"${to}"` : ''
  return `{"reports":[{"columnHeader":${JSON.stringify(columnHeader)},"data":{"rows":[${list}],"rowCount":${rows},"isDataGolden":true}${next}}]}`
}

const days = Array.from({ length: DAYS }, (_, offset) => dayAfter(FIRST, offset).replaceAll('-', ''))

/** The same sources in each day, but for a few search terms. */
function rowOf(row: number, rows: number) {
  const day = Math.floor((row * DAYS) / rows)
  const at = row - Math.ceil((day * rows) / DAYS)
  const keyword = at % 50 === 49 ? `term of day ${day} ${at}` : `keyword ${at}`
  return {
    dimensions: [days[day], `Autumn sale ${at % 40} 秋の新作`, keyword],
    metrics: [
      { values: [`${row % 900}`, `${row % 700}`, `${row % 30}`, `${row % 9000}.25`, `${row % 5000}`] },
    ],
  }
}
