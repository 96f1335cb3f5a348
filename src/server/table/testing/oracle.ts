import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import { serial } from './table.ts'

/*
 * The table computed a second time, slowly and from plain objects: the reference for the engine's tests. It
 * shares no code with the engine.
 */

/** The numbers of one day in one account; unknown metrics are left out. */
export interface Fact {
  day: string
  account: { external_id: string; name: string; currency: string }
  campaign: { id: string; name: string }
  ad_group: { id: string; name: string }
  device_type: string
  metrics: Partial<Record<'Clicks' | 'Impressions' | 'Cost' | 'Conversions', number | undefined>>
}

export interface OracleBlock {
  label: string
  metrics: string[]
  filters: Filter[]
  facts: Fact[]
}

export interface OracleReport {
  dimensions: Dimension[]
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  sort: { by: string; block: number | null; descending: boolean } | null
  limit: number | null
  /** Every day of the range. */
  days: string[]
  blocks: OracleBlock[]
}

type Value = { sort: (string | number)[]; print: string | number }
type Combination = { values: Value[]; cells: Map<number, Fact[]> }

/** The rows under the header. */
export function oracleTable(report: OracleReport): (string | number)[][] {
  const rows = rowsByDimensions(report)
  const sorted = report.sort ? rowsByColumn(report, rows, report.sort) : rows
  return sorted.slice(0, report.limit ?? undefined).map(({ print }) => print)
}

interface OracleRow {
  print: (string | number)[]
  values: Value[]
  factsOf: Map<number, Fact[]>
  /** Of a stacked table. */
  block: number | null
}

/** Insertion, one row after the other: each goes behind those that are not after it. */
function rowsByColumn(
  report: OracleReport,
  rows: OracleRow[],
  { by, block, descending }: NonNullable<OracleReport['sort']>,
): OracleRow[] {
  const dimension = report.dimensions.findIndex(name => name === by)
  const first = report.blocks.findIndex(({ metrics }) => metrics.includes(by))
  const columnOf = (row: OracleRow): Value | Fraction | null => {
    if (dimension >= 0) {
      const value = row.values[dimension] ?? empty
      return value.print === '' ? null : value
    }
    const of = row.block ?? block ?? first
    const has = report.blocks[of]?.metrics.includes(by) ?? false
    return (
      (has ? fractionOf(by, row.factsOf.get(of) ?? []) : null) ??
      (report.fill_zero ? { over: 0n, under: 1n } : null)
    )
  }
  const isAfter = (one: Value | Fraction | null, other: Value | Fraction | null): boolean => {
    if (one === null || other === null) return one === null && other !== null
    const order =
      'sort' in one || 'sort' in other
        ? compare('sort' in one ? one.sort : [], 'sort' in other ? other.sort : [])
        : Number(one.over * other.under - other.over * one.under)
    return descending ? order < 0 : order > 0
  }
  const sorted: OracleRow[] = []
  for (const row of rows) {
    const value = columnOf(row)
    const at = sorted.findIndex(other => isAfter(columnOf(other), value))
    sorted.splice(at < 0 ? sorted.length : at, 0, row)
  }
  return sorted
}

interface Fraction {
  over: bigint
  /** Above 0. */
  under: bigint
}

function fractionOf(metric: string, facts: Fact[]): Fraction | null {
  const { over, under } = formulas[metric] ?? { over: 'Clicks' as const }
  const numerator = total(facts, over)
  const denominator = under === undefined ? 1n : total(facts, under)
  if (numerator === null || denominator === null || denominator === 0n) return null
  return denominator < 0n
    ? { over: -numerator, under: -denominator }
    : { over: numerator, under: denominator }
}

function rowsByDimensions(report: OracleReport): OracleRow[] {
  const blocks = report.blocks.map((block, index) => ({ ...block, index, facts: passing(block, report) }))
  if (report.arrangement === 'joined') {
    const layout = blocks.flatMap(({ metrics, index }) => metrics.map(metric => ({ metric, index })))
    return rowsOf(report, blocks).map(({ values, cells }) => ({
      values,
      factsOf: cells,
      block: null,
      print: [
        ...values.map(value => value.print),
        ...layout.map(({ metric, index }) => cellOf(metric, cells.get(index) ?? [], report.fill_zero)),
      ],
    }))
  }
  const metrics = [...new Set(blocks.flatMap(block => block.metrics))]
  return blocks.flatMap(block =>
    rowsOf(report, [block]).map(({ values, cells }) => ({
      values,
      factsOf: cells,
      block: block.index,
      print: [
        block.label,
        ...values.map(value => value.print),
        ...metrics.map(metric => {
          const facts = block.metrics.includes(metric) ? (cells.get(block.index) ?? []) : []
          return cellOf(metric, facts, report.fill_zero)
        }),
      ],
    })),
  )
}

