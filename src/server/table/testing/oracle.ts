import type { Dimension, Filter } from '#shared/channels/catalogue.ts'
import { leavesOf, type FormulaTree } from './formula-trees.ts'
import type { ComparedDays, ComparedWith } from './oracle-days.ts'
import {
  divided,
  evaluate,
  hasRow,
  isSummed,
  minus,
  numberOf,
  operand,
  plus,
  quotientValue,
  sliceOf,
  times,
  valueOf,
  zero,
  type BlockNumbers,
  type Fraction,
  type Sides,
} from './oracle-numbers.ts'
import { compare, empty, passing, rowsOf, type NumberedBlock, type Value } from './oracle-rows.ts'

/*
 * The table computed a second time, slowly and from plain objects: the reference for the engine's tests. It
 * shares no code with the engine.
 */

export type Measured =
  | 'clicks'
  | 'impressions'
  | 'cost'
  | 'conversions'
  | 'value'
  | 'conversion_value'
  | 'sessions'
  | 'total_events'

/** The numbers of one day in one account; unknown metrics are left out. Money in millionths. */
export interface Fact {
  day: string
  account: { external_id: string; name: string; currency: string; advertiser: number | null }
  campaign: { id: string; name: string }
  ad_group: { id: string; name: string }
  device_type: string
  metrics: Partial<Record<Measured, number | undefined>>
}

export interface OracleBlock {
  label: string
  metrics: string[]
  filters: Filter[]
  accounts: Fact['account'][]
  /** Of the range and of the compared period. */
  facts: Fact[]
  /** What its conversions are the sum of; null: the platform's own. */
  conversion: Measured[] | null
  /** Its numbers are unknown. */
  is_dropped: boolean
}

export interface OracleMoney {
  /** What money is converted to; null: it is not. */
  currency: string | null
  /** Base units for one of a currency, as decimal text. */
  rateOf: (month: string, currency: string) => string | null
  /** The flat fee of an account in a month, in basis points. */
  feeOf: (account: Fact['account'], month: string) => Fee | null
}

interface Fee {
  rate: number
  basis: 'on_top' | 'within'
  /** Whether it is nothing but a rate. */
  is_flat: boolean
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
  formulas: Record<string, FormulaTree>
  /** Those whose change counts in points. */
  shares: ReadonlySet<string>
  blends: { name: string; tree: FormulaTree; is_share: boolean }[]
  money: OracleMoney
  comparison: (ComparedWith & { show: ComparedPart[]; days: ComparedDays }) | null
}

/** A cell: what is exact in it, and by how much a number may be off. */
export interface OracleCell {
  print: string | number
  doubt: number
}

/** The rows under the header. */
export function oracleTable(report: OracleReport): OracleCell[][] {
  return oracleRows(report).map(({ cells }) => cells)
}

export interface OracleRow {
  cells: OracleCell[]
  values: Value[]
  sidesOf: Map<number, Sides>
  /** Of a stacked table. */
  block: number | null
}

