import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import { monthOf } from './oracle-days.ts'
import type { Sides } from './oracle-numbers.ts'
import type { Fact, OracleBlock, OracleReport } from './oracle.ts'
import { serial } from './table.ts'

/* The rows of a table and their order. */

export type Value = { sort: (string | number)[]; print: string | number }
export interface Combination {
  values: Value[]
  cells: Map<number, Sides>
  /** Whether its day, if it has one, is compared with any. */
  is_matched: boolean
}
export type NumberedBlock = OracleBlock & { index: number }

export function rowsOf(report: OracleReport, blocks: NumberedBlock[]): Combination[] {
  const names = latestNames(report)
  const table = new Map<string, Combination>()
  const dayBefore = report.comparison?.days.dayBefore
  const at = (values: Value[], day: string) => {
    const key = JSON.stringify(values.map(value => value.sort))
    const is_matched = !report.dimensions.includes('date') || dayBefore?.(day) !== null
    const row = table.get(key) ?? { values, cells: new Map(), is_matched }
    table.set(key, row)
    return row
  }
  for (const { facts, index } of blocks) {
    for (const fact of facts) {
      const side = report.days.includes(fact.day) ? 'now' : 'before'
      const day = side === 'now' ? fact.day : placeOf(fact.day, report)
      if (day === null) continue
      const { cells } = at(
        report.dimensions.map(dimension => valueIn(dimension, { ...fact, day }, names)),
        day,
      )
      const sides = cells.get(index) ?? { now: [], before: [] }
      sides[side].push(fact)
      cells.set(index, sides)
    }
  }
  for (const { values, day } of filledRows(report, [...table.values()])) at(values, day)
  return [...table.values()].toSorted((one, two) =>
    compare(
      one.values.flatMap(v => v.sort),
      two.values.flatMap(v => v.sort),
    ),
  )
}

/** Every bucket of the range with everything else that occurs at all. */
function filledRows(report: OracleReport, rows: Combination[]): { values: Value[]; day: string }[] {
  const { dimensions, days, fill_zero } = report
  const isTime = dimensions.map(dimension => ['month', 'week', 'date'].includes(dimension))
  if (!fill_zero || !isTime.includes(true)) return []
  const others = isTime.every(Boolean) ? [dimensions.map(() => null)] : rows.map(row => row.values)
  return others.flatMap(other =>
    days.map(day => ({
      day,
      values: dimensions.map(
        (dimension, position) =>
          (isTime[position] ? timeOf(dimension, day) : null) ?? other[position] ?? empty,
      ),
    })),
  )
}

/** A day of the range where a day of the compared period belongs; null: it is in no row. */
function placeOf(before: string, { dimensions, days, comparison }: OracleReport): string | null {
  const isByDay = dimensions.includes('date') || dimensions.includes('week')
  if (isByDay) return days.find(day => comparison?.days.dayBefore(day) === before) ?? null
  return dimensions.includes('month')
    ? (comparison?.days.monthOf(monthOf(before)) ?? null)
    : (days[0] ?? null)
}

export const empty: Value = { sort: [''], print: '' }

function valueIn(dimension: Dimension, fact: Fact, names: Map<string, string>): Value {
  const { account } = fact
  const name = (id: string) => names.get(id) ?? ''
  switch (dimension) {
    case 'account_name':
      return { sort: [account.name, account.external_id], print: account.name }
    case 'account_id':
      return { sort: [account.external_id], print: account.external_id }
    case 'currency':
      return { sort: [account.currency], print: account.currency }
    case 'campaign':
    case 'ad_group': {
      const { id } = fact[dimension]
      const print = name(`${dimension}/${account.external_id}/${id}`)
      return { sort: [print, id, account.external_id], print }
    }
    case 'device_type':
      return { sort: [fact.device_type], print: fact.device_type }
    default:
      return timeOf(dimension, fact.day) ?? empty
  }
}

function timeOf(dimension: Dimension, day: string): Value | null {
  const date = Temporal.PlainDate.from(day)
  const first = {
    month: date.with({ day: 1 }),
    week: date.subtract({ days: date.dayOfWeek - 1 }),
    date,
  }
  if (dimension !== 'month' && dimension !== 'week' && dimension !== 'date') return null
  const number = serial(first[dimension].toString())
  return { sort: [number], print: number }
}

/** Of each entity over all blocks: its last name. */
function latestNames(report: OracleReport): Map<string, string> {
  const names = new Map<string, string>()
  const facts = report.blocks
    .flatMap(block => block.facts)
    .filter(({ day }) => report.days.includes(day) || placeOf(day, report) !== null)
    .toSorted((one, two) => compare([one.day], [two.day]))
  for (const { account, campaign, ad_group } of facts) {
    names.set(`campaign/${account.external_id}/${campaign.id}`, campaign.name)
    names.set(`ad_group/${account.external_id}/${ad_group.id}`, ad_group.name)
  }
  return names
}

export function passing({ facts, filters }: OracleBlock, report: OracleReport): Fact[] {
  const names = latestNames(report)
  return facts.filter(fact =>
    filters.every(({ field, rule, values }) => {
      const { account } = fact
      const texts: Record<string, string> = {
        account_name: account.name,
        account_id: account.external_id,
        campaign_name: names.get(`campaign/${account.external_id}/${fact.campaign.id}`) ?? '',
        ad_group_name: names.get(`ad_group/${account.external_id}/${fact.ad_group.id}`) ?? '',
        device_type: fact.device_type,
      }
      const text = texts[field] ?? ''
      const matches = (value: string) => matchesByPattern(text, rule, value)
      return rule === 'NOT_CONTAINS' ? !values.some(matches) : values.some(matches)
    }),
  )
}

/** A regular expression with "iu" compares by simple case folding. */
export function matchesByPattern(text: string, rule: Filter['rule'], value: string): boolean {
  const quoted = value.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`).replaceAll(/\\-/gu, '-')
  const start = rule === 'EQUAL' || rule === 'STARTS_WITH' ? '^' : ''
  const end = rule === 'EQUAL' || rule === 'ENDS_WITH' ? '$' : ''
  return new RegExp(`${start}${quoted}${end}`, 'iu').test(text)
}

/** By number or by code point, position by position. */
export function compare(one: readonly (string | number)[], two: readonly (string | number)[]): number {
  for (const [position, a] of one.entries()) {
    const b = two[position] ?? ''
    const points = (value: string | number) =>
      typeof value === 'number' ? [value] : Array.from(value, c => c.codePointAt(0) ?? 0)
    const [left, right] = [points(a), points(b)]
    const at = left.findIndex((point, index) => point !== right[index])
    if (at >= 0) return (left[at] ?? 0) - (right[at] ?? -1)
    if (left.length !== right.length) return left.length - right.length
  }
  return 0
}
