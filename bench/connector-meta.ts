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

/** The page size that the connector requests. */
const PAGE_ROWS = 500
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

const benches = Object.entries(shapes).map(([shape, metrics]): ConnectorBench => ({
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

const daysOf = (rows: number) => Math.min(MOST_DAYS, rows / PAGE_ROWS)

/** As many pages of one day each as make up the rows. */
function pageOf({ rows, params }: BenchRequest, has_actions: boolean): string {
  const page = Number(params.get('after') ?? 0)
  const pagesADay = rows / PAGE_ROWS / daysOf(rows)
  const day = dayAfter(FIRST, Math.floor(page / pagesADay))
  const first = (page % pagesADay) * PAGE_ROWS
  const data = listOf(PAGE_ROWS, at => rowOf(first + at, { day, has_actions }))
  const isLast = (page + 1) * PAGE_ROWS >= rows
  const paging = { cursors: { after: String(page + 1) }, ...(!isLast && { next: 'http://bench/' }) }
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
