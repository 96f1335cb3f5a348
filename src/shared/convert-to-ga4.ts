import type { Block, TableSort } from './api/reports.ts'
import { calculatedId, calculatedIds } from './block-catalogue.ts'
import type { Dimension, Filter, FilterField } from './channels/catalogue.ts'
import type { gaMetrics } from './channels/ga-metrics.ts'
import type { ga4Metrics } from './channels/ga4-metrics.ts'
import { sortTarget } from './table-sort.ts'

/** The parts of a report that are about Universal Analytics, or are combined with it. */
export interface ConvertedReport {
  dimensions: Dimension[]
  channels: Block[]
  sort?: TableSort | null | undefined
  limit?: number | null | undefined
}

/** A difference in GA4. */
export interface Conversion {
  /** Position of the block; null for the dimensions, which all blocks share. */
  block: number | null
  kind: 'account' | 'dimension' | 'metric' | 'filter'
  from: string
  /** null: there is nothing like it. */
  to: string | null
  quality: 'close' | 'different' | 'dropped'
}

/**
 * A report over views as one over GA4 properties. `properties` says for each account of a view that of a
 * property. Blocks of other channels stay as they are; so does a report without views.
 */
export function convertToGa4(
  { dimensions, channels, sort, limit }: ConvertedReport,
  properties: ReadonlyMap<number, number>,
): { report: ConvertedReport; conversions: Conversion[] } {
  if (!channels.some(isOfViews)) return { report: { dimensions, channels, sort, limit }, conversions: [] }
  const shared = converted(dimensions, dimension => targets.dimension[dimension])
  const blocks = channels.map((block, index) =>
    isOfViews(block) ? convertedBlock(block, index, properties) : { block, conversions: [] },
  )
  const report = {
    dimensions: shared.items,
    channels: blocks.map(({ block }) => block),
    sort: sort && { ...sort, by: convertedSort(sort.by) },
    limit,
  }
  return {
    report: withoutLostSort(report),
    conversions: [
      ...shared.changes.map(change => ({ block: null, kind: 'dimension' as const, ...change })),
      ...blocks.flatMap(({ conversions }) => conversions),
    ],
  }
}

const convertedSort = (by: string): string =>
  isGaMetric(by) ? (targets.metric[by]?.to ?? by) : isDimension(by) ? (targets.dimension[by]?.to ?? by) : by

/** The first rows by a metric that is gone would be any rows: then there are all, by the dimensions. */
export function withoutLostSort(report: ConvertedReport): ConvertedReport {
  const isLost = report.sort && sortTarget(report, report.sort) === null
  return isLost ? { ...report, sort: null, limit: null } : report
}

/** Whether a block uses views of Universal Analytics. */
export const isOfViews = ({ channel }: Pick<Block, 'channel'>): boolean =>
  channel === 'ga' || channel === 'ga_event'

function convertedBlock(block: Block, index: number, properties: ReadonlyMap<number, number>) {
  const accounts = converted(block.accounts, id => {
    const to = properties.get(id)
    // What a view excludes, a property counts.
    return to === undefined ? null : { to, quality: 'different' }
  })
  // What the agency calculates is worked out of GA4's numbers, as far as they have the same names.
  const calculated = calculatedIds(block.metrics).map(calculatedId)
  const metrics = converted(block.metrics, id => {
    if (calculated.includes(id)) return different(id)
    return isGaMetric(id) ? targets.metric[id] : null
  })
  const fields = block.filters.map(({ field }) => targets.filter[field])
  const about = (kind: Conversion['kind']) => (change: Change) => ({ block: index, kind, ...change })
  return {
    block: {
      ...block,
      channel: 'ga4' as const,
      accounts: accounts.items,
      metrics: metrics.items,
      filters: block.filters.flatMap((filter, at): Filter[] => {
        const target = fields[at]
        return target ? [{ ...filter, field: target.to }] : []
      }),
    },
    conversions: [
      ...accounts.changes.map(about('account')),
      ...metrics.changes.map(about('metric')),
      ...block.filters
        .flatMap(({ field }, at) => changeOf(field, fields[at] ?? null) ?? [])
        .map(about('filter')),
    ],
  }
}

interface Target<To> {
  to: To
  quality: 'same' | 'close' | 'different'
}
type Change = Pick<Conversion, 'from' | 'to' | 'quality'>

