import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dimension, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { Page } from '#server/connectors/connector.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { chunksOf } from './chunks.ts'
import type { Plan, PlannedRequest } from './plan.ts'
import { totalsOf } from './totals.ts'
import { startTable, type Table } from './shape.ts'
import { dataset, meaningless, plain, uncut, unrounded } from './testing/any-dataset.ts'
import { open } from './testing/open-dataset.ts'
import { lengthOf, shiftedBy } from './testing/oracle-days.ts'
import { oracleHeader } from './testing/oracle-headers.ts'
import { oracleTotals } from './testing/oracle-totals.ts'
import { oracleTable, type Fact, type OracleCell } from './testing/oracle.ts'
import { cellsOfTable } from './testing/table.ts'

const settings = { numRuns: process.env['LONG'] ? 2000 : 100 }

describe('any table', () => {
  it('equals one that is computed from plain objects', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const { plan, report, header, facts } = open(drawn)
        const [titles, ...cells] = cellsOfTable(tableFrom(plan, slices(plan, facts)))
        expect(titles).toEqual(oracleHeader(report, header))
        expectClose(cells, oracleTable(report))
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
        const { plan, facts } = open(unrounded(drawn))
        const split = Array.from({ length: Math.ceil(62 / size) }, (_, at) => ({ size, at }))
        const pieces = split.flatMap(piece => slices(plan, facts, piece))
        expect(bytesOf(tableFrom(plan, pieces))).toEqual(bytesOf(tableFrom(plan, slices(plan, facts))))
      }),
      settings,
    )
  })

  it('has rows that add up to the total', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const metrics = ['clicks', 'impressions', 'cost', 'conversions']
        const blocks = drawn.blocks.slice(0, 1).map(block => ({ ...block, metrics }))
        const cells = (dimensions: Dimension[]) => {
          const { plan, facts } = open({
            ...plain(drawn),
            ...uncut,
            blocks,
            dimensions,
            arrangement: 'joined',
          })
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

  it('has totals that are those of its own rows', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const { plan, report, facts } = open(drawn)
        const table = tableFrom(plan, slices(plan, facts))
        // Of the two zeros a response has one.
        const totals: unknown[] = JSON.parse(JSON.stringify(totalsOf(plan, table)))
        expectClose([totals], [oracleTotals(report)])
      }),
      settings,
    )
  })

  it('has the same values joined and stacked', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const fixed = {
          ...plain(drawn),
          ...uncut,
          fill_zero: false,
          blocks: drawn.blocks.map(block => ({ ...block, metrics: ['cost', 'ctr'] })),
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

describe('the plan of any report that means nothing beyond the catalogue', () => {
  it('asks for each metric once, at the grain of the table, and changes no number', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        const { plan } = open(meaningless(drawn))
        expect([plan.factors, plan.blends, plan.compared, plan.provisional_rates]).toEqual([[], [], null, []])
        for (const { block, request, ...more } of plan.requests) {
          expect(Object.keys(more)).toEqual(['account'])
          expect([request.time, request.range, request.actions]).toEqual([plan.time, plan.range, undefined])
          expect(request.metrics).toEqual(plan.blocks[block]?.measures.map(({ id }) => id))
        }
      }),
      settings,
    )
  })

  it('sends the same requests with the currency that all its accounts have', () => {
    fc.assert(
      fc.property(dataset, drawn => {
        // Both have dollars.
        const blocks = drawn.blocks.map(block => ({ ...block, accounts: [1, 3] }))
        const own = meaningless({ ...drawn, blocks })
        const named = { ...own, meaning: { ...own.meaning, currency: 'USD' as const } }
        expect(open(named).plan.requests).toEqual(open(own).plan.requests)
        expect(open(named).plan.factors).toEqual([])
      }),
      settings,
    )
  })
})

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
const slices = (plan: Plan, facts: Fact[], piece = { size: Infinity, at: 0 }): Response[] =>
  plan.requests.map((planned, index) => {
    const rows = new Map<string, Row>()
    const labels = new Map<string, string>()
    const { start, end } = planned.request.range
    const size = Math.min(piece.size, lengthOf(start, end))
    const first = shiftedBy(start, size * piece.at)
    const known = factsFor(planned, facts).filter(({ day }) => day >= first && day < shiftedBy(first, size))
    for (const fact of known.toSorted((one, two) => (one.day < two.day ? -1 : 1))) {
      const row = rowOf(planned, fact)
      const slice = sliceOf(fact.day, planned.request.time)
      row.values.forEach(({ key, label }, position) => labels.set(`${slice} ${position} ${key}`, label))
      const key = JSON.stringify([slice, row.values.map(value => value.key)])
      const before = rows.get(key)
      const metrics = row.metrics.map((value, position) =>
        plus(before?.metrics[position] ?? Number.NaN, value),
      )
      const date = slice < first ? first : slice
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

const factsFor = ({ account, request: { range } }: PlannedRequest, facts: Fact[]) =>
  facts.filter(
    fact =>
      fact.account.external_id === account.external_id && fact.day >= range.start && fact.day <= range.end,
  )

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
    dates: textColumn(rows.map(row => row.date)),
    dimensions: (first?.values ?? []).map((_, position) => ({
      keys: textColumn(rows.map(row => row.values[position]?.key ?? '')),
      labels: textColumn(rows.map(row => row.values[position]?.label ?? '')),
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

/** Texts and sums exactly, what is worked out to the last digits. */
function expectClose(cells: unknown[][], expected: OracleCell[][]): void {
  // Rounding both would separate what lies on either side of a rounding boundary.
  const close = expected.map((row, at) =>
    row.map(({ print, doubt }, position) => {
      const found = cells[at]?.[position]
      if (doubt === Infinity) return found
      if (typeof print !== 'number' || Object.is(found, -0) || typeof found !== 'number') return print
      return Math.abs(found - print) <= Math.abs(print) * 1e-12 + doubt ? found : print
    }),
  )
  expect(cells).toEqual(close)
}
