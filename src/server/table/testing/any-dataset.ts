import * as fc from 'fast-check'
import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import { channelMetrics, meaning } from './any-meaning.ts'

/* Random reports over the test catalogue with what its platform knows. */

/** Days count from the first of the range, or of the period that it is compared with. */
const factOf = fc.record({
  day: fc.oneof(fc.integer({ min: 0, max: 44 }), fc.integer({ min: 27, max: 30 })),
  is_before: fc.boolean(),
  account: fc.nat({ max: 2 }),
  campaign: fc.nat({ max: 3 }),
  ad_group: fc.nat({ max: 2 }),
  device_type: fc.constantFrom('mobile', 'desktop', 'tablet'),
  clicks: fc.option(fc.nat({ max: 50 }), { nil: undefined }),
  impressions: fc.option(fc.nat({ max: 5000 }), { nil: undefined }),
  cost: fc.option(fc.integer({ min: -1_000_000, max: 2_000_000_000 }), { nil: undefined }),
  conversions: fc.option(fc.constantFrom(0, 1, 2.5, 0.333_333, 7), { nil: undefined }),
  value: fc.option(fc.integer({ min: 0, max: 9_000_000_000 }), { nil: undefined }),
  sessions: fc.option(fc.nat({ max: 90 }), { nil: undefined }),
})

const filter: fc.Arbitrary<Filter> = fc.record({
  field: fc.constantFrom('campaign_name', 'ad_group_name', 'device_type', 'account_name', 'account_id'),
  rule: fc.constantFrom('EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'),
  values: fc.array(
    fc.constantFrom(
      'SALE',
      's',
      'k',
      'STRASSE',
      'strasse',
      'straße',
      'MOBILE',
      'e',
      '1002',
      'shop',
      '😀',
      '=',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
})

const candidates: Dimension[] = [
  'month',
  'week',
  'date',
  'account_name',
  'account_id',
  'currency',
  'campaign',
  'ad_group',
  'device_type',
]

/** Firsts and last days of months and leap days; some have days that the compared month lacks. */
const calendar = fc.oneof(
  fc.record({
    start: fc.constantFrom('2026-10-25', '2026-11-01', '2026-10-01', '2029-02-01', '2027-12-31'),
    length: fc.integer({ min: 1, max: 45 }),
  }),
  fc.constantFrom(
    { start: '2026-03-01', length: 31 },
    { start: '2026-05-01', length: 31 },
    { start: '2028-02-01', length: 29 },
  ),
)

const blockMetrics = fc
  .tuple(fc.shuffledSubarray(channelMetrics, { maxLength: 5 }), fc.subarray(['calc:1', 'calc:2']))
  .map(all => all.flat())
  .filter(all => all.length > 0)

const anyDraw = fc.record({
  calendar,
  dimensions: fc.shuffledSubarray(candidates, { maxLength: 4 }),
  arrangement: fc.constantFrom('joined' as const, 'stacked' as const),
  fill_zero: fc.boolean(),
  facts: fc.array(factOf, { maxLength: 60, size: 'max' }),
  renames: fc.array(fc.nat({ max: 44 }), { minLength: 4, maxLength: 4 }),
  blocks: fc.array(
    fc.record({
      accounts: fc.subarray([1, 2, 3], { minLength: 1 }),
      metrics: blockMetrics,
      filters: fc.oneof(fc.constant<Filter[]>([]), fc.array(filter, { maxLength: 2 })),
      is_meant: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  sorted: fc.option(fc.record({ at: fc.nat(), named: fc.boolean(), descending: fc.boolean() })),
  limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 }))),
  meaning,
})
export const dataset = anyDraw.map(({ calendar: days, ...rest }) => ({ ...days, ...rest }))
export type Dataset = typeof dataset extends fc.Arbitrary<infer T> ? T : never

/** Without what cuts the table. */
export const uncut = { sorted: null, limit: null }

/** Without what is rounded in each row of a platform. */
export const unrounded = (drawn: Dataset): Dataset => ({
  ...drawn,
  meaning: { ...drawn.meaning, currency: null, agreements: [] },
})

/** Without columns of other periods and blocks either. */
export const plain = (drawn: Dataset): Dataset => {
  const { meaning: meant, ...rest } = unrounded(drawn)
  return { ...rest, meaning: { ...meant, comparison: null, blends: [] } }
}

/** What a report could say before numbers meant anything beyond the catalogue. */
export const meaningless = (drawn: Dataset): Dataset => {
  const rest = plain(drawn)
  const blocks = rest.blocks.map(block => {
    const metrics = block.metrics.filter(metric => metric !== 'client_cost' && !metric.startsWith('calc:'))
    return { ...block, metrics: metrics.length > 0 ? metrics : ['clicks'], is_meant: false }
  })
  return { ...rest, blocks }
}
