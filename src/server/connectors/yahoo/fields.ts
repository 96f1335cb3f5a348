import type { Dimension, Metric, PlatformDimension } from '#shared/channels/catalogue.ts'
import { ygMetrics } from '#shared/channels/yg-metrics.ts'
import { PlatformFailure, type ReportRequest } from '#server/connectors/connector.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'

/** The field of a metric, for each product that has it: LY Ads by name, Yahoo DSP by number. */
export const metricFields = {
  impressions: everywhere('IMPS', 1),
  clicks: everywhere('CLICKS', 2),
  invalid_clicks: search('INVALID_CLICKS'),
  measured_impressions: display('MEASURED_IMPS'),
  viewable_impressions: display('VIEWABLE_IMPS', 101),
  viewable_clicks: display('VIEWABLE_CLICKS'),

  cost: everywhere('COST', 44),

  reach: display('REACHES', 115),
  frequency: display('AVG_FREQUENCY', 53),
  viewable_reach: display('VIEWABLE_IMPRESSION_REACHES'),

  conversions: everywhere('CONVERSIONS', 23),
  conversion_value: everywhere('CONV_VALUE', 137),
  all_conversions: ly('ALL_CONV'),
  all_conversion_value: ly('ALL_CONV_VALUE'),
  click_conversions: display('CONVERSIONS_VIA_AD_CLICK', 110),
  click_conversion_value: display('CONV_VALUE_VIA_AD_CLICK'),
  // A count, whatever its name says.
  view_through_conversions: display('CONV_VALUE_VIA_VIEW_THROUGH', 109),
  cross_device_conversions: ly('CROSS_DEVICE_CONVERSIONS'),

  video_views: display('VIDEO_VIEWS', 25),
  paid_video_views: display('PAID_VIDEO_VIEWS'),
  video_3s: display('VIDEO_VIEWS_TO_3_SEC'),
  video_10s: display('VIDEO_VIEWS_TO_10_SEC'),
  video_p25: display('VIDEO_VIEWS_TO_25', 26),
  video_p50: display('VIDEO_VIEWS_TO_50', 27),
  video_p75: display('VIDEO_VIEWS_TO_75', 28),
  video_p95: display('VIDEO_VIEWS_TO_95'),
  video_p100: display('VIDEO_VIEWS_TO_100', 29),
  video_avg_time: display('AVG_DURATION_VIDEO_VIEWED'),
  video_avg_share: display('AVG_PERCENT_VIDEO_VIEWED'),

  impression_share: ly('IMPRESSION_SHARE'),
  lost_is_budget: ly('BUDGET_LOST_IMPRESSION_SHARE'),
  lost_is_rank: {
    ly_search: 'QUALITY_LOST_IMPRESSION_SHARE',
    ly_display: 'RANK_LOST_IMPRESSION_SHARE',
  },
  exact_match_is: search('EXACT_MATCH_IMPRESSION_SHARE'),
  top_is: search('SEARCH_TOP_IMPRESSION_SHARE'),
  absolute_top_is: search('SEARCH_ABSOLUTE_TOP_IMPRESSION_SHARE'),
  top_is_lost_budget: search('SEARCH_BUDGET_LOST_TOP_IMPRESSION_SHARE'),
  top_is_lost_rank: search('SEARCH_RANK_LOST_TOP_IMPRESSION_SHARE'),
  absolute_top_is_lost_budget: search('SEARCH_BUDGET_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE'),
  absolute_top_is_lost_rank: search('SEARCH_RANK_LOST_ABSOLUTE_TOP_IMPRESSION_SHARE'),
  top_rate: search('TOP_IMPRESSION_PERCENTAGE'),
  absolute_top_rate: search('ABSOLUTE_TOP_IMPRESSION_PERCENTAGE'),
  click_share: search('SEARCH_CLICK_SHARE'),
  quality_index: search('QUALITY_INDEX'),
  quality_index_then: search('HISTORICAL_QUALITY_SCORE'),
  bid: search('BID'),
  ad_group_bid: search('ADGROUP_BID'),
  first_page_bid: search('FIRST_PAGE_BID_ESTIMATE'),
  top_of_page_bid: search('TOP_OF_PAGE_BID_ESTIMATE'),
} as const satisfies Record<FetchedMetric, MetricFields>

