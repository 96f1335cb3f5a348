import { sourceOf } from '#server/connectors/connector.ts'
import { tiktok } from '#server/connectors/tiktok/report.ts'
import {
  connectorCases,
  dayAfter,
  listOf,
  serve,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

/** The page size that the connector requests; thirty pages make up the report. */
const PAGE_ROWS = 1000
const FIRST = '2024-01-01'

const bench: ConnectorBench = {
  what: 'TikTok, seven metrics',
  reach: 1,
  source: sourceOf(tiktok, { access_token: 'bench', app_id: '1', app_secret: 'bench' }),
  request: rows => ({
    channel: 'tt',
    account: { provider: 'tiktok', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
    range: { start: FIRST, end: dayAfter(FIRST, rows / PAGE_ROWS - 1) },
    time: 'date',
    dimensions: ['campaign'],
    metrics: [
      'impressions',
      'clicks',
      'cost',
      'conversions',
      'conversion_value',
      'video_views',
      'landing_page_views',
    ],
    filters: [],
  }),
  reply: received => ({ json: pageOf(received) }),
}

export const cases = connectorCases(import.meta.filename, [bench])

if (import.meta.main) await serve([bench])

/** Each page is one day of the report. */
function pageOf({ params }: BenchRequest): string {
  const start = Temporal.PlainDate.from(params.get('start_date') ?? '')
  const days = start.until(params.get('end_date') ?? '').days + 1
  const page = Number(params.get('page'))
  const day = `${start.add({ days: page - 1 }).toString()} 00:00:00`
  const pageInfo = { page, page_size: PAGE_ROWS, total_number: days * PAGE_ROWS, total_page: days }
  const list = listOf(PAGE_ROWS, at => rowOf(at, day))
  return `{"code":0,"message":"OK","request_id":"r","data":{"list":[${list}],"page_info":${JSON.stringify(pageInfo)}}}`
}

const rowOf = (row: number, stat_time_day: string) => ({
  dimensions: { campaign_id: `178000200110001${String(row).padStart(4, '0')}`, stat_time_day },
  metrics: {
    campaign_name: `Autumn sale ${row} 秋の新作`,
    impressions: String(8801 + row),
    clicks: String(212 + row),
    spend: `${1532 + row}.53`,
    conversion: String(row),
    total_complete_payment_rate: `${row * 40}.25`,
    total_purchase_value: '-',
    total_onsite_shopping_value: '0.00',
    video_play_actions: String(row * 5),
    total_landing_page_view: String(row),
  },
})
