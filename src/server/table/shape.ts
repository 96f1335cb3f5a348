import { platformDimensionOf } from '#shared/block-rules.ts'
import type { Dimension } from '#shared/channels/catalogue.ts'
import type { Page } from '#server/connectors/connector.ts'
import { columnsOf, type ColumnSource } from './columns.ts'
import type { TableColumn } from './stored-table.ts'
import {
  addPage,
  dictionaryOf,
  startAggregation,
  keyColumnOf,
  type BlockGroups,
  type Aggregation,
} from './ingest.ts'
import { filterRows, type BlockRows } from './filter.ts'
import { textRanks, type SortKey } from './order.ts'
import type { Plan } from './plan.ts'
import { joinedRows, stackedRows, type Rows } from './rows.ts'
import { orderRows, sortedColumn } from './sort.ts'
import type { Sums } from './sums.ts'
import { textBytes, type TextBytes } from './text-bytes.ts'
import { fillRows } from './zero-fill.ts'

/** Cells that a spreadsheet can hold. */
export const CELL_LIMIT = 10_000_000
/** Characters that a cell can hold. */
export const TEXT_LIMIT = 50_000

/** A table that no spreadsheet can hold. */
export class TableLimitError extends Error {
  readonly code: 'cell_limit' | 'cell_too_long'
  readonly detail: Record<string, string | number>
  constructor(code: TableLimitError['code'], detail: TableLimitError['detail']) {
    super(`${code} ${JSON.stringify(detail)}`)
    this.name = 'TableLimitError'
    this.code = code
    this.detail = detail
  }
}

/** The finished table, as columns of numbers; `chunksOf` makes bytes of it. */
export interface Table {
  columns: TableColumn[]
  /** Per column: where its cells come from. */
  sources: ColumnSource[]
  /** Rows under the header. */
  rows: number
  /** Which they are, in order: rows of the segments, numbered through. */
  order: Int32Array
  /** How many there would be without the report's limit. */
  rowsBeforeLimit: number
  /** Per block: combinations that its filters let through, before filling with 0; 0: it has no data. */
  blockRows: number[]
  segments: Segment[]
  dimensions: VisibleDimension[]
  /** Per bucket 1 where its day has none in the compared period; null: each has one, or no period is. */
  unmatched: Uint8Array | null
}

/** Rows of a table: all of a joined one, or those of one block of a stacked one. */
export interface Segment extends Rows {
  /** The number of its first row in the table's order. */
  start: number
  /** The text of the channel column. */
  label: string
  /** Per block, null for dropped ones. */
  sums: (Sums | null)[]
  /**
   * Whether empty metric cells are 0; and whether those of metrics that are not of these rows' blocks are.
   */
  zero: boolean
  zeroElsewhere: boolean
}

/**
 * A dimension of the table: the position of its code in a row's combination, and what a code is printed as.
 */
export interface VisibleDimension extends SortKey {
  dimension: Dimension
  values:
    | { kind: 'serials'; serials: Int32Array }
    | { kind: 'texts'; texts: readonly string[]; bytes: TextBytes }
}

export interface TableCollector {
  /**
   * Ingests one page of the response to `plan.requests[request]`; pages may come in any order. Throws
   * TooManyCells.
   */
  add(request: number, page: Page): void
  /**
   * Leaves a block's cells empty, whatever was ingested: it failed, and a part of its rows would be a wrong
   * number.
   */
  drop(block: number): void
  /** Throws TableLimitError and TooManyCells. */
  finish(): Table
  /** It may have so many cells from now on. After TooManyCells it goes on: nothing has been lost. */
  allow(cells: number): void
}

/** Thrown when a table has more cells than the process can hold. */
export class TooManyCells extends Error {
  readonly cells: number
  constructor(cells: number) {
    super(`a table of ${cells} cells is more than fits here`)
    this.name = 'TooManyCells'
    this.cells = cells
  }
}

/** Collects the responses to a plan's requests, adding them up as they come, up to so many cells. */
export function startTable(plan: Plan, most = Infinity): TableCollector {
  let room = most
  const aggregation = startAggregation(plan)
  return {
    add(request, page) {
      addPage(aggregation, request, page)
      const cells = cellsIn(aggregation)
      if (cells > room) throw new TooManyCells(cells)
    },
    drop: block => {
      aggregation.blocks[block] = null
    },
    finish: () => finishTable(aggregation, room),
    allow(cells) {
      room = cells
    },
  }
}

