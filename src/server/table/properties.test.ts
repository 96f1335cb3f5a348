import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dimension, Filter, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { Page } from '#server/connectors/connector.ts'
import { chunksOf } from './chunks.ts'
import type { Plan, PlannedRequest } from './plan.ts'
import { totalsOf } from './totals.ts'
import { startTable, type Table } from './shape.ts'
import { oracleTable, type Fact } from './testing/oracle.ts'
import { cellsOfTable, testAccount, testPlan } from './testing/table.ts'

const settings = { numRuns: process.env['LONG'] ? 2000 : 100 }

const FIRST = Temporal.PlainDate.from('2026-10-25')
const dayAt = (offset: number) => FIRST.add({ days: offset }).toString()
const accounts = [
  testAccount(1, { name: 'Shop', currency: 'USD' }),
  testAccount(2, { name: 'Shop', currency: 'JPY' }),
  testAccount(3, { name: 'Atelier 😀', currency: 'USD' }),
]
const names = ['Sale', 'sale', 'ſale K', 'Straße', '廣告', '😀', '\ufffd', '=1+1', '']

/** Facts of one account; an entity has one name a day, and another one from some day on. */
const factOf = fc.record({
  day: fc.integer({ min: 0, max: 44 }),
  account: fc.nat({ max: accounts.length - 1 }),
  campaign: fc.nat({ max: 3 }),
  ad_group: fc.nat({ max: 2 }),
  device_type: fc.constantFrom('mobile', 'desktop', 'tablet'),
  Clicks: fc.option(fc.nat({ max: 50 }), { nil: undefined }),
  Impressions: fc.option(fc.nat({ max: 5000 }), { nil: undefined }),
  Cost: fc.option(fc.integer({ min: -1_000_000, max: 2_000_000_000 }), { nil: undefined }),
  Conversions: fc.option(fc.constantFrom(0, 1, 2.5, 0.333_333, 7), { nil: undefined }),
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
const dataset = fc.record({
  dimensions: fc.shuffledSubarray(candidates, { maxLength: 4 }),
  arrangement: fc.constantFrom('joined' as const, 'stacked' as const),
  fill_zero: fc.boolean(),
  length: fc.integer({ min: 1, max: 45 }),
  facts: fc.array(factOf, { maxLength: 60 }),
  renames: fc.array(fc.nat({ max: 44 }), { minLength: 4, maxLength: 4 }),
  blocks: fc.array(
    fc.record({
      accounts: fc.subarray([1, 2, 3], { minLength: 1 }),
      metrics: fc.subarray(['Clicks', 'Cost', 'CTR', 'Impressions', 'CPC', 'CPM', 'Conversions', 'CVR'], {
        minLength: 1,
      }),
      filters: fc.array(filter, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  sorted: fc.option(fc.record({ at: fc.nat(), named: fc.boolean(), descending: fc.boolean() })),
  limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 }))),
})
const uncut = { sorted: null, limit: null }
type Dataset = typeof dataset extends fc.Arbitrary<infer T> ? T : never

describe('any table', () => {
  it('equals one that is computed from plain objects', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const { plan, days, facts } = open(drawn)
        const cells = cellsOfTable(tableFrom(plan, responsesTo(plan, facts)))
        const blocks = drawn.blocks.map((block, index) => ({
          ...block,
          label: plan.blocks[index]?.label ?? '',
          facts: facts.filter(fact =>
            block.accounts.some(id => fact.account.external_id === String(1000 + id)),
          ),
        }))
        expectClose(cells.slice(1), oracleTable({ ...drawn, sort: plan.sort, days, blocks }))
      }),
      settings,
    )
  })

  it('is the same whatever the order of pages and rows', () => {
    fc.assert(
      fc.property(dataset, fc.infiniteStream(fc.nat()), (drawn, numbers) => {
        const { plan, facts } = open(drawn)
        const all = responsesTo(plan, facts)
        const pages = all.flatMap(({ request, rows }) => rows.map(row => ({ request, rows: [row] })))
        expect(bytesOf(tableFrom(plan, shuffled(pages, numbers)))).toEqual(bytesOf(tableFrom(plan, all)))
      }),
      settings,
    )
  })

  it('is the same however the days are split into chunks', () => {
    fc.assert(
      fc.property(dataset, fc.integer({ min: 1, max: 20 }), (drawn, size) => {
        const { plan, facts, days } = open(drawn)
        const pieces = Array.from({ length: Math.ceil(days.length / size) }, (_, at) =>
          days.slice(at * size, (at + 1) * size),
        )
        const split = pieces.flatMap(piece => slices(plan, facts, piece))
        expect(bytesOf(tableFrom(plan, split))).toEqual(bytesOf(tableFrom(plan, slices(plan, facts, days))))
      }),
      settings,
    )
  })

  it('has rows that add up to the total', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const metrics = ['Clicks', 'Impressions', 'Cost', 'Conversions']
        const blocks = drawn.blocks.slice(0, 1).map(block => ({ ...block, metrics }))
        const cells = (dimensions: Dimension[]) => {
          const { plan, facts } = open({ ...drawn, ...uncut, blocks, dimensions, arrangement: 'joined' })
          return cellsOfTable(tableFrom(plan, responsesTo(plan, facts))).slice(1)
        }
        const width = drawn.dimensions.length
        const sums = metrics.map((_, position) =>
          cells(drawn.dimensions).reduce(
            (sum, row) => sum + BigInt(Math.round(Number(row[width + position]) * 1_000_000)),
            0n,
          ),
        )
        const [total = metrics.map(() => 0)] = cells([])
        expect(total.map(cell => BigInt(Math.round(Number(cell) * 1_000_000)))).toEqual(sums)
      }),
      settings,
    )
  })

  it('has totals that are the sums of its own rows', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const metrics = ['Clicks', 'Impressions', 'Conversions', 'CTR']
        const blocks = drawn.blocks.map(block => ({ ...block, metrics }))
        const { plan, facts } = open({ ...drawn, blocks, arrangement: 'stacked' })
        const table = tableFrom(plan, responsesTo(plan, facts))
        const width = 1 + drawn.dimensions.length
        const totals = totalsOf(plan, table)
        const [clicks, impressions, conversions] = metrics.map((_, at) => {
          const cells = cellsOfTable(table).flatMap(row => {
            const cell = row[width + at]
            return typeof cell === 'number' ? [BigInt(Math.round(cell * 1_000_000))] : []
          })
          return Number(cells.reduce((sum, cell) => sum + cell, 0n)) / 1_000_000
        })
        expect(totals.slice(0, width)).toEqual(Array.from({ length: width }, () => ''))
        expect(totals.slice(width, -1).map(Number)).toEqual([clicks, impressions, conversions])
        const rate = Number(totals.at(-1) || 0)
        expect(rate).toBeCloseTo(impressions ? (clicks ?? 0) / impressions : 0, 9)
      }),
      settings,
    )
  })

  it('has the same values joined and stacked', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const fixed = {
          ...drawn,
          ...uncut,
          fill_zero: false,
          blocks: drawn.blocks.map(block => ({ ...block, metrics: ['Cost', 'CTR'] })),
        }
        const cells = (arrangement: 'joined' | 'stacked') => {
          const { plan, facts } = open({ ...fixed, arrangement })
          return { plan, rows: cellsOfTable(tableFrom(plan, responsesTo(plan, facts))).slice(1) }
        }
        const width = drawn.dimensions.length
        const joined = cells('joined')
        const restacked = joined.plan.blocks.flatMap(({ label }, index) =>
          joined.rows
            .map(row => [
              label,
              ...row.slice(0, width),
              ...row.slice(width + index * 2, width + index * 2 + 2),
            ])
            .filter(row => row.slice(1 + width).some(cell => cell !== '')),
        )
        const stacked = cells('stacked').rows.filter(row => row.slice(1 + width).some(cell => cell !== ''))
        expect(stacked).toEqual(restacked)
      }),
      settings,
    )
  })
})

