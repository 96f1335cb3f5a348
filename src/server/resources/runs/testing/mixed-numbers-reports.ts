import * as fc from 'fast-check'
import { accountChannelOf, catalogueOf } from '#shared/channels/all.ts'
import { filterRules, type Channel, type Dimension, type Filter } from '#shared/channels/catalogue.ts'
import type { FoundAccount } from './mixed-agency.ts'
import type { Fault } from './mixed-numbers-faults.ts'
import { faultOf, drawnFault } from './mixed-numbers-faults.ts'
import { anyMeaning } from './mixed-numbers-meaning.ts'
import { nothingMeant, withoutMeaning, whyNot, withMeaning } from './mixed-numbers-meant.ts'
import type { Days, MixedBlock, MixedReport } from './mixed-numbers-oracle.ts'

/* Random reports over several channels, and random faults of their platforms while they run. */

export interface Drawn {
  report: MixedReport
  faults: Fault[]
  /** Once the faults are over, the platforms have lost the reports that they were preparing. */
  losesJobs: boolean
}

const adChannels = ['fb', 'aw', 'yg', 'tt', 'ln'] as const
/** Universal Analytics ended in June 2023; the advertising of that spring is too long ago for some. */
const springChannels = ['yg', 'ln', 'ga', 'ga_event', 'ga4'] as const

const channel = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Channel[]>(...adChannels) },
  { weight: 1, arbitrary: fc.constant<Channel>('ga4') },
)

/** Substrings of existing names, in another case or width, and texts that need escaping. */
const value = fc.constantFrom(
  ...'e A TWIN twin 2026 Spring autumn 春夏 限定」コスメ 🍁 = =HYPERLINK( +1 -1 @SUM {{ ŞEHİR ﬁ ｆｕｌｌ ＦＵＬＬ İ % _ \\ " \' [SALE] .* |'.split(
    ' ',
  ),
  ...'google CPC organic facebook (direct) Retargeting_ 25–34 台北 "quoted"'.split(' '),
  'old STOCK',
  '100%_OFF [SALE] \\ "quoted"',
  "' OR '1'='1",
  ' ',
)
const filter: fc.Arbitrary<Filter> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      field: fc.constantFrom<Filter['field'][]>(
        'campaign_name',
        'campaign_name',
        'ad_group_name',
        'account_name',
        'source',
        'medium',
      ),
      rule: fc.oneof(
        fc.constantFrom('CONTAINS' as const, 'NOT_CONTAINS' as const),
        fc.constantFrom(...filterRules),
      ),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    // Every kind of device passes; only the platform has to distinguish them.
    weight: 1,
    arbitrary: fc.constant<Filter>({
      field: 'device_type',
      rule: 'NOT_CONTAINS',
      values: ['no such device'],
    }),
  },
)

const block = fc.record({
  channel,
  spring: fc.constantFrom<Channel[]>(...springChannels),
  label: fc.option(fc.constantFrom('甲 "b"', '=A1', 'Meta ads', 'LINE 廣告'), { nil: null, freq: 5 }),
  accounts: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  metrics: fc.shuffledSubarray(
    ['impressions', 'clicks', 'cost', 'ctr', 'cpc', 'cpm', 'sessions', 'total_events', 'reach', 'users'],
    { minLength: 3 },
  ),
  filters: fc.oneof(fc.constant<Filter[]>([]), fc.array(filter, { minLength: 1, maxLength: 2 })),
})

/** Ends of months, without leap days; and the days after which a platform needs another request. */
const LENGTHS = [1, 2, 7, 10, 28, 29, 30, 31, 32, 45, 60, 61, 93]
const range = fc.record({
  months_ago: fc.nat({ max: 11 }),
  day: fc.oneof(fc.constantFrom(1, 2, 28, 30, 31), fc.integer({ min: 1, max: 31 })),
  length: fc.constantFrom(...LENGTHS),
})

export const anyMixedReport = (found: () => readonly FoundAccount[]): fc.Arbitrary<Drawn> =>
  fc
    .record({
      is_spring: fc.integer({ min: 0, max: 5 }).map(number => number === 0),
      range,
      dimensions: fc.shuffledSubarray<Dimension>(
        [
          'date',
          'week',
          'month',
          'account_name',
          'currency',
          'campaign',
          'ad_group',
          'device_type',
          'source_medium',
        ],
        { maxLength: 5 },
      ),
      arrangement: fc.constantFrom('joined' as const, 'stacked' as const),
      fill_zero: fc.boolean(),
      header_language: fc.constantFrom('en' as const, 'zh-TW' as const),
      blocks: fc.array(block, { minLength: 1, maxLength: 4 }),
      /** Reports that the editor would refuse are run, too, but seldom. */
      lenient: fc.integer({ min: 0, max: 9 }).map(number => number === 0),
      troubles: fc.array(drawnFault, { maxLength: 2 }),
      losesJobs: fc.boolean(),
      meaning: fc.option(anyMeaning, { nil: nothingMeant }),
    })
    .map(({ is_spring, lenient, troubles, losesJobs, meaning, ...drawn }) => {
      const blocks = drawn.blocks.map(({ spring, ...each }) => ({
        ...each,
        channel: is_spring ? spring : each.channel,
        is_meant: false,
      }))
      // The comparison of that spring would be of days that some no longer have.
      const meant = is_spring ? { ...meaning, comparison: null, counts: false } : meaning
      const plain = { ...drawn, blocks, ...withoutMeaning, currency: meant.currency }
      const report = withMeaning(supported(plain, { found: found(), is_spring, lenient }), meant)
      return { report, faults: troubles.map(one => faultOf(one, report)), losesJobs }
    })

