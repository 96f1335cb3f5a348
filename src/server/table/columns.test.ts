import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions, type Channel, type Dimension } from '#shared/channels/catalogue.ts'
import { columnSorts } from '#shared/table-sort.ts'
import { tableSize } from '#shared/table-size.ts'
import { columnsOf } from './columns.ts'
import { planReport, type TableFields } from './plan.ts'
import { testAccount } from './testing/table.ts'

const range = { start: '2026-11-01', end: '2026-11-30' }
const channels: readonly Channel[] = ['fb', 'aw', 'yg', 'ga4']

const blocks = fc.constantFrom(...channels).chain(channel =>
  fc.record({
    channel: fc.constant(channel),
    label: fc.constant(null),
    accounts: fc.constant<number[]>([1]),
    metrics: fc.shuffledSubarray(Object.keys(catalogueOf(channel).metrics), { maxLength: 8 }),
    filters: fc.constant<TableFields['channels'][number]['filters']>([]),
    on_error: fc.constant('leave_empty' as const),
  }),
)
const comparisons = fc.record({
  to: fc.constantFrom('previous_period' as const, 'last_year' as const),
  align: fc.constantFrom('date' as const, 'weekday' as const),
  show: fc.shuffledSubarray(['value' as const, 'change' as const, 'percent' as const], { minLength: 1 }),
})
const reports = fc.record({
  dimensions: fc.shuffledSubarray(Object.keys(allDimensions) as Dimension[], { maxLength: 4 }),
  channels: fc.array(blocks, { minLength: 1, maxLength: 4 }),
  arrangement: fc.constantFrom('joined' as const, 'stacked' as const),
  fill_zero: fc.constant(false),
  header_language: fc.constant('en' as const),
  comparison: fc.option(comparisons),
  blends: fc.array(fc.constant({ name: 'Total', formula: 'all.cost', unit: 'money' as const, decimals: 2 }), {
    maxLength: 3,
  }),
})

/** What the plan's column is sorted by, by its title alone: one that compares, or is a blend, by nothing. */
const sourcesOf = (report: TableFields) =>
  columnsOf(planReport(report, { accounts: [testAccount(1)], range })).map(({ source }) => {
    if (source.kind === 'dimension') return source.dimension
    if (source.kind !== 'metric') return null
    const metric = source.metrics.find(each => each !== null)
    return metric && !metric.id.includes('/') ? metric.id : null
  })

describe('the columns of a report', () => {
  it('are as many as its description says, and sorted by what it says', () => {
    fc.assert(
      fc.property(reports, report => {
        const sources = sourcesOf(report)
        expect(tableSize(report, range).columns).toBe(sources.length)
        expect(columnSorts(report).map(sort => sort?.by ?? null)).toEqual(sources)
      }),
    )
  })
})
