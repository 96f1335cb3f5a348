import {
  dimensions as allDimensions,
  type Dimension,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { platformDimensionOf } from '#shared/block-rules.ts'
import { PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { bucketsOf, type Buckets } from './buckets.ts'
import { columnsOf, type SourcedColumn } from './columns.ts'
import { codeOf, emptyDictionary, encode, PLAIN, type Dictionary } from './dictionary.ts'
import { emptyGroups, groupRows, type Groups } from './groups.ts'
import { keptRows, type BlockRows } from './keep.ts'
import { orderOf, textRanks, type SortKey } from './order.ts'
import type { Plan, Question } from './plan.ts'
import { joinedRows, stackedRows, type Rows } from './rows.ts'
import { addColumn, emptySums, reserve, type Sums } from './sums.ts'
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
  columns: SourcedColumn[]
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
  values: { kind: 'serials'; serials: Int32Array } | { kind: 'texts'; texts: readonly string[] }
}

export interface TableCollector {
  /** Takes one page of the answer to `plan.questions[question]`; pages may come in any order. */
  add(question: number, page: Page): void
  /** Leaves a block's cells empty, whatever it has said: it failed, and part of an answer would be a wrong number. */
  drop(block: number): void
  /** Throws TableRefusal. */
  finish(): Table
}

/** Collects the answers to a plan's questions, adding them up as they come. */
export function startTable(plan: Plan): TableCollector {
  const workshop = openWorkshop(plan)
  return {
    add: (question, page) => addPage(workshop, question, page),
    drop: block => {
      workshop.blocks[block] = null
    },
    finish: () => finishTable(workshop),
  }
}

/** What a combination is made of: a bucket of days, facts of the account, values of the platform. */
type KeyPart = 'time' | 'account' | 'currency' | PlatformDimension

interface Workshop {
  plan: Plan
  buckets: Buckets
  /** The parts that the table shows, time first. */
  shown: KeyPart[]
  dictionaries: Map<KeyPart, Dictionary>
  /** null: dropped. */
  blocks: ({ parts: KeyPart[]; groups: Groups; sums: Sums } | null)[]
  scratch: { days: Int32Array; groups: Int32Array; columns: Int32Array[] }
}

function openWorkshop(plan: Plan): Workshop {
  const shown = [...new Set(plan.dimensions.map(partOf))].toSorted(
    (one, other) => Number(other === 'time') - Number(one === 'time'),
  )
  return {
    plan,
    buckets: bucketsOf(plan.range, plan.time),
    shown,
    dictionaries: new Map(),
    blocks: plan.blocks.map(block => {
      if (block.refusal) return null
      const hidden = block.dimensions.filter(dimension => !shown.includes(dimension))
      const parts = [...shown, ...hidden]
      return { parts, groups: emptyGroups(parts.length), sums: emptySums(block.parts) }
    }),
    scratch: { days: new Int32Array(0), groups: new Int32Array(0), columns: [] },
  }
}

function partOf(dimension: Dimension): KeyPart {
  if (dimension === 'account_name' || dimension === 'account_id') return 'account'
  if (dimension === 'month' || dimension === 'week' || dimension === 'date') return 'time'
  return dimension
}

function addPage(workshop: Workshop, index: number, page: Page): void {
  const question = workshop.plan.questions[index]
  const block = question && workshop.blocks[question.block]
  if (!question || !block) return
  const { length } = page
  makeRoom(workshop, length)
  const { days, groups } = workshop.scratch
  readDays(workshop.buckets, page, days)
  const columns = block.parts.map((part, place) => {
    const column = (workshop.scratch.columns[place] ??= new Int32Array(groups.length))
    codesOf(workshop, question, { part, page, out: column })
    return column
  })
  groupRows(block.groups, columns, length, groups)
  reserve(block.sums, block.groups.count)
  page.metrics.forEach((values, part) => addColumn(block.sums, part, values, { groups, length }))
}

function makeRoom({ scratch }: Workshop, length: number): void {
  if (length <= scratch.days.length) return
  scratch.days = new Int32Array(length)
  scratch.groups = new Int32Array(length)
  scratch.columns = []
}

function readDays({ days }: Buckets, { dates, length }: Page, out: Int32Array): void {
  let last: string | undefined
  let day = 0
  for (let row = 0; row < length; row++) {
    const date = dates[row]
    if (date !== last || date === undefined) {
      const known = date === undefined ? undefined : days.get(date)
      if (known === undefined)
        throw new PlatformFailure('platform_error', {
          platform_message: `a day that was not asked for: ${date}`,
        })
      day = known
      last = date
    }
    out[row] = day
  }
}

function codesOf(
  { buckets, plan, dictionaries, scratch }: Workshop,
  { account, request, block }: Question,
  { part, page, out }: { part: KeyPart; page: Page; out: Int32Array },
): void {
  const { length } = page
  if (part === 'time') {
    for (let row = 0; row < length; row++) out[row] = buckets.of_day[scratch.days[row] ?? 0] ?? 0
    return
  }
  const dictionary = dictionaryOf(dictionaries, part)
  const channel = plan.blocks.findIndex(other => other.channel === plan.blocks[block]?.channel)
  const owner = { key: account.external_id, scope: channel, label: account.name }
  if (part === 'account') {
    out.fill(codeOf(dictionary, owner), 0, length)
  } else if (part === 'currency') {
    out.fill(codeOf(dictionary, { key: account.currency, scope: PLAIN, label: account.currency }), 0, length)
  } else {
    const column = page.dimensions[request.dimensions.indexOf(part)] ?? { keys: [] }
    const is_entity = allDimensions[part].kind === 'entity'
    const scope = is_entity ? codeOf(dictionaryOf(dictionaries, 'account'), owner) : PLAIN
    encode(dictionary, column, { scope, days: scratch.days, length, out })
  }
}

function dictionaryOf(dictionaries: Workshop['dictionaries'], part: KeyPart): Dictionary {
  const known = dictionaries.get(part)
  if (known) return known
  const dictionary = emptyDictionary()
  dictionaries.set(part, dictionary)
  return dictionary
}

function finishTable(workshop: Workshop): Table {
  const { plan, shown, buckets } = workshop
  const columns = columnsOf(plan)
  const blocks = workshop.blocks.map((block, index) => block && keptOf(workshop, block, index))
  const dimensions = plan.dimensions.map(dimension => shownDimension(workshop, dimension))
  const parts =
    plan.arrangement === 'joined'
      ? [{ label: '', rows: joinedRows(blocks, shown.length) }]
      : blocks.flatMap((block, index) =>
          block ? { label: plan.blocks[index]?.label ?? '', rows: stackedRows(blocks, block) } : [],
        )
  let rows = 0
  const count = (more: number) => {
    rows += more
    const cells = (rows + 1) * columns.length
    if (cells > CELL_LIMIT) throw new TableRefusal('cell_limit', { cells })
  }
  const fills = plan.fill_zero && shown[0] === 'time'
  const filled = parts.map(part => {
    if (fills) return { ...part, rows: filledRows(part.rows, buckets.count, count) }
    count(part.rows.count)
    return part
  })
  const segments = filled.map(part => ({
    ...part.rows,
    label: part.label,
    order: orderOf(part.rows, dimensions),
    sums: blocks.map(block => block && block.sums),
    zero: plan.fill_zero,
    // In a joined table only a dropped block has no part in the rows: its cells stay empty, for nobody knows them.
    strange_zero: plan.fill_zero && plan.arrangement === 'stacked',
  }))
  const table = { columns, rows, segments, dimensions, block_rows: blocks.map(block => block?.count ?? 0) }
  refuseLongTexts(table)
  return table
}

function keptOf(
  { plan, dictionaries, shown }: Workshop,
  block: { parts: KeyPart[]; groups: Groups; sums: Sums },
  index: number,
): BlockRows {
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
  return { dimension, place, ranks: textRanks(texts, dictionary), values: { kind: 'texts', texts } }
}

function refuseLongTexts({ columns, dimensions, segments }: Omit<Table, 'rows'>): void {
  for (const { dimension, place, values } of dimensions) {
    if (values.kind === 'serials' || !values.texts.some(text => text.length > TEXT_LIMIT)) continue
    for (const { keys, width, count } of segments) {
      for (let row = 0; row < count; row++) {
        if ((values.texts[keys[row * width + place] ?? 0] ?? '').length <= TEXT_LIMIT) continue
        const column = columns.find(
          ({ source }) => source.kind === 'dimension' && source.dimension === dimension,
        )
        throw new TableRefusal('cell_too_long', { column: column?.title ?? dimension })
      }
    }
  }
}