/** In the table's order, as many as it has. */
export function oracleRows(report: OracleReport): OracleRow[] {
  const rows = rowsByDimensions(report)
  const sorted = report.sort ? rowsByColumn(report, rows, report.sort) : rows
  return sorted.slice(0, report.limit ?? undefined)
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
    const number = has ? columnValue({ metric: by, shows: 'now' }, row.sidesOf.get(of), { report, of }) : null
    return number ?? (report.fill_zero ? zero : null)
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

export type ComparedPart = 'value' | 'change' | 'percent'
export interface OracleColumn {
  metric: string
  shows: 'now' | ComparedPart
}

/** A metric, and what is shown beside it of the compared period. */
export const columnsOf = (metrics: string[], { comparison }: OracleReport): OracleColumn[] =>
  metrics.flatMap(metric => [
    { metric, shows: 'now' as const },
    ...(['value', 'change', 'percent'] as const)
      .filter(shows => comparison?.show.includes(shows))
      .map(shows => ({ metric, shows })),
  ])

interface Place {
  report: OracleReport
  of: number
}

export function columnValue(
  { metric, shows }: OracleColumn,
  sides: Sides | undefined,
  { report, of }: Place,
): Fraction | null {
  const block = report.blocks[of]
  if (!sides || !block || !hasRow(sides)) return null
  const numbers = numbersOf(block, report)
  if (shows === 'now') return valueOf(metric, sides, { ...numbers, side: 'now' })
  if (shows === 'value') return valueOf(metric, sides, { ...numbers, side: 'before' })
  const [now, before] = (['now', 'before'] as const).map(side =>
    operand(metric, sides, { ...numbers, side, isInRow: true }),
  )
  return compared(shows, { now: now ?? null, before: before ?? null, is_share: report.shares.has(metric) })
}

function compared(
  shows: 'change' | 'percent',
  { now, before, is_share }: { now: Fraction | null; before: Fraction | null; is_share: boolean },
): Fraction | null {
  if (!now || !before) return null
  const change = minus(now, before)
  if (shows === 'percent') return divided(change, before)
  return is_share ? times(change, { over: 100n, under: 1n, doubt: 0 }) : change
}

/** Where some blocks of a blend have the row, the others have 0 of what is summed. */
export function blendValue(
  { tree, is_share }: OracleReport['blends'][number],
  { shows, sidesOf }: { shows: OracleColumn['shows']; sidesOf: Map<number, Sides> },
  report: OracleReport,
): Fraction | null {
  const blocks = leavesOf(tree).flatMap(leaf => blocksOf(leaf, report))
  if (isUnknown({ tree }, report) || !blocks.some(index => hasRow(sidesOf.get(index) ?? nobody))) return null
  const valueOn = (side: 'now' | 'before') =>
    evaluate(tree, leaf => {
      const sumOf = (metric: string) =>
        blocksOf(leaf, report)
          .map(index => {
            const block = report.blocks[index]
            const sides = sidesOf.get(index) ?? nobody
            return block ? operand(metric, sides, { ...numbersOf(block, report), side, isInRow: true }) : null
          })
          .reduce((sum, part) => sum && part && plus(sum, part))
      // Over all channels a quotient is that of the sums.
      const isQuotient = leaf.block === 'all' && !isSummed(leaf.metric, report)
      return isQuotient ? quotientValue(leaf.metric, sumOf) : sumOf(leaf.metric)
    })
  if (shows === 'now' || shows === 'value') return valueOn(shows === 'now' ? 'now' : 'before')
  return compared(shows, { now: valueOn('now'), before: valueOn('before'), is_share })
}

type Leaf = ReturnType<typeof leavesOf>[number]

const blocksOf = ({ block, metric }: Leaf, { blocks }: OracleReport) =>
  block === 'all'
    ? blocks.flatMap(({ metrics }, index) => (metrics.includes(metric) ? [index] : []))
    : [block ?? -1]

/** What none of the blocks has, or one that has failed. */
export const isUnknown = ({ tree }: Pick<OracleReport['blends'][number], 'tree'>, report: OracleReport) =>
  leavesOf(tree)
    .map(leaf => blocksOf(leaf, report))
    .some(each => each.length === 0 || each.some(index => report.blocks[index]?.is_dropped !== false))

const nobody: Sides = { now: [], before: [] }
function numbersOf(block: OracleBlock, { formulas, money, dimensions }: OracleReport): BlockNumbers {
  const { conversion, filters } = block
  const isSplit = (dimension: Dimension, field: Filter['field']) =>
    dimensions.includes(dimension) || filters.some(filter => filter.field === field)
  return {
    formulas,
    conversion,
    money,
    splitBy: fact =>
      JSON.stringify([
        fact.account.external_id,
        sliceOf(fact, dimensions),
        isSplit('campaign', 'campaign_name') && fact.campaign.id,
        isSplit('ad_group', 'ad_group_name') && fact.ad_group.id,
        isSplit('device_type', 'device_type') && fact.device_type,
      ]),
  }
}

function rowsByDimensions(report: OracleReport): OracleRow[] {
  const blocks = report.blocks.map((block, index) => ({ ...block, index, facts: passing(block, report) }))
  if (report.arrangement === 'joined') return joinedRows(report, blocks)
  const metrics = [...new Set(blocks.flatMap(block => block.metrics))]
  const known = blocks.filter(({ is_dropped }) => !is_dropped)
  return known.flatMap(block =>
    rowsOf(report, [block]).map(({ values, cells, is_matched }) => ({
      values,
      sidesOf: cells,
      block: block.index,
      cells: [
        plain(block.label),
        ...values.map(value => plain(value.print)),
        ...columnsOf(metrics, report).map(column => {
          const sides = block.metrics.includes(column.metric) ? cells.get(block.index) : undefined
          const value = columnValue(column, sides, { report, of: block.index })
          return printed(is_matched || column.shows === 'now' ? value : null, report)
        }),
      ],
    })),
  )
}

function joinedRows(report: OracleReport, blocks: NumberedBlock[]): OracleRow[] {
  const layout = blocks.flatMap(({ metrics, index, is_dropped }) =>
    columnsOf(metrics, report).map(column => ({ column, index, is_dropped })),
  )
  const blends = report.blends.flatMap(blend => {
    const is_dropped = isUnknown(blend, report)
    return columnsOf([blend.name], report).map(({ shows }) => ({ blend, shows, is_dropped }))
  })
  return rowsOf(report, blocks).map(({ values, cells, is_matched }) => ({
    values,
    sidesOf: cells,
    block: null,
    cells: [
      ...values.map(value => plain(value.print)),
      ...layout.map(({ column, index, is_dropped }) => {
        if (is_dropped) return plain('')
        const value = columnValue(column, cells.get(index), { report, of: index })
        return printed(is_matched || column.shows === 'now' ? value : null, report)
      }),
      ...blends.map(({ blend, shows, is_dropped }) => {
        if (is_dropped) return plain('')
        const value = blendValue(blend, { shows, sidesOf: cells }, report)
        return printed(is_matched || shows === 'now' ? value : null, report)
      }),
    ],
  }))
}

const plain = (print: string | number): OracleCell => ({ print, doubt: 0 })

const printed = (value: Fraction | null, { fill_zero }: OracleReport): OracleCell =>
  value ? { print: numberOf(value), doubt: value.doubt } : plain(fill_zero ? 0 : '')