function rowsOf(report: OracleReport, blocks: (OracleBlock & { index: number })[]): Combination[] {
  const names = latestNames(report)
  const table = new Map<string, Combination>()
  const at = (values: Value[]) => {
    const key = JSON.stringify(values.map(value => value.sort))
    const row = table.get(key) ?? { values, cells: new Map() }
    table.set(key, row)
    return row
  }
  for (const { facts, index } of blocks) {
    for (const fact of facts) {
      const { cells } = at(report.dimensions.map(dimension => valueOf(dimension, fact, names)))
      cells.set(index, [...(cells.get(index) ?? []), fact])
    }
  }
  const isTime = report.dimensions.map(dimension => ['month', 'week', 'date'].includes(dimension))
  if (report.fill_zero && isTime.includes(true)) {
    const others = isTime.every(Boolean)
      ? [report.dimensions.map(() => null)]
      : [...table.values()].map(row => row.values)
    for (const other of others) {
      for (const day of report.days) {
        at(
          report.dimensions.map(
            (dimension, position) =>
              (isTime[position] ? timeOf(dimension, day) : null) ?? other[position] ?? empty,
          ),
        )
      }
    }
  }
  return [...table.values()].toSorted((one, two) =>
    compare(
      one.values.flatMap(v => v.sort),
      two.values.flatMap(v => v.sort),
    ),
  )
}

const empty: Value = { sort: [''], print: '' }

function valueOf(dimension: Dimension, fact: Fact, names: Map<string, string>): Value {
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
function latestNames({ blocks }: OracleReport): Map<string, string> {
  const names = new Map<string, string>()
  const facts = blocks.flatMap(block => block.facts).toSorted((one, two) => compare([one.day], [two.day]))
  for (const { account, campaign, ad_group } of facts) {
    names.set(`campaign/${account.external_id}/${campaign.id}`, campaign.name)
    names.set(`ad_group/${account.external_id}/${ad_group.id}`, ad_group.name)
  }
  return names
}

function passing({ facts, filters }: OracleBlock, report: OracleReport): Fact[] {
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
function matchesByPattern(text: string, rule: Filter['rule'], value: string): boolean {
  const quoted = value.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`).replaceAll(/\\-/gu, '-')
  const start = rule === 'EQUAL' || rule === 'STARTS_WITH' ? '^' : ''
  const end = rule === 'EQUAL' || rule === 'ENDS_WITH' ? '$' : ''
  return new RegExp(`${start}${quoted}${end}`, 'iu').test(text)
}

const formulas: Record<
  string,
  { over: keyof Fact['metrics']; under?: keyof Fact['metrics']; times: number }
> = {
  Clicks: { over: 'Clicks', times: 1 },
  Impressions: { over: 'Impressions', times: 1 },
  Cost: { over: 'Cost', times: 1e-6 },
  Conversions: { over: 'Conversions', times: 1 },
  CTR: { over: 'Clicks', under: 'Impressions', times: 1 },
  CPC: { over: 'Cost', under: 'Clicks', times: 1e-6 },
  CPM: { over: 'Cost', under: 'Impressions', times: 1e-3 },
  CVR: { over: 'Conversions', under: 'Clicks', times: 1 },
}

function cellOf(metric: string, facts: Fact[], fillZero: boolean): number | string {
  const { over, under, times } = formulas[metric] ?? { over: 'Clicks' as const, times: 1 }
  const numerator = total(facts, over)
  const denominator = under === undefined ? 1_000_000n : total(facts, under)
  if (numerator === null || denominator === null || denominator === 0n) return fillZero ? 0 : ''
  return (Number(numerator) / Number(denominator)) * times
}

/** In millionths of its unit; null when there is no value. */
function total(facts: Fact[], metric: keyof Fact['metrics']): bigint | null {
  const values = facts.flatMap(fact => fact.metrics[metric] ?? [])
  if (values.length === 0) return null
  return values.reduce((sum, value) => sum + BigInt(Math.round(value * 1_000_000)), 0n)
}

/** By number or by code point, position by position. */
function compare(one: readonly (string | number)[], two: readonly (string | number)[]): number {
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