/** The name of a conversion, beside which LY Ads has conversions alone; and what is counted beside it. */
export const CONVERSION_NAME = 'CONVERSION_NAME'
export const conversionsByName = [
  { metric: 'conversions', field: metricFields.all_conversions.ly_search },
  { metric: 'conversion_value', field: metricFields.all_conversion_value.ly_search },
] as const

/** Counted in people: LY Ads has them in reports of their own. */
export const reachMetrics: ReadonlySet<FetchedMetric> = new Set<FetchedMetric>([
  'reach',
  'frequency',
  'viewable_reach',
])

/**
 * What a keyword is set to. Beside the numbers they would split a keyword's row, since keywords of one text
 * can differ in them.
 */
export const keywordSettings: ReadonlySet<FetchedMetric> = new Set<FetchedMetric>([
  'quality_index',
  'bid',
  'ad_group_bid',
  'first_page_bid',
  'top_of_page_bid',
])

/** The columns of a dimension in LY Ads: an entity's id and name, or a plain value. */
export const lyDimensions = {
  campaign: ['CAMPAIGN_ID', 'CAMPAIGN_NAME'],
  ad_group: ['ADGROUP_ID', 'ADGROUP_NAME'],
  ad: ['AD_ID', 'AD_NAME'],
  keyword: ['KEYWORD'],
  device_type: ['DEVICE'],
} as const satisfies Partial<Record<PlatformDimension, readonly [string, string?]>>

/** Yahoo DSP calls its ad groups lines. */
export const dspDimensions = {
  campaign: 5,
  ad_group: 6,
  ad: 7,
  device_type: 34,
} as const satisfies Partial<Record<PlatformDimension, number>>

const devices: Readonly<Record<string, string>> = {
  pc: 'desktop',
  desktop: 'desktop',
  mobile: 'mobile',
  smartphone: 'mobile',
  tablet: 'tablet',
  'connected tv': 'connected_tv',
  other: 'other',
}

/** The products spell devices differently. One that is new here keeps its name. */
export const deviceOf = (label: string) => lookup(devices, label.toLowerCase()) ?? label

type YahooProvider = 'ly_search' | 'ly_display' | 'yahoo_dsp'

/**
 * The fields of the requested metrics in a product, in their order. Throws for one that it does not have, or
 * not beside the others.
 */
export function fieldsAt<P extends YahooProvider>(
  provider: P,
  { metrics, dimensions }: Pick<ReportRequest, 'metrics' | 'dimensions'>,
): { metric: FetchedMetric; field: NonNullable<MetricFields[P]> }[] {
  return metrics.map(id => {
    const fields: MetricFields = isFetched(id) ? metricFields[id] : {}
    const field = fields[provider]
    if (!isFetched(id) || field === undefined || !standsBeside(id, { metrics, dimensions }))
      throw new PlatformFailure('combination_not_allowed', { platform_message: id })
    return { metric: id, field }
  })
}

function standsBeside(
  id: FetchedMetric,
  { metrics, dimensions }: { metrics: readonly string[]; dimensions: readonly Dimension[] },
): boolean {
  const { not_with = [], only_with = [], not_beside = [] }: Metric = ygMetrics[id]
  return (
    only_with.every(dimension => dimensions.includes(dimension)) &&
    !not_with.some(dimension => dimensions.includes(dimension)) &&
    !not_beside.some(metric => metrics.includes(metric))
  )
}

const isFetched = (metric: string): metric is FetchedMetric => Object.hasOwn(metricFields, metric)

/** Every metric that is requested; the derived ones are computed from these. */
export type FetchedMetric = {
  [Id in keyof typeof ygMetrics]: (typeof ygMetrics)[Id]['kind'] extends 'derived' ? never : Id
}[keyof typeof ygMetrics]

export interface MetricFields {
  ly_search?: string
  ly_display?: string
  yahoo_dsp?: number
}

function everywhere(field: string, yahoo_dsp: number) {
  return { ly_search: field, ly_display: field, yahoo_dsp } satisfies MetricFields
}

function ly(field: string) {
  return { ly_search: field, ly_display: field } satisfies MetricFields
}

function search(ly_search: string) {
  return { ly_search } satisfies MetricFields
}

function display(ly_display: string, yahoo_dsp?: number) {
  return { ly_display, ...(yahoo_dsp !== undefined && { yahoo_dsp }) } satisfies MetricFields
}
