import type { Dimension } from '#shared/channels/catalogue.ts'
import { comparedDays, type ComparedDays } from '#server/table/testing/oracle-days.ts'
import type { Sides } from '#server/table/testing/oracle-numbers.ts'
import type { Fact as NumberFact } from '#server/table/testing/oracle.ts'
import type { Cell, Days, Fact, MixedReport, Value } from './mixed-numbers-oracle.ts'

/* The rows of a report over several channels. */

/** The period that a report is compared with. */
export const comparedOf = ({ range, comparison }: MixedReport): ComparedDays | null =>
  comparison && comparedDays(range.start, range.end, comparison)

const isTime = (dimension: Dimension): dimension is 'month' | 'week' | 'date' =>
  ['month', 'week', 'date'].includes(dimension)

export interface Row {
  prints: Cell[]
  /** Of each block. */
  sidesOf: Map<number, Sides>
  /** Whether its day, if it has one, is compared with any. */
  is_matched: boolean
}

export function rowsOf(report: MixedReport, blockFacts: readonly (Fact[] | null)[]): Row[] {
  const { dimensions, range } = report
  const compared = comparedOf(report)
  const rows = new Map<string, Row>()
  const at = (dimensionValues: readonly Value[], day: string) => {
    const key = JSON.stringify(dimensionValues.map(value => value.key))
    const prints = dimensionValues.map(({ print }, index) =>
      isTime(dimensions[index] ?? 'ad') ? serialOf(print) : print,
    )
    const is_matched = !dimensions.includes('date') || compared?.dayBefore(day) !== null
    const row = rows.get(key) ?? { prints, sidesOf: new Map(), is_matched }
    rows.set(key, row)
    return row
  }
  const valuesOf = (fact: Fact) => dimensions.map(dimension => valueOf(dimension, fact))
  const facts = blockFacts.flatMap((answer, block) =>
    (answer ?? []).flatMap(fact => {
      const date = placeOf(fact.date, report)
      return date === null ? [] : { fact: { ...fact, date }, block, own: fact }
    }),
  )
  for (const { fact, block, own } of facts) {
    const { sidesOf } = at(valuesOf(fact), fact.date)
    const sides = sidesOf.get(block) ?? { now: [], before: [] }
    sides[own.date >= range.start ? 'now' : 'before'].push(numberFact(own))
    sidesOf.set(block, sides)
  }
  if (report.fill_zero && dimensions.some(isTime)) {
    const only_time = dimensions.every(isTime)
    const distinct = new Map(
      facts.map(({ fact }) => {
        const dimensionValues = valuesOf(fact)
        const others = dimensionValues.filter((_, index) => !isTime(dimensions[index] ?? 'ad'))
        return [JSON.stringify(others.map(({ key }) => key)), dimensionValues]
      }),
    )
    const others = only_time ? [dimensions.map(() => ({ key: '', print: '' }))] : [...distinct.values()]
    for (const day of daysOf(report.range))
      for (const dimensionValues of others)
        at(
          dimensionValues.map((value, index) => {
            const dimension = dimensions[index] ?? 'ad'
            return isTime(dimension) ? timePlace(dimension, day) : value
          }),
          day,
        )
  }
  return [...rows.values()]
}

/** The day of the range that a day belongs to, which may be of the compared period; null: it is in no row. */
function placeOf(day: string, report: MixedReport): string | null {
  const { range, dimensions } = report
  const compared = comparedOf(report)
  if (day >= range.start || !compared) return day
  const isByDay = dimensions.includes('date') || dimensions.includes('week')
  if (isByDay) return [...daysOf(range)].find(each => compared.dayBefore(each) === day) ?? null
  return dimensions.includes('month') ? compared.monthOf(`${day.slice(0, 7)}-01`) : range.start
}

function numberFact({ date, account, dimensionValues, amounts }: Fact): NumberFact {
  const { channel, external_id, name, currency } = account
  const { campaign, ad_group } = dimensionValues
  return {
    day: date,
    account: { external_id: `${channel} ${external_id}`, name, currency, advertiser: null },
    campaign: { id: campaign?.key ?? '', name: '' },
    ad_group: { id: ad_group?.key ?? '', name: '' },
    device_type: '',
    metrics: amounts,
  }
}

function valueOf(dimension: Dimension, { date, account, dimensionValues }: Fact): Value {
  if (isTime(dimension)) return timePlace(dimension, date)
  const { channel, external_id, name, currency } = account
  switch (dimension) {
    case 'account_name':
      return { key: `${channel} ${external_id}`, print: name }
    case 'currency':
      return { key: currency, print: currency }
    // Each platform has its own kinds of devices: only their sums are known.
    case 'device_type':
      return { key: '', print: '' }
    default: {
      const value = dimensionValues[dimension]
      if (!value) throw new Error(`nothing is known of ${dimension}`)
      return value
    }
  }
}

function timePlace(dimension: 'month' | 'week' | 'date', day: string): Value {
  const date = Temporal.PlainDate.from(day)
  const first =
    dimension === 'month'
      ? date.with({ day: 1 })
      : dimension === 'week'
        ? date.subtract({ days: date.dayOfWeek - 1 })
        : date
  return { key: first.toString(), print: first.toString() }
}

/** Spreadsheets count days from 30 December 1899. */
const serialOf = (day: string) => Temporal.PlainDate.from('1899-12-30').until(day).days

function* daysOf({ start, end }: Days): Generator<string> {
  for (let day = start; day <= end; day = Temporal.PlainDate.from(day).add({ days: 1 }).toString()) yield day
}