function finishTable(aggregation: Aggregation, room: number): Table {
  const { plan, visible, buckets } = aggregation
  const columns = columnsOf(plan)
  const blocks = aggregation.blocks.map((block, index) => block && filterBlock(aggregation, block, index))
  const dimensions = plan.dimensions.map(dimension => visibleDimension(aggregation, dimension))
  const counter = countCells(columns.length, { room, limit: plan.limit })
  const segments = layout(plan, blocks, visible.length).map(({ label, rows }) => {
    const start = counter.rows()
    const fills = plan.fill_zero && visible[0] === 'time'
    const filled = fills ? fillRows(rows, buckets.count, counter.add) : rows
    if (!fills) counter.add(rows.count)
    return {
      ...filled,
      start,
      label,
      sums: blocks.map(block => block && block.sums),
      zero: plan.fill_zero,
      // In a joined table only a dropped block has no part in the rows: its cells stay empty, since they are
      // unknown.
      zeroElsewhere: plan.fill_zero && plan.arrangement === 'stacked',
    }
  })
  const blockRows = blocks.map(block => block?.count ?? 0)
  const unordered = {
    columns: columns.map(({ column }) => column),
    sources: columns.map(({ source }) => source),
    rows: Math.min(counter.rows(), plan.limit ?? Infinity),
    rowsBeforeLimit: counter.rows(),
    segments,
    dimensions,
    unmatched: visible[0] === 'time' ? aggregation.unmatched : null,
    blockRows,
  }
  const { sort, limit } = plan
  const sorting = { column: sortedColumn(plan, columns), descending: sort?.descending ?? false, limit }
  const table = { ...unordered, order: orderRows(unordered, sorting) }
  checkTextLengths(table)
  return table
}

/** Cells of what has been collected, the hidden ones included. */
const cellsIn = ({ blocks }: Aggregation) =>
  blocks.reduce(
    (sum, block) =>
      sum + (block ? block.groups.count * (block.keyColumns.length + block.sums.measures.length) : 0),
    0,
  )

/** The rows of all blocks together, or of each block by itself. */
function layout(
  plan: Plan,
  blocks: readonly (BlockRows | null)[],
  width: number,
): { label: string; rows: Rows }[] {
  if (plan.arrangement === 'joined') return [{ label: '', rows: joinedRows(blocks, width) }]
  return blocks.flatMap((block, index) =>
    block ? { label: plan.blocks[index]?.label ?? '', rows: stackedRows(blocks, block) } : [],
  )
}

/**
 * Counts rows, and fails when as many as the limit lets through are more cells than a spreadsheet can hold,
 * or all of them more than `room`.
 */
function countCells(columns: number, { room, limit }: { room: number; limit: number | null }) {
  let rows = 0
  return {
    add(more: number) {
      rows += more
      const written = (Math.min(rows, limit ?? rows) + 1) * columns
      if (written > CELL_LIMIT) throw new TableLimitError('cell_limit', { cells: written })
      const cells = (rows + 1) * columns
      if (cells > room) throw new TooManyCells(cells)
    },
    rows: () => rows,
  }
}

function filterBlock(
  { plan, dictionaries, visible }: Aggregation,
  block: BlockGroups,
  index: number,
): BlockRows {
  const filters = (plan.blocks[index]?.filters ?? []).flatMap(filter => {
    const dimension = platformDimensionOf(filter)
    if (dimension === null) return []
    return {
      filter,
      position: block.keyColumns.indexOf(dimension),
      dictionary: dictionaryOf(dictionaries, dimension),
    }
  })
  return filterRows(block, filters, visible.length)
}

function visibleDimension(
  { visible, buckets, dictionaries }: Aggregation,
  dimension: Dimension,
): VisibleDimension {
  const column = keyColumnOf(dimension)
  const position = visible.indexOf(column)
  if (dimension === 'month' || dimension === 'week' || dimension === 'date') {
    const serials = buckets[dimension]
    const ranks = serials.map(serial => serial - (serials[0] ?? 0))
    return { dimension, position, ranks, values: { kind: 'serials', serials } }
  }
  const dictionary = dictionaryOf(dictionaries, column)
  const texts = dimension === 'account_id' ? dictionary.keys : dictionary.labels
  return {
    dimension,
    position,
    ranks: textRanks(texts, dictionary),
    values: { kind: 'texts', texts, bytes: textBytes(texts) },
  }
}

function checkTextLengths({ columns, sources, dimensions, segments, order }: Table): void {
  for (const { dimension, position, values } of dimensions) {
    if (values.kind === 'serials' || !values.texts.some(text => text.length > TEXT_LIMIT)) continue
    for (const number of order) {
      const segment = segments.find(({ start, count }) => number < start + count)
      const at = segment ? (number - segment.start) * segment.width + position : 0
      if ((values.texts[segment?.keys[at] ?? 0] ?? '').length <= TEXT_LIMIT) continue
      const column = sources.findIndex(
        source => source.kind === 'dimension' && source.dimension === dimension,
      )
      throw new TableLimitError('cell_too_long', { column: columns[column]?.title ?? dimension })
    }
  }
}
