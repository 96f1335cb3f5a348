import { type ConversionAction, CONVERSION_ACTIONS } from '#sandbox/dataset/google-ads.ts'
import type { Metric } from '#sandbox/dataset/metrics.ts'
import type { DataType, Resource } from './field.ts'

/** The campaigns that a metric exists for. */
export type Scope = 'all' | 'search' | 'content' | 'people'

/** What was added up for a row; counts are null when no campaign of the scope delivered. */
export interface Counted {
  count(metric: Metric, scope: Scope): number
  /** The same, one day earlier. */
  dayBefore(metric: Metric): number
  /** How many people were met at least so many times. */
  people(times: number): number
  /** How many units of the facts make one of the currency. */
  minor_units: number
  /** The actions that the row is about. */
  actions: readonly ConversionAction[]
  quality_score: number | null
}

export interface MetricField {
  type: DataType
  scope: Scope
  /** The facts that it is made of. */
  of: readonly Metric[]
  /** null: not on this row. */
  value(counted: Counted): number | null
  /** Resources other than these refuse it. */
  only: readonly Resource[] | null
  /** Can be combined with segments.conversion_action*. */
  per_action: boolean
  /** Cannot be combined with segments.hour. */
  not_hourly: boolean
  /** Counts people: cannot be split by device, hour or conversion action, and only over so many days. */
  days: number | null
  needs_day_before: boolean
}

type Value = MetricField['value']

const field = (
  type: DataType,
  of: readonly Metric[],
  { value, more = {} }: { value: Value; more?: Partial<MetricField> },
): MetricField => ({
  type,
  scope: 'all',
  of,
  value,
  only: null,
  per_action: false,
  not_hourly: false,
  days: null,
  needs_day_before: false,
  ...more,
})

const count = (metric: Metric, more: Partial<MetricField> = {}) =>
  field('INT64', [metric], { value: counted => counted.count(metric, 'all'), more })

const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const round4 = (exact: number) => Math.round(exact * 10_000) / 10_000

const rate = (metric: Metric, scope: Scope = 'all') =>
  field('DOUBLE', ['impressions', metric], {
    value: counted => ratio(counted.count(metric, scope), counted.count('impressions', scope)),
    more: { scope },
  })

const LOSSES = ['impressions', 'lost_to_budget', 'lost_to_rank'] as const
const NO_ADS: readonly Resource[] = ['customer', 'campaign', 'ad_group', 'keyword_view']

/** A share of the impressions that could have been had; the ends of the scale are not exact. */
function share(
  part: Metric,
  {
    scope = 'search',
    only = NO_ADS,
    below = true,
  }: { scope?: Scope; only?: readonly Resource[]; below?: boolean } = {},
): MetricField {
  return field('DOUBLE', [...LOSSES, part], {
    value: counted => {
      const [won, budget, rank] = LOSSES.map(metric => counted.count(metric, scope))
      const exact = ratio(counted.count(part, scope), (won ?? 0) + (budget ?? 0) + (rank ?? 0))
      if (exact === null) return null
      if (below) return exact < 0.1 ? 0.0999 : round4(exact)
      return exact > 0.9 ? 0.9001 : round4(exact)
    },
    more: { scope, only, not_hourly: true },
  })
}

const unique = (times: number, days: number) =>
  field('INT64', ['impressions'], { value: counted => counted.people(times), more: { ...PEOPLE, days } })
const PEOPLE: Partial<MetricField> = {
  scope: 'people',
  days: 92,
  only: ['customer', 'campaign', 'ad_group', 'ad_group_ad'],
}

const PRIMARY = CONVERSION_ACTIONS.filter(action => action.primary)
const countsOf = (actions: readonly ConversionAction[]) => actions.flatMap(action => action.counts)
const valuesOf = (actions: readonly ConversionAction[]) =>
  actions.flatMap(action => (action.value ? [action.value] : []))

type Read = (metric: Metric) => number
/** Credits are sixteenths, so that this is exact however rows are cut. */
const credited = (actions: readonly ConversionAction[], read: Read, of: 'counts' | 'values') =>
  actions.reduce((sum, action) => {
    const metrics = of === 'counts' ? countsOf([action]) : valuesOf([action])
    return sum + (metrics.reduce((total, metric) => total + read(metric), 0) * action.credit) / 16
  }, 0)

function conversions(of: 'counts' | 'values', all: boolean): MetricField {
  const chosen = all ? CONVERSION_ACTIONS : PRIMARY
  return field('DOUBLE', of === 'counts' ? countsOf(chosen) : valuesOf(chosen), {
    value: counted => {
      const actions = counted.actions.filter(action => all || action.primary)
      const sum = credited(actions, metric => counted.count(metric, 'all'), of)
      return of === 'counts' ? sum : sum / counted.minor_units
    },
    more: { per_action: true },
  })
}