type Raw = Omit<MixedReport, 'range' | 'blocks'> & {
  range: { months_ago: number; day: number; length: number }
  blocks: (Omit<MixedBlock, 'accounts'> & { accounts: number[] })[]
}

/** With existing accounts, and, unless lenient, without what a block's channel does not have. */
function supported(
  raw: Raw,
  { found, is_spring, lenient }: { found: readonly FoundAccount[]; is_spring: boolean; lenient: boolean },
): MixedReport {
  const some = raw.blocks.map((one, at): MixedBlock => {
    const { label } = one
    const is_taken = raw.blocks.slice(0, at).some(other => other.label === label)
    return known({
      ...one,
      label: is_taken ? null : label,
      accounts: accountsOf(one, { found, is_spring }),
    })
  })
  const offered = raw.dimensions.filter(
    dimension =>
      (dimension !== 'campaign' || !some.some(({ channel: of }) => analytics.includes(of))) &&
      (lenient || some.every(each => has(catalogueOf(each.channel).dimensions, dimension))),
  )
  const dimensions: Dimension[] = raw.currency === null ? withCurrency(offered, some) : offered
  const blocks = some.map(each => (lenient ? each : isOver(each, dimensions)))
  const by_device =
    dimensions.includes('device_type') ||
    blocks.some(({ filters }) => filters.some(({ field }) => field === 'device_type'))
  return { ...raw, range: rangeOf(raw.range, { is_spring, by_device }), dimensions, blocks }
}

const analytics: readonly Channel[] = ['ga', 'ga_event', 'ga4']

/**
 * Without what the oracle does not know: campaigns and linked advertising of web analytics, and people where
 * they are available for few days only.
 */
function known(each: MixedBlock): MixedBlock {
  const has_people = ['fb', 'tt', 'ln'].includes(each.channel)
  if (!analytics.includes(each.channel))
    return has_people ? each : { ...each, metrics: each.metrics.filter(metric => metric !== 'reach') }
  const metrics = each.metrics.filter(metric => ['sessions', 'total_events', 'users'].includes(metric))
  const filters = each.filters.filter(({ field }) => ['source', 'medium', 'device_type'].includes(field))
  return { ...each, filters, metrics: metrics.length > 0 ? metrics : ['total_events'] }
}

/**
 * Accounts with faults of their own are covered by other tests, and so is the property that withholds rows of
 * few people.
 */
const ODD =
  /^[-\d]+$|revoked|expired|jobs fail|tasks fail|reports fail|too large|very l|removed|deleted|app \+ web|ended|suspended/

function accountsOf(
  { channel: of, accounts }: { channel: Channel; accounts: number[] },
  { found, is_spring }: { found: readonly FoundAccount[]; is_spring: boolean },
): FoundAccount[] {
  const own = found.filter(
    ({ channel: each, name, provider }) =>
      each === accountChannelOf(of) &&
      !ODD.test(name) &&
      // Yahoo's other products refuse days that are so long ago.
      !(is_spring && (provider === 'ly_display' || provider === 'yahoo_dsp')),
  )
  return [...new Set(accounts.flatMap(number => own[number % own.length] ?? []))]
}

const has = <T>(list: readonly T[], each: T) => list.includes(each)

/** Money of several currencies is never summed. */
function withCurrency(dimensions: Dimension[], blocks: MixedBlock[]): Dimension[] {
  const currencies = new Set(blocks.flatMap(({ accounts }) => accounts.map(({ currency }) => currency)))
  const separates = dimensions.some(dimension => dimension === 'account_name' || dimension === 'currency')
  return currencies.size > 1 && !separates ? [...dimensions, 'currency'] : dimensions
}

/** Without the filters and metrics that make a block impossible. */
function isOver(block_: MixedBlock, dimensions: Dimension[]): MixedBlock {
  const { channel: of } = block_
  const clear = (part: Partial<MixedBlock>) =>
    whyNot({ ...block_, filters: [], metrics: [], ...part }, dimensions).length === 0
  const base = analytics.includes(of) ? 'total_events' : 'impressions'
  const filters = block_.filters.filter(one => clear({ filters: [one], metrics: [base] }))
  const metrics = block_.metrics.filter(metric => clear({ filters, metrics: [metric] }))
  return { ...block_, filters, metrics: metrics.length > 0 ? metrics : [base] }
}

/** Numbers by device are complete only some days later. */
const TODAY = '2026-11-20'
function rangeOf(
  { months_ago, day, length }: Raw['range'],
  { is_spring, by_device }: { is_spring: boolean; by_device: boolean },
): Days {
  const month = is_spring ? `2023-0${3 + (months_ago % 4)}-01` : `${TODAY.slice(0, 8)}01`
  const first = is_spring
    ? Temporal.PlainDate.from(month)
    : Temporal.PlainDate.from(month).subtract({ months: months_ago })
  const latest = is_spring
    ? Temporal.PlainDate.from('2023-06-30')
    : Temporal.PlainDate.from(TODAY).subtract({ days: by_device ? 3 : 0 })
  const candidate = first.with({ day: Math.min(day, first.daysInMonth) })
  const start = Temporal.PlainDate.compare(candidate, latest) > 0 ? latest : candidate
  const end = start.add({ days: length - 1 })
  return {
    start: start.toString(),
    end: (Temporal.PlainDate.compare(end, latest) > 0 ? latest : end).toString(),
  }
}
