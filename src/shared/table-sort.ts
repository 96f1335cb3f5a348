import type { Comparison, Report, TableSort } from './api/reports.ts'
import { catalogueOf } from './channels/all.ts'
import { comparedParts } from './comparison.ts'
import { metricIn } from './metrics.ts'

type Described = Pick<Report, 'dimensions' | 'channels'>
type Table = Described & Pick<Report, 'arrangement'> & Partial<Pick<Report, 'comparison' | 'blends'>>

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
 * stacked table, what compares a metric, and columns over several channels.
 */
export function columnSorts(report: Table): (Pick<TableSort, 'by' | 'block'> | null)[] {
  const { channels, arrangement, comparison = null, blends = [] } = report
  const dimensions = [...new Set(report.dimensions)].map(by => ({ by, block: null }))
  const columns = channels.flatMap((block, index) => metricColumns(block, index, comparison))
  if (arrangement === 'stacked') {
    const distinct = new Map(columns.map(({ id, sort }) => [id, sort && { ...sort, block: null }]))
    return [null, ...dimensions, ...distinct.values()]
  }
  const beside = blends.flatMap(() => [null, ...comparedColumns(comparison, false).map(() => null)])
  return [...dimensions, ...columns.map(({ sort }) => sort), ...beside]
}

interface MetricColumn {
  /** Those of one id are one column in a stacked table. */
  id: string
  sort: { by: string; block: number } | null
}

function metricColumns(
  { channel, metrics }: Report['channels'][number],
  block: number,
  comparison: Comparison | null,
): MetricColumn[] {
  return [...new Set(metrics)].flatMap((by): MetricColumn[] => [
    { id: by, sort: { by, block } },
    ...comparedColumns(comparison, metricIn(catalogueOf(channel), by)?.unit === 'text').map(part => ({
      id: `${by}/${part}`,
      sort: null,
    })),
  ])
}

/** What a comparison shows beside a column; of a text its value alone. */
const comparedColumns = (comparison: Comparison | null, isText: boolean) =>
  comparedParts.filter(part => comparison?.show.includes(part) && (part === 'value' || !isText))

/** The column that a report's table is sorted by; -1: none. */
export function sortedColumnOf(report: Table & Pick<Report, 'sort'>): number {
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
