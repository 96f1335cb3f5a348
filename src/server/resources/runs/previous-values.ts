import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { BlockOutcome, RunNote } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import type { TableChunk } from '#server/table/stored-table.ts'
import { CHUNK_BYTES, chunksOf } from '#server/table/chunks.ts'
import { columnsOf } from '#server/table/columns.ts'
import { accountsOfBlock, savedPlan, type SavedPlan } from './plan-of.ts'
import { lastRunWithTable } from './queries.ts'
import type { Table } from '#server/table/shape.ts'
import { sortedColumn } from '#server/table/sort.ts'
import { readTable } from './table-store.ts'

export interface FilledTable {
  rows: number
  chunks: Iterable<TableChunk>
  /** Blocks whose cells are those of the last table, and when they were fetched. */
  staleBlocks: { block: number; from: Date }[]
}

/** Beyond so many cells the last table is not read into memory: the blocks' cells are left empty then. */
const MOST_CELLS = 2_000_000

/**
 * The table with the last one's values where a block has failed whose values are to stay; null when there is
 * no such block, or no last table of the same columns. A platform that was switched off never responds again,
 * so its values always stay. Values of an account that the block does not name any more never do, and those
 * of one that the owner has lost stay in their spreadsheet alone. A table with a limit keeps none: which rows
 * it has depends on all values.
 */
export async function fillFromPrevious(
  db: Db,
  report_id: number,
  { saved, table, blocks }: { saved: SavedPlan; table: Table; blocks: readonly BlockOutcome[] },
): Promise<FilledTable | null> {
  const failed = blocks.flatMap((block, index) =>
    block.status === 'error' && (saved.keeps_previous.includes(index) || block.code === 'channel_retired')
      ? [index]
      : [],
  )
  if (failed.length === 0 || saved.plan.limit !== null) return null
  const last = await lastTable(db, report_id)
  if (!last || !isDeepStrictEqual(last.columns, table.columns)) return null
  const staleBlocks = failed.filter(index => mayStay(index, { saved, last: last.saved }))
  if (staleBlocks.length === 0) return null
  if ((last.rows + table.rows) * table.columns.length > MOST_CELLS) return null
  const old_rows = (await Array.fromAsync(last.chunks())).flatMap(rowsIn).slice(1)
  const [header = [], ...new_rows] = [...chunksOf(table)].flatMap(rowsIn)
  const merged =
    saved.plan.arrangement === 'joined'
      ? joined(table, { old_rows, new_rows, staleBlocks })
      : stacked(saved, { old_rows, new_rows, staleBlocks })
  return {
    rows: merged.length,
    chunks: rechunked([header, ...sorted(merged, saved.plan)]),
    staleBlocks: staleBlocks.map(block => ({ block, from: fetchedAt(last, block) })),
  }
}

function mayStay(index: number, { saved, last }: { saved: SavedPlan; last: SavedPlan }): boolean {
  const before = accountsOfBlock(last.plan, index)
  const now = new Set(accountsOfBlock(saved.plan, index))
  const is_lost = saved.plan.blocks[index]?.refusal?.code === 'account_access_lost'
  return (
    before.length > 0 &&
    before.every(id => now.has(id)) &&
    (!is_lost || last.target.spreadsheet_id === saved.target.spreadsheet_id)
  )
}

type Row = (string | number)[]
interface Tables {
  old_rows: Row[]
  new_rows: Row[]
  staleBlocks: number[]
}

const Rows = z.array(z.array(z.union([z.string(), z.number()])))
const rowsIn = ({ json }: TableChunk): Row[] => Rows.parse(JSON.parse(new TextDecoder().decode(json)))

async function lastTable(db: Db, report_id: number) {
  const run = await lastRunWithTable(db, report_id)
  const stored = run && (await readTable(db, run.id))
  if (!stored || !run.finished_at) return null
  return { ...stored, finished_at: run.finished_at, notes: run.notes, saved: savedPlan(run.plan) }
}

/** The last table may have kept the block's values itself. */
function fetchedAt(
  { finished_at, notes }: { finished_at: Date; notes: readonly Note[] },
  block: number,
): Date {
  const before = notes.find(note => note.code === 'kept_previous' && note.block === block)
  return before ? new Date(before.detail['kept_from'] ?? finished_at) : finished_at
}

type Note = z.infer<typeof RunNote>

/**
 * Rows of either table, by their dimensions; where both have one, it has the previous cells of the stale
 * blocks.
 */
function joined({ sources }: Table, { old_rows, new_rows, staleBlocks }: Tables): Row[] {
  const dimensions = placesOf(sources, source => source.kind === 'dimension')
  const columns = placesOf(
    sources,
    source => source.kind === 'metric' && staleBlocks.some(block => source.metrics[block] !== null),
  )
  const keyOf = (row: Row) => JSON.stringify(dimensions.map(column => row[column]))
  // Campaigns may share a name: the first row of a name is matched with the first one, the second with the
  // second.
  const waiting = Map.groupBy(old_rows, keyOf)
  const matched = new_rows.map(row => {
    const old = waiting.get(keyOf(row))?.shift()
    return old ? row.map((cell, column) => (columns.includes(column) ? (old[column] ?? '') : cell)) : row
  })
  const alone = [...waiting.values()]
    .flat()
    .map(row =>
      row.map((cell, column) => (dimensions.includes(column) || columns.includes(column) ? cell : '')),
    )
    .filter(row => columns.some(column => row[column] !== ''))
  return [...matched, ...alone].toSorted((one, other) => {
    for (const column of dimensions) {
      const order = compare(one[column] ?? '', other[column] ?? '')
      if (order !== 0) return order
    }
    return 0
  })
}

/** The blocks one under the other; a stale one has its previous rows. */
function stacked({ plan }: SavedPlan, { old_rows, new_rows, staleBlocks }: Tables): Row[] {
  return plan.blocks.flatMap(({ label }, index) =>
    (staleBlocks.includes(index) ? old_rows : new_rows).filter(row => row[0] === label),
  )
}

/** By the report's sort, as sort.ts does it: empty cells last, equal ones in their order. */
function sorted(rows: Row[], plan: SavedPlan['plan']): Row[] {
  const column = sortedColumn(plan, columnsOf(plan))
  if (column < 0) return rows
  const direction = plan.sort?.descending ? -1 : 1
  // Texts that stand for numbers are in the order of these.
  const texts = plan.blocks.flatMap(({ metrics }) =>
    metrics.flatMap(metric => (metric.id === plan.sort?.by && 'texts' in metric ? (metric.texts ?? []) : [])),
  )
  const valueOf = (cell: Row[number] = '') =>
    texts.includes(String(cell)) ? texts.indexOf(String(cell)) : cell
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one[column]), valueOf(other[column])]
    if (a === '' || b === '') return Number(a === '') - Number(b === '')
    return direction * compare(a, b)
  })
}

const placesOf = (sources: Table['sources'], fits: (source: Table['sources'][number]) => boolean) =>
  sources.flatMap((source, column) => (fits(source) ? [column] : []))

/** Time by time, text by Unicode code point, as everywhere in a table. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

function* rechunked(rows: Row[]): Generator<TableChunk> {
  let first_row = 0
  let part: string[] = []
  let bytes = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (part.length > 0 && bytes + text.length > CHUNK_BYTES / 2) {
      yield chunk()
      first_row += part.length
      part = []
      bytes = 0
    }
    part.push(text)
    bytes += text.length + 1
  }
  yield chunk()

  function chunk(): TableChunk {
    return { first_row, rows: part.length, json: new TextEncoder().encode(`[${part.join(',')}]`) }
  }
}