function open(drawn: Dataset) {
  const { length, dimensions, arrangement, fill_zero, blocks, limit } = drawn
  const range = { start: dayAt(0), end: dayAt(length - 1) }
  const sort = sortOf(drawn)
  const plan = testPlan({ dimensions, arrangement, fill_zero, sort, limit, accounts, range, blocks })
  const days = Array.from({ length }, (_, offset) => dayAt(offset))
  return { plan, days, facts: factsOf(drawn) }
}

/** By any column of the table, with or without naming its block. */
function sortOf({ sorted, dimensions, blocks }: Dataset): Plan['sort'] {
  if (!sorted) return null
  const { at, named, descending } = sorted
  const columns = [
    ...dimensions.map(by => ({ by: by as string, block: null })),
    ...blocks.flatMap(({ metrics }, block) => metrics.map(by => ({ by, block: named ? block : null }))),
  ]
  const column = columns[at % columns.length]
  return column ? { ...column, descending } : null
}

function factsOf({ facts, length, renames }: Dataset): Fact[] {
  return facts
    .filter(fact => fact.day < length)
    .map(({ day, account, campaign, ad_group, device_type, ...metrics }) => {
      const { external_id = '', name = '', currency = '' } = accounts[account] ?? {}
      const renamed = day >= (renames[campaign] ?? 0) ? 4 : 0
      return {
        day: dayAt(day),
        account: { external_id, name, currency },
        campaign: { id: `c${campaign}`, name: names[(campaign + renamed) % names.length] ?? '' },
        ad_group: {
          id: `g${campaign}.${ad_group}`,
          name: names[(campaign * 3 + ad_group + renamed) % names.length] ?? '',
        },
        device_type,
        metrics,
      }
    })
}

