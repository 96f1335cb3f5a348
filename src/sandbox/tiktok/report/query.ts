import { dayOf, isoOf } from '#sandbox/dataset/calendar.ts'
import type { TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { advertiserFor, type Caller } from '#sandbox/tiktok/access.ts'
import { invalid, notOneOf, TikTokError } from '#sandbox/tiktok/errors.ts'
import type { Parameters } from '#sandbox/tiktok/parameters.ts'
import { attributesOf, type Level } from './attributes.ts'
import { type EntityTest, readFilters } from './filters.ts'
import { METRIC_FIELDS } from './metrics.ts'

/** A request for a report, valid as a whole. */
export interface Query {
  accounts: readonly TikTokAccount[]
  /** Requested with advertiser_ids: the metrics are the account's, money loses its decimals. */
  many: boolean
  report_type: 'BASIC' | 'AUDIENCE'
  level: Level
  /** As requested, in that order. */
  dimensions: string[]
  time: 'stat_time_day' | 'stat_time_hour' | null
  breakdown: string[]
  metrics: string[]
  /** null: everything that ever was. */
  days: { first: number; last: number } | null
  keeps: EntityTest
  /** The same request has the same text. */
  text: string
}

const LEVEL_NAMES: Record<string, Level> = {
  AUCTION_ADVERTISER: 'advertiser',
  AUCTION_CAMPAIGN: 'campaign',
  AUCTION_ADGROUP: 'adgroup',
  AUCTION_AD: 'ad',
}
const ID_DIMENSIONS: Record<string, Level> = {
  advertiser_id: 'advertiser',
  campaign_id: 'campaign',
  adgroup_id: 'adgroup',
  ad_id: 'ad',
  ad_id_v2: 'ad',
}
const TIME_DIMENSIONS = ['stat_time_day', 'stat_time_hour'] as const
const BASIC_DIMENSIONS = [
  'country_code',
  'ad_type',
  'custom_event_type',
  'event_source_id',
  'page_id',
  'component_name',
  'room_id',
  'post_id',
  'image_id',
  'video_material_id',
  'search_terms',
  'search_keyword',
  'match_type',
  'skan_postback_sequence',
]
const AUDIENCE_DIMENSIONS = [
  'platform',
  'ac',
  'age',
  'gender',
  'country_code',
  'placement',
  'language',
  'interest_category',
  'device_brand_id',
  'province_id',
  'dma_id',
]
const MOST_ACCOUNTS = 5

/** Reads what synchronous reports and tasks have in common. */
export function readQuery(
  parameters: Parameters,
  { caller, synchronous }: { caller: Caller; synchronous: boolean },
): Query {
  const { accounts, many } = readAccounts(parameters, caller, synchronous)
  const service = parameters.choice('service_type', ['AUCTION', 'RESERVATION']) ?? 'AUCTION'
  if (service === 'RESERVATION')
    throw invalid("service_type: RESERVATION is deprecated, correct is ['AUCTION']")
  const report_type = readType(parameters)
  const level = LEVEL_NAMES[parameters.choice('data_level', Object.keys(LEVEL_NAMES)) ?? '']
  if (!level) throw invalid('data_level: Missing data for required field.')
  const shape = readDimensions(parameters, { report_type, level })
  const metrics = readMetrics(parameters, { report_type, level, synchronous, ...shape })
  const days = readDays(parameters, { report_type, ...shape })
  const filtering = parameters.json('filtering')
  return {
    accounts,
    many,
    report_type,
    level,
    ...shape,
    metrics,
    days,
    keeps: readFilters(filtering, { level, synchronous }),
    text: JSON.stringify([
      accounts.map(account => account.id),
      { many, synchronous, report_type, level, ...shape, metrics, days, filtering },
    ]),
  }
}

function readAccounts(parameters: Parameters, caller: Caller, synchronous: boolean) {
  const one = parameters.text('advertiser_id')
  const several = synchronous ? parameters.list('advertiser_ids') : null
  const center = synchronous ? parameters.text('bc_id') : null
  if ([one, several, center].filter(each => each !== null).length !== 1) {
    throw invalid('advertiser_id: Exactly one of advertiser_id, advertiser_ids and bc_id is required.')
  }
  if (center !== null) throw allowListed('bc_id')
  const ids = several ?? (one === null ? [] : [one])
  if (ids.length === 0 || ids.length > MOST_ACCOUNTS) {
    throw invalid(`advertiser_ids: Length must be between 1 and ${MOST_ACCOUNTS}.`)
  }
  const inUtc = synchronous ? parameters.flag('multi_adv_report_in_utc_time') : null
  if (inUtc !== null && !several) throw invalid('multi_adv_report_in_utc_time: Only with advertiser_ids.')
  if (inUtc) throw allowListed('multi_adv_report_in_utc_time')
  return { accounts: ids.map(id => advertiserFor(caller, id)), many: several !== null }
}

function readType(parameters: Parameters): Query['report_type'] {
  const types = ['BASIC', 'AUDIENCE', 'PLAYABLE_MATERIAL', 'CATALOG', 'BC', 'TT_SHOP'] as const
  const type = parameters.choice('report_type', types)
  if (type === null) throw invalid('report_type: Missing data for required field.')
  if (type !== 'BASIC' && type !== 'AUDIENCE') throw allowListed(`report_type ${type}`)
  return type
}

type Shape = Pick<Query, 'dimensions' | 'time' | 'breakdown'>

function readDimensions(parameters: Parameters, about: Pick<Query, 'report_type' | 'level'>): Shape {
  const dimensions = parameters.list('dimensions')
  if (!dimensions || dimensions.length === 0) throw invalid('dimensions: Missing data for required field.')
  const { report_type, level } = about
  const others = report_type === 'BASIC' ? BASIC_DIMENSIONS : AUDIENCE_DIMENSIONS
  const known = [...Object.keys(ID_DIMENSIONS), ...TIME_DIMENSIONS, ...others]
  const unknown = dimensions.filter(name => !known.includes(name))
  if (unknown.length > 0) throw notOneOf('dimensions', unknown, known)
  const ids = dimensions.filter(name => name in ID_DIMENSIONS)
  if (ids.length !== 1 || ids[0] === undefined) {
    throw invalid('dimensions: Exactly one id dimension is required.')
  }
  if (ID_DIMENSIONS[ids[0]] !== level) {
    throw invalid(`dimensions: ${ids[0]} does not match data_level AUCTION_${level.toUpperCase()}.`)
  }
  const times = TIME_DIMENSIONS.filter(name => dimensions.includes(name))
  if (times.length > 1) throw invalid('dimensions: At most one time dimension.')
  const breakdown = dimensions.filter(name => others.includes(name))
  refuseBreakdown(breakdown, report_type)
  if (report_type === 'AUDIENCE' && times[0] === 'stat_time_hour') {
    throw notOneOf('dimensions', times, ['stat_time_day'])
  }
  return { dimensions, time: times[0] ?? null, breakdown }
}

function refuseBreakdown(breakdown: string[], reportType: Query['report_type']): void {
  if (reportType === 'AUDIENCE' && breakdown.length === 0) {
    throw invalid('dimensions: An audience report requires an audience dimension.')
  }
  const isPair = reportType === 'AUDIENCE' && breakdown.toSorted().join(',') === 'age,gender'
  if (breakdown.length > 1 && !isPair) {
    throw invalid(`dimensions: ${breakdown.join(' and ')} are not supported together.`)
  }
}

function readMetrics(
  parameters: Parameters,
  about: Pick<Query, 'report_type' | 'level' | 'breakdown' | 'time'> & { synchronous: boolean },
): string[] {
  const metrics = parameters.list('metrics') ?? ['spend', 'impressions']
  const known = [
    ...attributesOf(about.level),
    ...Object.entries(METRIC_FIELDS).flatMap(([name, field]) => {
      if (about.report_type === 'AUDIENCE' && !field.audience) return []
      if (!about.synchronous && field.only_synchronous) return []
      if (about.breakdown.includes('ad_type') && (field.people || field.website)) return []
      return [name]
    }),
  ]
  const unknown = metrics.filter(name => !known.includes(name))
  if (unknown.length > 0) throw notOneOf('metrics', unknown, known)
  return metrics
}

/** 30 days by day, one by hour, 365 without, both ends counted. */
function readDays(
  parameters: Parameters,
  { report_type, time, breakdown }: Pick<Query, 'report_type' | 'time' | 'breakdown'>,
): Query['days'] {
  const [start, end] = [parameters.text('start_date'), parameters.text('end_date')]
  if (parameters.flag('query_lifetime')) {
    if (report_type !== 'BASIC' || time || breakdown.length > 0) {
      throw invalid('query_lifetime: Only for basic reports without time and breakdown dimensions.')
    }
    return null
  }
  if (start === null) throw invalid('start_date: Missing data for required field.')
  if (end === null) throw invalid('end_date: Missing data for required field.')
  const [first, last] = [dayOf(start), dayOf(end)]
  if (first === null) throw invalid('start_date: Not a valid date, the format is YYYY-MM-DD.')
  if (last === null) throw invalid('end_date: Not a valid date, the format is YYYY-MM-DD.')
  if (last < first) throw invalid(`start_date: ${isoOf(first)} is later than end_date ${isoOf(last)}.`)
  const most = time === 'stat_time_day' ? 30 : time === 'stat_time_hour' ? 1 : 365
  if (last - first + 1 > most) {
    throw invalid(
      `end_date: The max time span is ${most} ${most === 1 ? 'day' : 'days'} ${time ? `with ${time}` : 'without a time dimension'}.`,
    )
  }
  return { first, last }
}

const allowListed = (what: string) =>
  new TikTokError(40118, `${what}: This feature is only available to allow-listed apps.`)
