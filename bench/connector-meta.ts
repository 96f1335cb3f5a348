import { sourceOf } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import {
  connectorCases,
  dayAfter,
  listOf,
  serve,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

const DAY_ROWS = 500
const FIRST = '2024-02-01'
const MOST_DAYS = 1000

const shapes = {
  'numbers only': ['impressions', 'clicks', 'cost', 'reach', 'inline_link_clicks'],
  'ten metrics, with action lists': [
    'impressions',
    'clicks',
    'cost',
    'reach',
    'conversions',
    'conversion_value',
    'link_clicks',
    'landing_page_views',
    'add_to_cart',
    'video_views',
  ],
}

export const benches = Object.entries(shapes).map(([shape, metrics]): ConnectorBench => ({
  what: `Meta, ${shape}`,
  reach: 0.8,
  source: sourceOf(meta, { access_token: 'bench' }),
  request: rows => ({
    channel: 'fb',
    account: { provider: 'meta', external_id: '1', currency: 'USD', timezone: 'UTC', via: null },
    range: { start: FIRST, end: dayAfter(FIRST, daysOf(rows) - 1) },
    time: 'date',
    dimensions: ['campaign'],
    metrics,
    filters: [],
  }),
  reply: received => ({ json: pageOf(received, metrics.includes('video_views')) }),
  // A million rows of fourteen actions each are 1.4 GB.
  ...(metrics.includes('video_views') && { sizes: [10_000, 100_000] }),
}))

export const cases = connectorCases(import.meta.filename, benches)

if (import.meta.main) await serve(benches)

const daysOf = (rows: number) => Math.min(MOST_DAYS, rows / DAY_ROWS)

/** As many rows as the connector requests, from the one that the cursor names. */
function pageOf({ rows, params }: BenchRequest, has_actions: boolean): string {
  const from = Number(params.get('after') ?? 0)
  const to = Math.min(rows, from + Number(params.get('limit')))
  const rowsADay = rows / daysOf(rows)
  const data = listOf(to - from, at =>
    rowOf((from + at) % rowsADay, { day: dayAfter(FIRST, Math.floor((from + at) / rowsADay)), has_actions }),
  )
  const paging = { cursors: { after: String(to) }, ...(to < rows && { next: 'http://bench/' }) }
  return `{"data":[${data}],"paging":${JSON.stringify(paging)}}`
}

const rowOf = (row: number, { day, has_actions }: { day: string; has_actions: boolean }) => ({
  campaign_id: `12021001100010${String(row).padStart(4, '0')}`,
  campaign_name: `Autumn sale ${row} 秋の新作`,
  impressions: String(8801 + row),
  clicks: String(212 + row),
  spend: `${1532 + row}.53`,
  reach: String(7020 + row),
  ...(has_actions ? actionsOf(row) : { inline_link_clicks: String(row) }),
  date_start: day,
  date_stop: day,
})

const ACTIONS = [
  'link_click',
  'landing_page_view',
  'video_view',
  'post_reaction',
  'comment',
  'post_engagement',
  'page_engagement',
  'omni_view_content',
  'view_content',
  'omni_add_to_cart',
  'add_to_cart',
  'omni_purchase',
  'purchase',
  'offsite_conversion.fb_pixel_purchase',
]

const actionsOf = (row: number) => ({
  actions: ACTIONS.map((action_type, at) => ({ action_type, value: String(row * 3 + at) })),
  action_values: ACTIONS.slice(-3).map(action_type => ({ action_type, value: `${row * 40}.25` })),
})
