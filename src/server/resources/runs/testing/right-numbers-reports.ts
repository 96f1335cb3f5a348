import * as fc from 'fast-check'
import { filterRules, type Dimension, type Filter, type FilterRule } from '#shared/channels/catalogue.ts'
import { fb } from '#shared/channels/fb.ts'
import { numbersMetrics } from './right-numbers-metrics-oracle.ts'
import {
  queriedAccounts,
  todayOf,
  whyNot,
  type NumbersAccount,
  type NumbersBlock,
  type NumbersReport,
} from './right-numbers-oracle.ts'

/* Random reports, and random faults of the platform while they run. */

/** Faults as the sandbox's control endpoint takes them. */
export type Fault = { action: string; [fact: string]: unknown }

export interface Drawn {
  report: NumbersReport
  faults: Fault[]
}

const facts = (currency: string, timezone: string) => ({
  currency,
  timezone,
  ecid: null,
  isLost: false,
  has_jobs: true,
})
const TW = facts('TWD', 'Asia/Taipei')
const JP = facts('JPY', 'Asia/Tokyo')
const US = facts('USD', 'America/Los_Angeles')

/** Accounts of the sandbox: ordinary ones, and some with faults of their own. */
const numbersAccounts = {
  taiwan: { ...TW, external_id: '10150357160960121', name: 'Aurora Cosmetics Taiwan' },
  outlet: { ...TW, external_id: '10150357160960122', name: 'Aurora Cosmetics Outlet' },
  japan: { ...JP, external_id: '10150357160960123', name: 'オーロラ化粧品 Japan' },
  america: { ...US, external_id: '10150400220131005', name: 'Borealis Outdoor US' },
  games: { ...US, external_id: '10150733820019008', name: 'Ember Games' },
  opt_in: { ...US, external_id: '10150844730556009', name: 'Fjord Travel' },
  long_name: { ...JP, external_id: '10150511300771010', name: 'Cedar Coffee (a very long ad name)' },
  large: { ...US, external_id: '10150733820019011', name: 'Ember Games Worldwide (very large)' },
  empty: { ...TW, external_id: '10150622911041012', name: 'Delta Fitness new (empty)' },
  revoked: {
    ...JP,
    external_id: '10150844730556013',
    name: 'Fjord Travel Japan (access revoked)',
    isLost: true,
  },
  expired: { ...US, external_id: '10150511300771014', name: 'Cedar Coffee US (login expired)', isLost: true },
  jobs_fail: {
    ...US,
    external_id: '10150733820019015',
    name: 'Ember Games (report jobs fail)',
    has_jobs: false,
  },
  jobs_too_large: { ...US, external_id: '10150733820019016', name: 'Ember Games (report jobs too large)' },
  jobs_skipped: { ...TW, external_id: '10150844730556017', name: 'Fjord Travel (report jobs skipped)' },
  no_omni: { ...JP, external_id: '101506229110410181', name: 'Delta Fitness 日本' },
} satisfies Record<string, NumbersAccount>
type AccountName = keyof typeof numbersAccounts

const accountName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<AccountName[]>('taiwan', 'outlet', 'japan', 'america', 'games') },
  { weight: 5, arbitrary: fc.constantFrom<AccountName[]>('opt_in', 'jobs_skipped', 'no_omni', 'long_name') },
  { weight: 2, arbitrary: fc.constantFrom<AccountName[]>('empty', 'jobs_fail', 'jobs_too_large') },
  { weight: 1, arbitrary: fc.constantFrom<AccountName[]>('revoked', 'expired', 'large') },
)

/** The agency's names of accounts are its own choice; two may even be the same. */
const ownName = fc.option(
  fc.constantFrom(
    'Straße',
    'STRASSE',
    'İstanbul',
    'ｆｕｌｌ ﬁne',
    '=1+1',
    '100%_off \\ "x"',
    '😀 shop',
    'Shop',
  ),
  { nil: null, freq: 3 },
)
const ecid = fc.constantFrom(null, 'EC-001', 'ec-002', 'ＥＣ')

