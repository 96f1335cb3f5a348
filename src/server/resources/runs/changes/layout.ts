import type { StoredTable } from '#server/table/stored-table.ts'
import { columnsOf, type ColumnSource } from '#server/table/columns.ts'
import type { Plan } from '#server/table/plan.ts'
import type { ComparedColumn, Layout } from './compare.ts'

/** A stored table and the plan that it was made with. */
export interface PlannedTable {
  columns: StoredTable['columns']
  plan: Plan
}

export interface LaidOut {
  layout: Layout
  by: 'date' | 'week' | 'month' | 'row'
  /** Of the newer table, in the order of `layout.columns`. */
  columns: StoredTable['columns']
  columns_added: string[]
  columns_removed: string[]
}

/** How two tables are compared; null when their rows do not mean the same. */
export function layOut(before: PlannedTable, after: PlannedTable): LaidOut | null {
  const [older, newer] = [partsOf(before), partsOf(after)]
  if (!older || !newer || !areAlike(older.keys, newer.keys)) return null
  const labels = labelsOf(after.plan)
  // An added or removed channel is listed as rows only when the others have kept their columns.
  if (!areAlike(labelsOf(before.plan) ?? [], labels ?? [])) return null
  // Rows that the limit of one table leaves out are not missing from the data.
  if (before.plan.limit !== after.plan.limit) return null
  const shared = newer.metrics.flatMap(metric => {
    const was = older.metrics.find(({ title }) => title === metric.title)
    return was ? [{ ...metric, before: was.column, is_additive: was.is_additive && metric.is_additive }] : []
  })
  const { by, time } = timeOf(after.plan)
  const offset = labels ? 1 : 0
  return {
    layout: {
      keys: newer.keys.length,
      labels,
      time: time === null ? null : time + offset,
      is_single: !labels && after.plan.dimensions.every(dimension => TIMES.some(each => each === dimension)),
      columns: shared.map(({ before: was, column, is_additive }): ComparedColumn => {
        return { before: was, after: column, is_additive }
      }),
    },
    by,
    columns: shared.flatMap(({ column }) => after.columns[column] ?? []),
    columns_added: titlesNotIn(newer.metrics, older.metrics),
    columns_removed: titlesNotIn(older.metrics, newer.metrics),
  }
}

const TIMES = ['date', 'week', 'month'] as const

/** The finest time that the table shows; the rows of a day are not all there where a limit cuts some off. */
function timeOf({ dimensions, limit }: Plan): Pick<LaidOut, 'by'> & { time: number | null } {
  const by = limit === null ? TIMES.find(each => dimensions.includes(each)) : undefined
  return by ? { by, time: dimensions.indexOf(by) } : { by: 'row', time: null }
}

const labelsOf = ({ arrangement, blocks }: Plan) =>
  arrangement === 'stacked' ? blocks.map(({ label }) => label) : null

const areAlike = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((each, index) => each === others[index])

const titlesNotIn = (metrics: readonly Titled[], others: readonly Titled[]) =>
  metrics.map(({ title }) => title).filter(title => !others.some(other => other.title === title))

interface Titled {
  title: string
  column: number
  is_additive: boolean
}

/**
 * The columns that identify a row, and those that are compared; null when the plan does not match these
 * columns.
 */
function partsOf({ columns, plan }: PlannedTable): { keys: string[]; metrics: Titled[] } | null {
  const sources = columnsOf(plan).map(({ source }) => source)
  if (sources.length !== columns.length) return null
  const keys = sources.flatMap(source => {
    if (source.kind === 'channel') return 'channel'
    return source.kind === 'dimension' ? source.dimension : []
  })
  const metrics = sources.flatMap((source, column) => {
    const title = columns[column]?.title
    if (source.kind !== 'metric' || title === undefined) return []
    return [{ title, column, is_additive: addsUp(plan, source) }]
  })
  return { keys, metrics }
}

/** Ratios and people are not added up; nor is money of several currencies. */
function addsUp({ blocks }: Plan, source: ColumnSource & { kind: 'metric' }): boolean {
  const currencies = new Set<string>()
  for (const [index, metric] of source.metrics.entries()) {
    const block = blocks[index]
    if (!metric || !block) continue
    const kind = 'measure' in metric ? block.measures[metric.measure]?.kind : undefined
    if (kind !== 'count' && kind !== 'money') return false
    if (kind === 'money') block.currencies.forEach(currency => currencies.add(currency))
  }
  return currencies.size <= 1
}
