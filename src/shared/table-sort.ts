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

/** The sort after channels have moved; `moves` has the new position of each, -1 for one that was removed. */
export function sortAfterMove(sort: TableSort | null, moves: readonly number[]): TableSort | null {
  if (sort === null || sort.block === null) return sort
  const block = moves[sort.block] ?? -1
  return block < 0 ? null : { ...sort, block }
}
