import { platformDimensionOf } from '#shared/block-rules.ts'
import type { Dimension } from '#shared/channels/catalogue.ts'
import type { Page } from '#server/connectors/connector.ts'
import { columnsOf, type ColumnSource } from './columns.ts'
import type { TableColumn } from './stored-table.ts'
import { addPage, dictionaryOf, openWorkshop, partOf, type BlockGroups, type Workshop } from './ingest.ts'
import { keptRows, type BlockRows } from './filter.ts'
import { orderOf, textRanks, type SortKey } from './order.ts'
import type { Plan } from './plan.ts'
import { joinedRows, stackedRows, type Rows } from './rows.ts'
import type { Sums } from './sums.ts'
import { textBytes, type TextBytes } from './text-bytes.ts'
import { filledRows } from './zero-fill.ts'

/** Cells that a spreadsheet can hold. */
export const CELL_LIMIT = 10_000_000
/** Characters that a cell can hold. */
export const TEXT_LIMIT = 50_000

/** A table that no spreadsheet can hold. */
export class TableRefusal extends Error {
  readonly code: 'cell_limit' | 'cell_too_long'
  readonly detail: Record<string, string | number>
  constructor(code: TableRefusal['code'], detail: TableRefusal['detail']) {
    super(`${code} ${JSON.stringify(detail)}`)
    this.name = 'TableRefusal'
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
  /** Per block: combinations that its filters let through, before filling with 0; 0: it has no data. */
  block_rows: number[]
  segments: Segment[]
  dimensions: ShownDimension[]
}

/** Sorted rows: all of a joined table, or those of one block of a stacked one. */
export interface Segment extends Rows {
  order: Int32Array
  /** What the channel's column says. */
  label: string
  /** Per block, null for dropped ones. */
  sums: (Sums | null)[]
  /** Whether empty metric cells are 0; and whether those of metrics that are not of these rows' blocks are. */
  zero: boolean
  strange_zero: boolean
}

/** A dimension of the table: where its code stands in a row's combination, and what a code is printed as. */
export interface ShownDimension extends SortKey {
  dimension: Dimension
  values:
    | { kind: 'serials'; serials: Int32Array }
    | { kind: 'texts'; texts: readonly string[]; bytes: TextBytes }
}

export interface TableCollector {
  /** Takes one page of the answer to `plan.questions[question]`; pages may come in any order. Throws TooManyCells. */
  add(question: number, page: Page): void
  /** Leaves a block's cells empty, whatever it has said: it failed, and part of an answer would be a wrong number. */
  drop(block: number): void
  /** Throws TableRefusal and TooManyCells. */
  finish(): Table
}

/** Thrown when a table has more cells than its maker can hold. */
export class TooManyCells extends Error {
  readonly cells: number
  constructor(cells: number) {
    super(`a table of ${cells} cells is more than fits here`)
    this.name = 'TooManyCells'
    this.cells = cells
  }
}

/** Collects the answers to a plan's questions, adding them up as they come, up to so many cells. */
export function startTable(plan: Plan, room = Infinity): TableCollector {
  const workshop = openWorkshop(plan)
  return {
    add(question, page) {
      addPage(workshop, question, page)
      const cells = cellsIn(workshop)
      if (cells > room) throw new TooManyCells(cells)
    },
    drop: block => {
      workshop.blocks[block] = null
    },
    finish: () => finishTable(workshop, room),
  }
}

function finishTable(workshop: Workshop, room: number): Table {
  const { plan, shown, buckets } = workshop
  const columns = columnsOf(plan)
  const blocks = workshop.blocks.map((block, index) => block && keptOf(workshop, block, index))
  const dimensions = plan.dimensions.map(dimension => shownDimension(workshop, dimension))
  const counter = countCells(columns.length, room)
  const segments = arranged(plan, blocks, shown.length).map(({ label, rows }) => {
    const fills = plan.fill_zero && shown[0] === 'time'
    const filled = fills ? filledRows(rows, buckets.count, counter.add) : rows
    if (!fills) counter.add(rows.count)
    return {
      ...filled,
      label,
      order: orderOf(filled, dimensions),
      sums: blocks.map(block => block && block.sums),
      zero: plan.fill_zero,
      // In a joined table only a dropped block has no part in the rows: its cells stay empty, for nobody knows them.
      strange_zero: plan.fill_zero && plan.arrangement === 'stacked',
    }
  })
  const block_rows = blocks.map(block => block?.count ?? 0)
  const table = {
    columns: columns.map(({ column }) => column),
    sources: columns.map(({ source }) => source),
    rows: counter.rows(),
    segments,
    dimensions,
    block_rows,
  }
  refuseLongTexts(table)
  return table
}

/** Cells of what has been collected, the hidden ones included. */
const cellsIn = ({ blocks }: Workshop) =>
  blocks.reduce(
    (sum, block) => sum + (block ? block.groups.count * (block.parts.length + block.sums.parts.length) : 0),
    0,
  )

/** The rows of all blocks together, or of each block by itself. */
function arranged(
  plan: Plan,
  blocks: readonly (BlockRows | null)[],
  width: number,
): { label: string; rows: Rows }[] {
  if (plan.arrangement === 'joined') return [{ label: '', rows: joinedRows(blocks, width) }]
  return blocks.flatMap((block, index) =>
    block ? { label: plan.blocks[index]?.label ?? '', rows: stackedRows(blocks, block) } : [],
  )
}

/** Counts rows, and refuses more cells than a spreadsheet can hold, or than there is room for. */
function countCells(columns: number, room: number) {
  let rows = 0
  return {
    add(more: number) {
      rows += more
      const cells = (rows + 1) * columns
      if (cells > CELL_LIMIT) throw new TableRefusal('cell_limit', { cells })
      if (cells > room) throw new TooManyCells(cells)
    },
    rows: () => rows,
  }
}

function keptOf({ plan, dictionaries, shown }: Workshop, block: BlockGroups, index: number): BlockRows {
  const filters = (plan.blocks[index]?.filters ?? []).flatMap(filter => {
    const dimension = platformDimensionOf(filter)
    if (dimension === null) return []
    return {
      filter,
      place: block.parts.indexOf(dimension),
      dictionary: dictionaryOf(dictionaries, dimension),
    }
  })
  return keptRows(block, filters, shown.length)
}

function shownDimension({ shown, buckets, dictionaries }: Workshop, dimension: Dimension): ShownDimension {
  const part = partOf(dimension)
  const place = shown.indexOf(part)
  if (dimension === 'month' || dimension === 'week' || dimension === 'date') {
    const serials = buckets[dimension]
    const ranks = serials.map(serial => serial - (serials[0] ?? 0))
    return { dimension, place, ranks, values: { kind: 'serials', serials } }
  }
  const dictionary = dictionaryOf(dictionaries, part)
  const texts = dimension === 'account_id' ? dictionary.keys : dictionary.labels
  return {
    dimension,
    place,
    ranks: textRanks(texts, dictionary),
    values: { kind: 'texts', texts, bytes: textBytes(texts) },
  }
}

function refuseLongTexts({ columns, sources, dimensions, segments }: Table): void {
  for (const { dimension, place, values } of dimensions) {
    if (values.kind === 'serials' || !values.texts.some(text => text.length > TEXT_LIMIT)) continue
    for (const { keys, width, count } of segments) {
      for (let row = 0; row < count; row++) {
        if ((values.texts[keys[row * width + place] ?? 0] ?? '').length <= TEXT_LIMIT) continue
        const at = sources.findIndex(source => source.kind === 'dimension' && source.dimension === dimension)
        throw new TableRefusal('cell_too_long', { column: columns[at]?.title ?? dimension })
      }
    }
  }
}