const account = fc
  .record({ name: accountName, own_name: ownName, ecid })
  .map(({ name, own_name, ecid: number }): NumbersAccount => ({
    ...numbersAccounts[name],
    ecid: number,
    ...(own_name !== null && { name: own_name }),
  }))

/** Substrings of existing names, in another case or width, and texts that need escaping. */
const filterValue = fc.constantFrom(
  ...'e A TWIN twin 2026 Spring 春夏 コ 限定」コスメ 🍁 👩‍👩‍👧‍👦 👩 كتاب 彩妝 shop strasse STRASSE 10150 EC- ec'.split(
    ' ',
  ),
  ...'İ i ı I ß SS ẞ ﬁ FI ｆｕｌｌ ＦＵＬＬ full ŞEHİR şehir K ſ ① mobile MOBILE_APP _app desktop Unknown'.split(
    ' ',
  ),
  ...`% _ \\ " ' [50%] = =1+1 +1 -1 @SUM {{ .* ^ $ ( a|b $& # %25 &filtering=[] "}],"x":[{" ","operator":"ANY`.split(
    ' ',
  ),
  'old STOCK',
  '100%_OFF [SALE] \\ "quoted"',
  "' OR '1'='1",
  'Performance ',
  ' ',
  '  ',
  '\t',
  '\n',
)

const filter: fc.Arbitrary<Filter> = fc.record({
  field: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Filter['field'][]>('campaign_name', 'ad_group_name', 'ad_name') },
    { weight: 1, arbitrary: fc.constantFrom(...fb.filters) },
  ),
  rule: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<FilterRule[]>('CONTAINS', 'NOT_CONTAINS') },
    { weight: 1, arbitrary: fc.constantFrom(...filterRules) },
  ),
  values: fc.oneof(
    { weight: 3, arbitrary: fc.array(filterValue, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(filterValue, { minLength: 2, maxLength: 4 }) },
  ),
})

const { summed, single, quotients } = numbersMetrics
const metrics = fc
  .tuple(
    fc.subarray(['impressions', 'cost', 'conversions', 'conversion_value', 'clicks'], { minLength: 1 }),
    fc.subarray(summed, { maxLength: 3 }),
    fc.subarray(quotients, { maxLength: 3 }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.subarray(single, { maxLength: 4 }) },
    ),
    fc.infiniteStream(fc.nat()),
  )
  .map(([usual, others, ratios, singles, numbers]) =>
    [...new Set([...usual, ...others, ...ratios, ...singles])]
      .map(id => ({ id, at: Number(numbers.next().value) }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ id }) => id),
  )

const block = fc.record({
  label: fc.option(fc.constantFrom('Meta ads', 'Meta ads 2', '甲 "b"', '=A1'), { nil: null, freq: 2 }),
  accounts: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
  metrics,
  filters: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Filter[]>([]) },
    { weight: 2, arbitrary: fc.array(filter, { minLength: 1, maxLength: 2 }) },
  ),
})

/**
 * Noon in Taipei; the first day of a year there and the last one of the old year in America; a month's end
 * before a short month's.
 */
const NOWS = ['2026-11-20T02:00:00Z', '2027-01-01T03:00:00Z', '2026-03-31T14:30:00Z']

/** Days before today, or days from the limit of the platform's history. */
const anyRange = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      from: fc.constant('today' as const),
      days: fc.nat({ max: 70 }),
      length: fc.integer({ min: 1, max: 45 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      from: fc.constant('month' as const),
      days: fc.integer({ min: -9, max: 3 }),
      length: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      from: fc.constantFrom(13 as const, 37 as const),
      days: fc.integer({ min: -1, max: 2 }),
      length: fc.integer({ min: 1, max: 12 }),
    }),
  },
)
type DrawnRange = typeof anyRange extends fc.Arbitrary<infer T> ? T : never