/** Each item once, in its order; with what has changed on the way. */
function converted<From extends string | number, To extends string | number>(
  items: readonly From[],
  targetOf: (item: From) => Target<To> | null,
): { items: To[]; changes: Change[] } {
  const found = items.map(item => ({ item, target: targetOf(item) }))
  return {
    items: [...new Set(found.flatMap(({ target }) => (target ? [target.to] : [])))],
    changes: found.flatMap(({ item, target }) => changeOf(item, target) ?? []),
  }
}

function changeOf(from: string | number, target: Target<string | number> | null): Change | null {
  if (target === null) return { from: String(from), to: null, quality: 'dropped' }
  if (target.quality === 'same') return null
  return { from: String(from), to: String(target.to), quality: target.quality }
}

type GaMetric = keyof typeof gaMetrics
const isDimension = (id: string): id is Dimension => Object.hasOwn(targets.dimension, id)
const isGaMetric = (id: string): id is GaMetric => Object.hasOwn(targets.metric, id)

const same = <To>(to: To): Target<To> => ({ to, quality: 'same' })
const close = <To>(to: To): Target<To> => ({ to, quality: 'close' })
const different = <To>(to: To): Target<To> => ({ to, quality: 'different' })

// Sessions are counted anew in GA4, so that hardly any number is quite the same.
const metric: Record<GaMetric, Target<keyof typeof ga4Metrics> | null> = {
  sessions: close('sessions'),
  users: different('users'),
  new_users: close('new_users'),
  pageviews: close('pageviews'),
  unique_pageviews: null,
  // Visits without engagement, where it was visits of a single page.
  bounces: different('bounces'),
  bounce_rate: different('bounce_rate'),
  session_duration: null,
  avg_session_duration: different('avg_session_duration'),
  entrances: null,
  exits: null,
  // Only as far as the same events were built again.
  total_events: different('total_events'),
  unique_events: null,
  event_value: close('event_value'),
  avg_event_value: null,
  sessions_with_event: null,
  events_per_session: null,
  transactions: close('transactions'),
  revenue: close('revenue'),
  // Of key events, where it was of transactions.
  cvr: different('cvr'),
  aov: close('aov'),
  shipping: close('shipping'),
  tax: close('tax'),
  item_quantity: close('items_purchased'),
  item_revenue: close('item_revenue'),
  // What counts as a key event has to be chosen again.
  goal_completions: different('conversions'),
  goal_value: null,
  goal_1_completions: null,
  goal_2_completions: null,
  goal_3_completions: null,
  goal_4_completions: null,
  goal_5_completions: null,
  goal_6_completions: null,
  goal_7_completions: null,
  goal_8_completions: null,
  goal_9_completions: null,
  goal_10_completions: null,
  goal_11_completions: null,
  goal_12_completions: null,
  goal_13_completions: null,
  goal_14_completions: null,
  goal_15_completions: null,
  goal_16_completions: null,
  goal_17_completions: null,
  goal_18_completions: null,
  goal_19_completions: null,
  goal_20_completions: null,
  impressions: close('impressions'),
  clicks: close('clicks'),
  ctr: close('ctr'),
  cost: close('cost'),
  cpc: close('cpc'),
  cpm: close('cpm'),
  cpa: different('cpa'),
  roas: close('roas'),
}

const dimension: Record<Dimension, Target<Dimension> | null> = {
  month: same('month'),
  week: same('week'),
  date: same('date'),
  account_name: same('account_name'),
  account_id: same('account_id'),
  currency: same('currency'),
  ga_account: same('ga_account'),
  property: same('property'),
  // There are no views any more.
  view: different('property'),
  source: close('source'),
  medium: close('medium'),
  source_medium: close('source_medium'),
  campaign: close('campaign'),
  // It was bought keywords and those of tagged links in one; it is the latter now.
  keyword: different('keyword'),
  ad_content: close('ad_content'),
  device_type: same('device_type'),
  // Only of properties that have registered it.
  event_category: different('event_category'),
  // The name of the event.
  event_action: different('event_action'),
  ad_group: null,
  ad: null,
}

/** Numbers of accounts, properties and views are others in GA4: what was written down does not fit there. */
const filter: Record<FilterField, Target<FilterField> | null> = {
  ecid: same('ecid'),
  account_id: null,
  account_name: null,
  campaign_name: close('campaign_name'),
  ad_group_name: null,
  ad_name: null,
  keyword: different('keyword'),
  device_type: same('device_type'),
  ga_account_id: null,
  view_id: null,
  property_id: null,
  property_name: different('property_name'),
  ga4_account_id: null,
  ga4_account_name: null,
  source: close('source'),
  medium: close('medium'),
  ad_content: close('ad_content'),
}

const targets = { metric, dimension, filter }
