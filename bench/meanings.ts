import { isFormula, readFormula } from '#shared/formula.ts'
import type { Page } from '#server/connectors/connector.ts'
import { constantColumn, textAt, textColumn } from '#server/connectors/text-column.ts'
import { valuesOf, type Expression } from '#server/table/expression.ts'
import { formulaExpression } from '#server/table/plan-columns.ts'
import { planReport } from '#server/table/plan.ts'
import { startTable } from '#server/table/shape.ts'
import { emptySums, extend, type Sums } from '#server/table/sums.ts'
import { testAccount } from '#server/table/testing/table.ts'
import type { BenchCase } from './case.ts'

const METRICS = ['cost', 'clicks', 'impressions', 'purchases'] as const
const FORMULAS = [
  'cost / clicks',
  'cost / impressions * 1000',
  'clicks / impressions',
  'purchases / clicks',
  'cost / purchases',
  '(clicks + purchases) / impressions',
  'cost * 1.15',
  'cost / (clicks + purchases)',
  '(cost - clicks * 0.5 * cost / clicks) / impressions',
  'impressions / (cost + 1 * cost)',
]

/** Ten calculated columns, beside one loop by hand that works out the same numbers of the same sums. */
const calculated: BenchCase = {
  id: 'P18',
  what: 'ten calculated columns',
  sizes: [10_000, 100_000, 1_000_000],
  unit: 'rows',
  reach: { ratio: 1.3 },
  binding: [1_000_000],
  prepare: count => {
    const sums = filledSums(count)
    const groups = Int32Array.from({ length: count }, (_, row) => row)
    const expressions = FORMULAS.map(expressionOf)
    const rows = { count, groups: [groups], sums: [sums] }
    return {
      ours: () => valuesOf(expressions, rows),
      floor: () => byHand(sums, groups),
    }
  },
}

function expressionOf(text: string): Expression {
  const formula = readFormula(text)
  if (!isFormula(formula)) throw new Error(`no formula: ${text}`)
  return formulaExpression(formula, ({ metric }) => ({
    kind: 'measure',
    block: 0,
    measure: METRICS.findIndex(id => id === metric),
    is_additive: true,
  }))
}

function filledSums(count: number): Sums {
  const sums = emptySums(METRICS.map(id => ({ id, kind: id === 'cost' ? 'money' : 'count' })))
  extend(sums, count)
  for (let row = 0; row < count; row++)
    sums.cells.set([(row % 9973) * 10_000 + 1, (row % 97) + 1, (row % 4999) + 7, (row % 13) + 1], row * 4)
  return sums
}

/** The same as somebody would write it for these formulas alone, empty cells included. */
function byHand({ cells }: Sums, groups: Int32Array): Float64Array[] {
  const columns = FORMULAS.map(() => new Float64Array(groups.length))
  for (let row = 0; row < groups.length; row++) {
    const at = (groups[row] ?? 0) * 4
    const cost = ((cells[at] ?? 0) + 0) / 1_000_000
    const clicks = (cells[at + 1] ?? 0) + 0
    const impressions = (cells[at + 2] ?? 0) + 0
    const purchases = (cells[at + 3] ?? 0) + 0
    const values = [
      cost / clicks,
      (cost / impressions) * 1000,
      clicks / impressions,
      purchases / clicks,
      cost / purchases,
      (clicks + purchases) / impressions,
      cost * 1.15,
      cost / (clicks + purchases),
      (cost - (clicks * 0.5 * cost) / clicks) / impressions,
      impressions / (cost + cost),
    ]
    for (let column = 0; column < values.length; column++) {
      const value = values[column] ?? Number.NaN
      const target = columns[column]
      if (target) target[row] = Number.isFinite(value) ? value : Number.NaN
    }
  }
  return columns
}

const PAGE_ROWS = 500
const FIRST = Temporal.PlainDate.from('2024-01-01')
const DAYS = 1000

/** Money that is converted while it is summed, beside a loop by hand before the same sums. */
const conversion: BenchCase = {
  id: 'P18',
  what: 'conversion by monthly rates, while rows are summed',
  sizes: [10_000, 100_000, 1_000_000],
  unit: 'source rows',
  reach: { ratio: 1.3 },
  binding: [1_000_000],
  prepare: count => {
    const pages = moneyPages(count)
    const [plain, converted] = [planIn(null), planIn('TWD')]
    return {
      ours: () => {
        const collector = startTable(converted)
        for (const page of pages) collector.add(0, page)
        collector.finish()
      },
      floor: () => {
        const collector = startTable(plain)
        for (const page of pages) collector.add(0, multiplied(page))
        collector.finish()
      },
    }
  },
}

function planIn(currency: string | null) {
  const block = {
    channel: 'fb' as const,
    label: null,
    accounts: [1],
    metrics: ['cost', 'clicks', 'conversion_value'],
    filters: [],
    on_error: 'leave_empty' as const,
  }
  return planReport(
    {
      dimensions: ['date', 'campaign'],
      arrangement: 'joined',
      fill_zero: false,
      header_language: 'en',
      channels: [block],
      currency,
    },
    {
      accounts: [testAccount(1)],
      range: { start: FIRST.toString(), end: FIRST.add({ days: DAYS - 1 }).toString() },
      money: {
        ratesOf: month => ({
          rates: new Map([
            ['TWD', '1'],
            ['USD', rateOf(month)],
          ]),
          provisional: new Set(),
        }),
        feesOf: () => ({ billing_currency: null, agreements: [] }),
      },
    },
  )
}

const rateOf = (month: string) => `31.5${month.slice(-2)}`

function moneyPages(rows: number): Page[] {
  return Array.from({ length: rows / PAGE_ROWS }, (_, index) => {
    const date = FIRST.add({ days: index % DAYS }).toString()
    const names = Array.from({ length: PAGE_ROWS }, (__, at) => `${at}`)
    const column = (factor: number) => Float64Array.from(names, (__, at) => (index + at) * factor)
    return {
      length: PAGE_ROWS,
      dates: constantColumn(date, PAGE_ROWS),
      dimensions: [{ keys: textColumn(names), labels: textColumn(names) }],
      metrics: [column(1_530_001), column(3), column(40_250_001)],
    }
  })
}

function multiplied(page: Page): Page {
  const factors = new Map<string, number>()
  const times = (values: Float64Array) => {
    const out = new Float64Array(page.length)
    for (let row = 0; row < page.length; row++) {
      const month = textAt(page.dates, row).slice(0, 7)
      let factor = factors.get(month)
      if (factor === undefined) factors.set(month, (factor = Number(rateOf(month))))
      out[row] = Math.round((values[row] ?? 0) * factor)
    }
    return out
  }
  const [cost = new Float64Array(0), clicks = new Float64Array(0), value = new Float64Array(0)] = page.metrics
  return { ...page, metrics: [times(cost), clicks, times(value)] }
}

export const cases = [calculated, conversion]
