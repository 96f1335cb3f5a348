import type { Account } from '#sandbox/dataset/agency.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { invalid } from '#sandbox/meta/errors.ts'

/** The allowed sets; anything else is refused. */
const ALLOWED = new Set(
  [
    ['age'],
    ['gender'],
    ['age', 'gender'],
    ['country'],
    ['region'],
    ['country', 'region'],
    ['publisher_platform'],
    ['publisher_platform', 'impression_device'],
    ['publisher_platform', 'platform_position'],
    ['publisher_platform', 'platform_position', 'impression_device'],
    ['device_platform'],
    ['product_id'],
    ['frequency_value'],
    ['hourly_stats_aggregated_by_advertiser_time_zone'],
    ['hourly_stats_aggregated_by_audience_time_zone'],
    ['app_id', 'skan_conversion_id'],
  ].map(keyOf),
)
const KNOWN = new Set([...ALLOWED].flatMap(key => key.split(',')))
const ACTION_BREAKDOWNS = new Set([
  'action_type',
  'action_device',
  'action_destination',
  'action_target_id',
  'action_reaction',
])
/** Those that an asterisk set may be joined with. */
const JOINABLE = new Set(['action_type', 'action_target_id', 'action_destination'])
const NOT_JOINABLE_SETS = new Set([
  'device_platform',
  'frequency_value',
  keyOf(['app_id', 'skan_conversion_id']),
])

/** The breakdowns of a request, valid together; throws (#100) otherwise. */
export function legalBreakdowns(breakdowns: string[], actionBreakdowns: string[]): void {
  const unlisted = breakdowns.find(name => !KNOWN.has(name))
  if (unlisted !== undefined) throw notOneOf('breakdowns', breakdowns.indexOf(unlisted), KNOWN)
  const unlistedAction = actionBreakdowns.find(name => !ACTION_BREAKDOWNS.has(name))
  if (unlistedAction !== undefined) {
    throw notOneOf('action_breakdowns', actionBreakdowns.indexOf(unlistedAction), ACTION_BREAKDOWNS)
  }
  if (breakdowns.length === 0) return
  const extra = actionBreakdowns.filter(name => name !== 'action_type')
  const key = keyOf(breakdowns)
  const joined = extra.every(name => JOINABLE.has(name)) && !NOT_JOINABLE_SETS.has(key)
  if (ALLOWED.has(key) && (extra.length === 0 || joined)) return
  const columns = ['action_type', ...extra, ...breakdowns].join(', ')
  throw invalid(`Current combination of data breakdown columns (${columns}) is invalid`)
}

/** Answered empty in the synchronous form for accounts without the option. */
export const needsOption = (breakdowns: string[]) =>
  breakdowns.some(name =>
    ['impression_device', 'hourly_stats_aggregated_by_audience_time_zone', 'frequency_value'].includes(name),
  )

export const isHourly = (breakdowns: string[]) => breakdowns.some(name => name.startsWith('hourly_'))

/** Geography and hours do not cover what happens outside Meta. */
export const knowsOnlyMeta = (breakdowns: string[]) => isHourly(breakdowns) || breakdowns.includes('region')

/** The rows that a breakdown makes of one. */
export function partsOf(breakdowns: string[], account: Account): readonly Part[] {
  const positions = PLACES[account.time_zone]
  switch (keyOf(breakdowns)) {
    case 'device_platform':
      return flat('device_platform', { mobile_app: 0.62, mobile_web: 0.2, desktop: 0.16, unknown: 0.02 })
    case 'age':
      return flat('age', AGES)
    case 'gender':
      return flat('gender', GENDERS)
    case 'age,gender':
      return nested('age', AGES, () => flat('gender', GENDERS))
    case 'country':
      return flat('country', shareOfRegions(positions))
    case 'region':
      return Object.values(positions).flatMap(regions => flat('region', regions))
    case 'country,region':
      return nested('country', shareOfRegions(positions), country => flat('region', positions[country] ?? {}))
    case 'publisher_platform':
      return flat('publisher_platform', PLATFORMS)
    case keyOf(['publisher_platform', 'platform_position']):
      return nested('publisher_platform', PLATFORMS, positionsOf)
    case keyOf(['publisher_platform', 'impression_device']):
      return nested('publisher_platform', PLATFORMS, () => flat('impression_device', DEVICES))
    case keyOf(['publisher_platform', 'platform_position', 'impression_device']):
      return nested('publisher_platform', PLATFORMS, platform =>
        positionsOf(platform).flatMap(position =>
          flat('impression_device', DEVICES).map(device => ({
            keys: { ...position.keys, ...device.keys },
            share: position.share * device.share,
            group: platform,
          })),
        ),
      )
    case 'frequency_value':
      return flat('frequency_value', { 1: 0.5, 2: 0.2, 3: 0.12, 4: 0.08, 5: 0.04, '6-10': 0.06 })
    case 'hourly_stats_aggregated_by_advertiser_time_zone':
    case 'hourly_stats_aggregated_by_audience_time_zone':
      return hours(breakdowns[0] ?? '')
    default:
      return [] // No account has a catalogue or an iOS campaign with SKAdNetwork: nothing to show.
  }
}

