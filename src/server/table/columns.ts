import { channelColumn, dimensionTitle, metricTitle } from '#shared/headers.ts'
import type { Dimension } from '#shared/channels/catalogue.ts'
import { columnDecimals } from '#shared/money.ts'
import type { ColumnFormat, TableColumn } from './stored-table.ts'
import type { Plan, PlannedBlend, PlannedBlock, PlannedMetric } from './plan.ts'

/** A column, and where its cells come from. */
export interface SourcedColumn {
  column: TableColumn
  source: ColumnSource
}

export type ColumnSource =
  | { kind: 'channel' }
  | { kind: 'dimension'; dimension: Dimension }
  /** Per block, null where the column is not the block's. */
  | { kind: 'metric'; metrics: (PlannedMetric | null)[] }
  | { kind: 'blend'; blend: PlannedBlend }

export function columnsOf(plan: Plan): SourcedColumn[] {
  const dimensions = plan.dimensions.map(dimension => ({
    column: { title: dimensionTitle(dimension, plan.language), format: dimensionFormat(dimension) },
    source: { kind: 'dimension' as const, dimension },
  }))
  if (plan.arrangement === 'joined') return [...dimensions, ...joinedMetrics(plan), ...blendColumns(plan)]
  const channel: SourcedColumn = {
    column: { title: channelColumn[plan.language], format: { kind: 'text' } },
    source: { kind: 'channel' },
  }
  return [channel, ...dimensions, ...stackedMetrics(plan)]
}

function dimensionFormat(dimension: Dimension): ColumnFormat {
  if (dimension === 'month') return { kind: 'month' }
  return dimension === 'date' || dimension === 'week' ? { kind: 'day' } : { kind: 'text' }
}

/** Each block's metrics beside each other. */
function joinedMetrics({ blocks, language }: Plan): SourcedColumn[] {
  return blocks.flatMap((block, index) =>
    block.metrics.map(metric => ({
      column: {
        title: metricTitle(metric, language, blocks.length > 1 ? block.label : null),
        format: metricFormat(metric, [block]),
      },
      source: { kind: 'metric', metrics: blocks.map((_, other) => (other === index ? metric : null)) },
    })),
  )
}

function blendColumns({ blends, language }: Plan): SourcedColumn[] {
  return blends.map(blend => ({
    column: { title: metricTitle(blend, language, null), format: metricFormat(blend, []) },
    source: { kind: 'blend', blend },
  }))
}

/** Each metric once, in order of first appearance. */
function stackedMetrics({ blocks, language }: Plan): SourcedColumn[] {
  const first = new Map<string, PlannedMetric>()
  for (const metric of blocks.flatMap(block => block.metrics)) {
    if (!first.has(metric.id)) first.set(metric.id, metric)
  }
  return [...first.values()].map(metric => {
    const metrics = blocks.map(block => block.metrics.find(({ id }) => id === metric.id) ?? null)
    const holders = blocks.filter((_, index) => metrics[index] !== null)
    return {
      column: { title: metricTitle(metric, language, null), format: metricFormat(metric, holders) },
      source: { kind: 'metric', metrics },
    }
  })
}

function metricFormat(
  { unit, decimals }: Pick<PlannedMetric, 'unit' | 'decimals'>,
  blocks: readonly PlannedBlock[],
): ColumnFormat {
  switch (unit) {
    case 'text':
      return { kind: 'text' }
    case 'percent':
      return { kind: 'percent', digits: decimals }
    case 'money':
      return { kind: 'number', digits: columnDecimals(blocks.flatMap(block => block.currencies)) }
    default:
      return { kind: 'number', digits: decimals }
  }
}