const drawnFault = fc.record({
  action: fc.constantFrom(
    ...'cut malformed server_error server_page gateway too_much_data repeat_page reorder cursor reduce timeout usage'.split(
      ' ',
    ),
    ...'async_failed async_too_much async_skipped rate_limit expired_token revoked'.split(' '),
  ),
  skip: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 })),
  count: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 6 }),
})
type DrawnFault = typeof drawnFault extends fc.Arbitrary<infer T> ? T : never
const anyTroubles = fc.oneof(
  { weight: 1, arbitrary: fc.constant<DrawnFault[]>([]) },
  { weight: 3, arbitrary: fc.array(drawnFault, { minLength: 1, maxLength: 4 }) },
)

function faultOf({ action, skip, count }: DrawnFault): Fault {
  const when = { platform: 'meta', path: 'insights', skip, ...(count !== undefined && { count }) }
  const named: Record<string, { action: string; [fact: string]: unknown }> = {
    cursor: { action: 'error', code: 2642 },
    reduce: { action: 'error', code: 1, message: "Please reduce the amount of data you're asking for" },
    timeout: { action: 'error', code: 2, error_subcode: 1504038 },
    gateway: { action: 'server_error', status: 504 },
    server_page: { action: 'server_error', status: 503 },
    usage: { action: 'usage', percent: 96 },
  }
  const asynchronous = action.startsWith('async_')
  return {
    ...when,
    ...(asynchronous && { method: 'POST', skip: skip % 2 }),
    ...(named[action] ?? { action }),
  }
}

const allDimensions: Dimension[] = [...fb.dimensions]

export const anyReport: fc.Arbitrary<Drawn> = fc
  .record({
    now: fc.constantFrom(...NOWS),
    range: anyRange,
    dimensions: fc.shuffledSubarray(allDimensions, { maxLength: 6 }),
    arrangement: fc.constantFrom('joined' as const, 'stacked' as const),
    fill_zero: fc.boolean(),
    sorted: fc.option(fc.record({ at: fc.nat(), named: fc.boolean(), descending: fc.boolean() })),
    limit: fc.option(fc.integer({ min: 1, max: 300 }), { freq: 1 }),
    header_language: fc.constantFrom('en' as const, 'zh-TW' as const),
    accounts: fc.uniqueArray(account, { minLength: 3, maxLength: 3, selector: each => each.external_id }),
    blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
    /** How often the platform requires shorter pages of each account: 500, 100, 20. */
    shortened: fc.nat({ max: 2 }),
    /** Reports that the editor would refuse are run, too, but seldom. */
    lenient: fc.integer({ min: 0, max: 5 }),
    troubles: anyTroubles,
  })
  .map(({ range: days, lenient, troubles, shortened, sorted, ...report }) => ({
    report: sortedBy(
      supported({ ...report, sort: null, range: rangeOf(days, report.now) }, lenient === 0),
      sorted,
    ),
    faults:
      troubles.length === 0 ? [] : [...shorterPages(report.accounts, shortened), ...troubles.map(faultOf)],
  }))

/** By one of its own columns; the rankings have an order of their own, which shape.test.ts looks at. */
function sortedBy(report: NumbersReport, drawn: { at: number; named: boolean; descending: boolean } | null) {
  const columns = [
    ...report.dimensions.map(by => ({ by: by as string, block: null })),
    ...report.blocks.flatMap((each, index) =>
      each.metrics.map(by => ({ by, block: drawn?.named ? index : null })),
    ),
  ].filter(({ by }) => !by.endsWith('_ranking'))
  const column = drawn && columns[drawn.at % columns.length]
  return { ...report, sort: column ? { ...column, descending: drawn.descending } : null }
}

const shorterPages = (accounts: NumbersAccount[], count: number): Fault[] =>
  count === 0
    ? []
    : accounts.map(one => ({
        ...faultOf({ action: 'reduce', skip: 0, count }),
        account: one.external_id,
      }))

