import type { Report, TableSort } from './api/reports.ts'

type Described = Pick<Report, 'dimensions' | 'channels'>

/**
 * What a sort is about: a dimension of the report, or a metric of one of its channels, by their positions;
 * null: the report has neither.
 */
export function sortTarget(
  { dimensions, channels }: Described,
  { by, block }: Pick<TableSort, 'by' | 'block'>,
): { dimension: number } | { block: number } | null {
  const dimension = dimensions.findIndex(name => name === by)
  if (dimension >= 0) return { dimension }
  const index = block ?? channels.findIndex(({ metrics }) => metrics.includes(by))
  return channels[index]?.metrics.includes(by) ? { block: index } : null
}

/**
 * What each column of the report's table is as a sort; null: it cannot be sorted by, as the channels of a
 * stacked table.
 */
export function columnSorts({ dimensions, channels, arrangement }: Described & Pick<Report, 'arrangement'>) {
  const labels = dimensions.map(by => ({ by: by as string, block: null }))
  const metrics = channels.flatMap((channel, block) => channel.metrics.map(by => ({ by, block })))
  if (arrangement === 'joined') return [...labels, ...metrics]
  const distinct = [...new Set(metrics.map(({ by }) => by))]
  return [null, ...labels, ...distinct.map(by => ({ by, block: null }))]
}

/** The column that a report's table is sorted by; -1: none. */
export function sortedColumnOf(report: Described & Pick<Report, 'arrangement' | 'sort'>): number {
  const { sort, arrangement } = report
  if (!sort) return -1
  return columnSorts(report).findIndex(
    column =>
      column?.by === sort.by &&
      (arrangement === 'stacked' ||
        sort.block === null ||
        column.block === null ||
        column.block === sort.block),
  )
}

/** The sort after channels have moved; `moves` has the new position of each, -1 for one that was removed. */
export function sortAfterMove(sort: TableSort | null, moves: readonly number[]): TableSort | null {
  if (sort === null || sort.block === null) return sort
  const block = moves[sort.block] ?? -1
  return block < 0 ? null : { ...sort, block }
}