type Shares = Record<string, number>

const AGES: Shares = {
  '18-24': 0.17,
  '25-34': 0.31,
  '35-44': 0.24,
  '45-54': 0.14,
  '55-64': 0.08,
  '65+': 0.05,
  Unknown: 0.01,
}
const GENDERS: Shares = { female: 0.56, male: 0.42, unknown: 0.02 }
const PLATFORMS: Shares = { facebook: 0.46, instagram: 0.45, audience_network: 0.07, messenger: 0.02 }
const DEVICES: Shares = {
  android_smartphone: 0.34,
  android_tablet: 0.02,
  desktop: 0.14,
  ipad: 0.04,
  iphone: 0.44,
  other: 0.02,
}
const POSITIONS: Record<string, Shares> = {
  facebook: { feed: 0.7, facebook_stories: 0.1, facebook_reels: 0.15, right_hand_column: 0.05 },
  instagram: { feed: 0.4, instagram_stories: 0.3, instagram_reels: 0.25, instagram_explore: 0.05 },
  audience_network: { an_classic: 0.8, rewarded_video: 0.2 },
  messenger: { messenger_stories: 1 },
}
const PLACES: Record<Account['time_zone'], Record<string, Shares>> = {
  'Asia/Taipei': {
    TW: { 'Taipei City': 0.4, 'Taichung City': 0.3, 'Kaohsiung City': 0.25 },
    HK: { 'Hong Kong': 0.05 },
  },
  'Asia/Tokyo': { JP: { Tokyo: 0.5, Osaka: 0.25, Aichi: 0.2 }, TW: { 'Taipei City': 0.05 } },
  'America/Los_Angeles': {
    US: { California: 0.4, Texas: 0.3, 'New York': 0.2 },
    CA: { 'British Columbia': 0.1 },
  },
}

const flat = (name: string, shares: Shares): Part[] =>
  Object.entries(shares).map(([value, share]) => ({ keys: { [name]: value }, share, group: value }))

/** Parts of parts. They keep the group of the outer value, so that the inner ones add up to the outer row. */
const nested = (name: string, outer: Shares, inner: (value: string) => Part[]): Part[] =>
  Object.entries(outer).flatMap(([value, share]) => {
    const parts = inner(value)
    const total = parts.reduce((sum, part) => sum + part.share, 0)
    return parts.map(part => ({
      keys: { [name]: value, ...part.keys },
      share: (share * part.share) / total,
      group: value,
    }))
  })

const positionsOf = (platform: string) => flat('platform_position', POSITIONS[platform] ?? {})

const shareOfRegions = (positions: Record<string, Shares>): Shares =>
  Object.fromEntries(
    Object.entries(positions).map(([country, regions]) => [
      country,
      Object.values(regions).reduce((a, b) => a + b, 0),
    ]),
  )

const hours = (name: string): Part[] =>
  Array.from({ length: 24 }, (_, hour) => {
    const clock = String(hour).padStart(2, '0')
    const value = `${clock}:00:00 - ${clock}:59:59`
    return { keys: { [name]: value }, share: 0.3 + Math.sin(((hour - 5) / 24) * Math.PI) ** 2, group: value }
  })

function keyOf(names: readonly string[]): string {
  return [...names].toSorted().join(',')
}

const notOneOf = (param: string, index: number, values: Set<string>) =>
  invalid(`${param}[${index}] must be one of the following values: ${[...values].toSorted().join(', ')}`)