interface Row {
  slice: string
  date: string
  values: { key: string; label: string }[]
  metrics: number[]
}
interface Response {
  request: number
  rows: Row[]
}

/** The facts for a request, one row each. */
const responsesTo = (plan: Plan, facts: Fact[]): Response[] =>
  plan.requests.map((planned, index) => ({
    request: index,
    rows: factsFor(planned, facts).map(fact => rowOf(planned, fact)),
  }))

/**
 * The same added up by slice and combination, as a platform responds for some days: in a slice an entity has
 * one name, its last.
 */
const slices = (plan: Plan, facts: Fact[], days: string[]): Response[] =>
  plan.requests.map((planned, index) => {
    const rows = new Map<string, Row>()
    const labels = new Map<string, string>()
    const known = factsFor(planned, facts).filter(fact => days.includes(fact.day))
    for (const fact of known.toSorted((one, two) => (one.day < two.day ? -1 : 1))) {
      const row = rowOf(planned, fact)
      const slice = sliceOf(fact.day, planned.request.time)
      row.values.forEach(({ key, label }, position) => labels.set(`${slice} ${position} ${key}`, label))
      const key = JSON.stringify([slice, row.values.map(value => value.key)])
      const before = rows.get(key)
      const metrics = row.metrics.map((value, position) =>
        plus(before?.metrics[position] ?? Number.NaN, value),
      )
      const date = slice < (days[0] ?? '') ? (days[0] ?? '') : slice
      rows.set(key, { ...row, slice, date, metrics })
    }
    return {
      request: index,
      rows: [...rows.values()].map(row => ({
        ...row,
        values: row.values.map(({ key, label }, position) => ({
          key,
          label: labels.get(`${row.slice} ${position} ${key}`) ?? label,
        })),
      })),
    }
  })

const plus = (one: number, other: number) =>
  Number.isNaN(one) ? other : Number.isNaN(other) ? one : roundly(one + other)
const roundly = (value: number) => Math.round(value * 1_000_000) / 1_000_000

function sliceOf(day: string, time: PlannedRequest['request']['time']): string {
  const date = Temporal.PlainDate.from(day)
  const month = date.with({ day: 1 }).toString()
  const week = date.subtract({ days: date.dayOfWeek - 1 }).toString()
  if (time === 'month_week') return month > week ? month : week
  return { total: '', date: day, week, month }[time]
}

const factsFor = ({ account }: PlannedRequest, facts: Fact[]) =>
  facts.filter(fact => fact.account.external_id === account.external_id)

function rowOf({ request }: PlannedRequest, fact: Fact): Row {
  const value = (dimension: PlatformDimension) => {
    if (dimension === 'device_type' || dimension === 'ad')
      return { key: fact.device_type, label: fact.device_type }
    if (dimension !== 'campaign' && dimension !== 'ad_group')
      throw new Error(`${dimension} is not in the facts`)
    return { key: fact[dimension].id, label: fact[dimension].name }
  }
  const metrics: Record<string, number | undefined> = fact.metrics
  return {
    slice: fact.day,
    date: fact.day,
    values: request.dimensions.map(value),
    metrics: request.metrics.map(metric => metrics[metric] ?? Number.NaN),
  }
}

function tableFrom(plan: Plan, pages: Response[]): Table {
  const collector = startTable(plan)
  for (const { request, rows } of pages) collector.add(request, toPage(rows))
  return collector.finish()
}

function toPage(rows: Row[]): Page {
  const [first] = rows
  return {
    length: rows.length,
    dates: rows.map(row => row.date),
    dimensions: (first?.values ?? []).map((_, position) => ({
      keys: rows.map(row => row.values[position]?.key ?? ''),
      labels: rows.map(row => row.values[position]?.label ?? ''),
    })),
    metrics: (first?.metrics ?? []).map((_, position) =>
      Float64Array.from(rows, row => row.metrics[position] ?? Number.NaN),
    ),
  }
}

const bytesOf = (table: Table) => [...chunksOf(table)].map(chunk => new TextDecoder().decode(chunk.json))

function shuffled<T>(list: T[], numbers: Iterator<number>): T[] {
  return list
    .map(entry => ({ entry, at: Number(numbers.next().value) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ entry }) => entry)
}

/** Texts and sums exactly, quotients to the last digits. */
function expectClose(cells: unknown[][], expected: (string | number)[][]): void {
  // Rounding both would separate what lies on either side of a rounding boundary.
  const close = expected.map((row, at) =>
    row.map((cell, position) => {
      const found = cells[at]?.[position]
      if (typeof cell !== 'number' || typeof found !== 'number') return cell
      return Math.abs(found - cell) <= Math.abs(cell) * 1e-12 ? found : cell
    }),
  )
  expect(cells).toEqual(close)
}