/** Ends today in Taipei at the latest, as every run does. */
function rangeOf({ from, days, length }: DrawnRange, now: string) {
  const today = todayOf(now, TW)
  const start =
    from === 'today'
      ? today.subtract({ days })
      : from === 'month'
        ? today.with({ day: 1 }).add({ days })
        : today.subtract({ months: from }).add({ days })
  const first = Temporal.PlainDate.compare(start, today) > 0 ? today : start
  const last = first.add({ days: length - 1 })
  const end = Temporal.PlainDate.compare(last, today) > 0 ? today : last
  return { start: first.toString(), end: end.toString() }
}

/**
 * Without the metrics that make a block impossible, unless lenient; and with few days where each has many
 * rows.
 */
function supported(report: NumbersReport, lenient: boolean): NumbersReport {
  const by_device =
    report.dimensions.includes('device_type') ||
    report.blocks.some(({ filters }) => filters.some(({ field }) => field === 'device_type'))
  const is_large = report.accounts.some(
    ({ external_id }) => external_id === numbersAccounts.large.external_id,
  )
  const most = (by_device ? 14 : 45) / (is_large ? 14 : 1)
  const start = Temporal.PlainDate.from(report.range.start)
  const last = start.add({ days: Math.ceil(most) - 1 }).toString()
  const range = { start: report.range.start, end: last < report.range.end ? last : report.range.end }
  const blocks = report.blocks.map(one => {
    const accounts = queriedAccounts(report, one)
    const allowed = one.metrics.filter(
      metric => !whyNot(report, { ...one, metrics: [metric] }, accounts).includes('combination_not_allowed'),
    )
    return { ...one, metrics: lenient || allowed.length === 0 ? one.metrics : allowed }
  })
  return { ...report, range, blocks }
}

const { taiwan, outlet, america, jobs_skipped } = numbersAccounts
const fixed = (report: Partial<NumbersReport>, faults: Fault[] = []): Drawn => ({
  report: {
    now: '2026-11-20T02:00:00Z',
    range: { start: '2026-10-26', end: '2026-11-08' },
    dimensions: ['date', 'ad'],
    arrangement: 'joined',
    fill_zero: false,
    sort: null,
    limit: null,
    header_language: 'en',
    accounts: [taiwan],
    blocks: [wanting(['impressions', 'cost', 'roas'])],
    ...report,
  },
  faults,
})
const wanting = (ids: string[], more: Partial<NumbersBlock> = {}): NumbersBlock => ({
  label: null,
  accounts: [0],
  metrics: ids,
  filters: [],
  ...more,
})

/** Cases that random draws find too seldom, and those that have failed once. */
export const fixedReports: Drawn[] = [
  // Many days of single ads: estimated, and fetched by report jobs.
  fixed({ range: { start: '2026-01-15', end: '2026-10-31' } }),
  // A repeated page, and pages out of order.
  fixed({}, [{ platform: 'meta', path: 'insights', action: 'repeat_page', skip: 1, count: 1 }]),
  fixed({}, [{ platform: 'meta', path: 'insights', action: 'reorder', skip: 1, count: 1 }]),
  // The limits of what is kept of people: 13 months beside devices, by jobs beyond.
  ...['2025-10-19', '2025-10-20', '2025-08-30'].flatMap(start =>
    [['unique_clicks'], ['reach', 'cpp']].map(metrics_ =>
      fixed({
        range: { start, end: '2025-11-03' },
        dimensions: ['device_type', 'week'],
        blocks: [wanting(metrics_)],
      }),
    ),
  ),
  // Characters beyond the basic plane after all others; and equal names.
  fixed({
    dimensions: ['account_name', 'campaign'],
    accounts: ['\uff5e', '😀', '\uff5e'].flatMap((name, at) => {
      const account_ = [taiwan, america, outlet][at]
      return account_ ? [{ ...account_, name }] : []
    }),
    blocks: [wanting(['cost', 'reach'], { accounts: [2, 0, 1] })],
  }),
  // A text in the rows of a block that lacks it has no zero.
  fixed({
    arrangement: 'stacked',
    fill_zero: true,
    dimensions: ['ad', 'month', 'week'],
    accounts: [taiwan, jobs_skipped],
    blocks: [wanting(['quality_ranking', 'clicks']), wanting(['cpc'], { accounts: [1] })],
  }),
]