/** A quarter of what is converted on a day was clicked the day before. */
function byConversionDate(of: 'counts' | 'values'): MetricField {
  return field('DOUBLE', of === 'counts' ? countsOf(PRIMARY) : valuesOf(PRIMARY), {
    value: counted => {
      const actions = counted.actions.filter(action => action.primary)
      const same = credited(actions, metric => counted.count(metric, 'all'), of)
      const before = credited(actions, metric => counted.dayBefore(metric), of)
      const sum = (same * 3 + before) / 4
      return of === 'counts' ? sum : sum / counted.minor_units
    },
    more: { per_action: true, not_hourly: true, needs_day_before: true },
  })
}

const micros = (metric: Metric, part = 1) =>
  field('INT64', [metric], {
    value: counted => counted.count(metric, 'all') * (1_000_000 / counted.minor_units) * part,
  })

const average = (per: Metric, times = 1) =>
  field('DOUBLE', ['spend', per], {
    value: counted =>
      ratio(
        counted.count('spend', 'all') * (1_000_000 / counted.minor_units) * times,
        counted.count(per, 'all'),
      ),
  })

const BROAD: readonly Resource[] = ['customer', 'campaign']
const GROUPS: readonly Resource[] = ['customer', 'campaign', 'ad_group']

const TABLE = {
  impressions: count('impressions'),
  clicks: count('clicks'),
  cost_micros: micros('spend'),
  interactions: field('INT64', ['clicks', 'video_views'], {
    value: counted => counted.count('clicks', 'all') + counted.count('video_views', 'all'),
  }),
  engagements: count('post_reactions'),
  ctr: rate('clicks'),
  average_cpc: average('clicks'),
  average_cpm: average('impressions', 1000),
  invalid_clicks: count('invalid_clicks', { only: BROAD }),
  phone_calls: count('phone_calls', { only: ['campaign', 'ad_group'] }),
  phone_impressions: count('phone_impressions', { only: ['campaign', 'ad_group'] }),

  conversions: conversions('counts', false),
  conversions_value: conversions('values', false),
  all_conversions: conversions('counts', true),
  all_conversions_value: conversions('values', true),
  conversions_by_conversion_date: byConversionDate('counts'),
  conversions_value_by_conversion_date: byConversionDate('values'),
  view_through_conversions: count('view_throughs'),
  cross_device_conversions: field('DOUBLE', ['cross_device_purchases'], {
    value: counted => (counted.count('cross_device_purchases', 'all') * 15) / 16,
  }),
  platform_comparable_conversions: field('DOUBLE', ['web_purchases', 'web_leads'], {
    value: counted => counted.count('web_purchases', 'all') * 0.75 + counted.count('web_leads', 'all'),
    more: { only: ['customer', 'campaign', 'ad_group', 'ad_group_ad'] },
  }),
  new_customer_lifetime_value: field('DOUBLE', ['web_purchase_value'], {
    value: counted => counted.count('web_purchase_value', 'all') / 4 / counted.minor_units,
    more: { only: BROAD },
  }),
  orders: field('DOUBLE', ['web_purchases'], { value: counted => counted.count('web_purchases', 'all') }),
  units_sold: field('DOUBLE', ['web_purchases', 'cross_device_purchases'], {
    value: counted =>
      counted.count('web_purchases', 'all') * 2 + counted.count('cross_device_purchases', 'all'),
  }),
  revenue_micros: micros('web_purchase_value'),
  gross_profit_micros: micros('web_purchase_value', 0.375),

  video_trueview_views: count('video_views'),
  video_watch_time_duration_millis: field('INT64', ['watched_seconds'], {
    value: counted => counted.count('watched_seconds', 'all') * 1000,
  }),
  video_quartile_p25_rate: rate('video_p25'),
  video_quartile_p50_rate: rate('video_p50'),
  video_quartile_p75_rate: rate('video_p75'),
  video_quartile_p100_rate: rate('video_p100'),
  active_view_impressions: count('viewable_impressions'),
  active_view_measurable_impressions: count('measurable_impressions'),

  search_impression_share: share('impressions'),
  search_budget_lost_impression_share: share('lost_to_budget', { only: BROAD, below: false }),
  search_rank_lost_impression_share: share('lost_to_rank', { below: false }),
  search_top_impression_share: share('top_impressions'),
  search_absolute_top_impression_share: share('absolute_top_impressions'),
  content_impression_share: share('impressions', { scope: 'content', only: GROUPS }),
  top_impression_percentage: rate('top_impressions', 'search'),
  absolute_top_impression_percentage: rate('absolute_top_impressions', 'search'),

  unique_users: unique(1, 92),
  unique_users_two_plus: unique(2, 31),
  unique_users_three_plus: unique(3, 31),
  unique_users_four_plus: unique(4, 31),
  unique_users_five_plus: unique(5, 31),
  unique_users_ten_plus: unique(10, 31),
  average_impression_frequency_per_user: field('DOUBLE', ['impressions'], {
    value: counted => ratio(counted.count('impressions', 'people'), counted.people(1)),
    more: PEOPLE,
  }),
  historical_quality_score: field('INT64', ['impressions'], {
    value: counted => counted.quality_score,
    more: {
      only: ['keyword_view'],
    },
  }),
} satisfies Record<string, MetricField>

export const METRIC_FIELDS: ReadonlyMap<string, MetricField> = new Map(
  Object.entries(TABLE).map(([name, metric]) => [`metrics.${name}`, metric]),
)
