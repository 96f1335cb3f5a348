import { PREVIEW_ROWS, type Preview, type PreviewBlock } from '#shared/api/preview.ts'
import type { EmptyBecause } from '#shared/api/executions.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Page } from '#server/connectors/connector.ts'
import { inParallel } from '#server/in-parallel.ts'
import { bucketsOf } from '#server/table/buckets.ts'
import type { BlockNote } from '#server/resources/runs/fetch-blocks.ts'
import { columnsOf } from '#server/table/columns.ts'
import type { Plan, PlannedRequest } from '#server/table/plan.ts'
import { startTable, TableLimitError, type Table } from '#server/table/shape.ts'
import { totalsOf } from '#server/table/totals.ts'
import { readRequest, type ReadOutcome, type ReadEffects } from './read-request.ts'
import { estimateRows } from './estimate.ts'
import { isTimeAlone, subrangesOf } from './subranges.ts'
import { chunksOf } from '#server/table/chunks.ts'

export interface PreviewEffects extends ReadEffects {
  /** Why a block has no rows in all of the range; null: unknown in the time. */
  whyEmpty: (block: number) => Promise<EmptyBecause | null>
}

/** The result of a subrange of days and those before it. */
interface Fetched extends Shaped {
  range: DayRange
  ends: BlockEnd[]
}

/** Why a block is not part of the table; null: it is. */
type BlockEnd = Pick<PreviewBlock, 'status' | 'code' | 'platform_message'> | null

/**
 * The first rows of the table that a run would write now: the same plan, platforms and table, but only as
 * many days as the first rows need, and only what can be fetched in the time that a person waits. `unset`:
 * blocks that still lack accounts or metrics.
 */
export async function makePreview(
  plan: Plan,
  {
    unset,
    last_rows,
    effects,
  }: { unset: readonly number[]; last_rows: number | null; effects: PreviewEffects },
): Promise<Preview> {
  const collected: Collected = { pages: plan.requests.map(() => []), notes: [], as_of: effects.now }
  const ends = plan.blocks.map((block, index): BlockEnd => {
    if (unset.includes(index)) return { status: 'unset', code: null, platform_message: null }
    return block.refusal && { status: 'error', code: block.refusal.code, platform_message: null }
  })
  const [first = plan.range, ...further] = subrangesOf(plan)
  let fetched = await goOn(plan, { subrange: first, collected, ends, effects })
  for (const subrange of further) {
    if (certainRows(plan, fetched) >= previewRows(plan) || effects.signal.aborted) break
    const next = await goOn(plan, { subrange, collected, ends: fetched.ends, effects })
    // The rest did not arrive in time: the present rows stay.
    if (next.ends.some((end, block) => end && !fetched.ends[block])) break
    fetched = next
  }
  return await presented(plan, { fetched, collected, last_rows, effects })
}

/** As many rows as a preview shows of a table that is long enough. */
const previewRows = ({ limit }: Plan) => Math.min(PREVIEW_ROWS, limit ?? PREVIEW_ROWS)

interface Collected {
  pages: Page[][]
  notes: BlockNote[]
  as_of: Date
}

interface GoingOn {
  subrange: DayRange
  collected: Collected
  ends: BlockEnd[]
  effects: PreviewEffects
}

/** Accounts that are fetched at the same time. */
const AT_ONCE = 4

async function goOn(plan: Plan, { subrange, collected, ends: before, effects }: GoingOn): Promise<Fetched> {
  const ends = [...before]
  await inParallel(plan.requests, AT_ONCE, async (planned, index) => {
    if (ends[planned.block]) return
    const range = planned.is_compared ? planned.request.range : subrange
    const outcome = await readRequest(plan, planned, { range, effects })
    const end = endOf(outcome)
    if (end) ends[planned.block] ??= end
    else if (outcome.kind === 'rows') collect(collected, { outcome, planned, index })
  })
  const range = { start: plan.range.start, end: subrange.end }
  return { range, ends, ...shaped(plan, { range, ends, pages: collected.pages }) }
}

function collect(
  collected: Collected,
  {
    outcome,
    planned,
    index,
  }: { outcome: ReadOutcome & { kind: 'rows' }; planned: PlannedRequest; index: number },
) {
  collected.pages[index]?.push(...outcome.pages)
  if (outcome.at < collected.as_of) collected.as_of = outcome.at
  for (const note of outcome.notes) {
    // A response that another block has fetched is of this one here; what is about the report stays so.
    const blockNote = { ...note, block: note.block === null ? null : planned.block }
    if (!collected.notes.some(({ code, block }) => code === blockNote.code && block === blockNote.block))
      collected.notes.push(blockNote)
  }
}

function endOf(outcome: ReadOutcome): BlockEnd {
  if (outcome.kind === 'rows') return null
  if (outcome.kind === 'later') return { status: 'later', code: null, platform_message: null }
  return { status: 'error', code: outcome.code, platform_message: outcome.platform_message }
}

/**
 * The table of the fetched rows, or why there is none; `filled`: how many rows it would have that are too
 * many to be made for a preview.
 */
interface Shaped {
  table: Table | null
  refusal: { code: ErrorCode; detail: TableLimitError['detail'] } | null
  filled: number | null
  /** Rows without those that only filling with 0 makes. */
  unfilled: number | null
}

const MOST_FILLED = 300_000

function shaped(
  plan: Plan,
  { range, ends, pages }: { range: DayRange; ends: BlockEnd[]; pages: Page[][] },
): Shaped {
  const tableOf = (of: Plan) => {
    const collector = startTable({ ...of, range })
    ends.forEach((end, block) => end && collector.drop(block))
    pages.forEach((list, index) => list.forEach(page => collector.add(index, page)))
    return collector.finish()
  }
  const none = { table: null, refusal: null, filled: null, unfilled: null }
  if (ends.every(end => end !== null)) return none
  try {
    const fills = plan.fill_zero && plan.time !== 'total'
    const plain = fills ? tableOf({ ...plan, fill_zero: false }) : null
    const unfilled = plain?.rows ?? null
    const filled = plain && countCombinations(plain) * bucketsOf(range, plan.time).count
    if (filled !== null && filled > MOST_FILLED && !isTimeAlone(plan))
      return { table: null, refusal: { code: 'too_large', detail: {} }, filled, unfilled }
    return { ...none, table: tableOf(plan), unfilled }
  } catch (error) {
    if (error instanceof TableLimitError) return { ...none, refusal: error }
    throw error
  }
}

/** Combinations of the dimensions other than time, which is the first code of a row. */
function countCombinations({ segments }: Table): number {
  return segments.reduce((sum, { keys, width, count }) => {
    const known = new Set<string>()
    for (let row = 0; row < count; row++)
      known.add(keys.subarray(row * width + 1, (row + 1) * width).join(' '))
    return sum + known.size
  }, 0)
}

const coversRange = (plan: Plan, { range }: Fetched) => range.end === plan.range.end

/**
 * Rows that further days cannot change: of a stacked table those of its first channel, until all days are
 * there.
 */
function certainRows(plan: Plan, fetched: Fetched): number {
  const { table } = fetched
  if (!table || coversRange(plan, fetched)) return Infinity
  return plan.arrangement === 'stacked' ? (table.segments[0]?.count ?? 0) : table.rows
}

async function presented(
  plan: Plan,
  {
    fetched,
    collected,
    last_rows,
    effects,
  }: { fetched: Fetched; collected: Collected; last_rows: number | null; effects: PreviewEffects },
): Promise<Preview> {
  const { table, refusal, filled, unfilled, range } = fetched
  const columns = columnsOf(plan).map(({ column }) => column)
  const rows = table ? firstRows(table, Math.min(PREVIEW_ROWS, certainRows(plan, fetched))) : []
  const isLimited = table !== null && rows.length === plan.limit
  const is_whole = fetched.ends.every(end => end === null)
  const known = { fetched: range, table, filled, is_whole, last_rows }
  const estimate = estimateRows(plan, known)
  return {
    columns,
    rows,
    totals: table && totalsOf(plan, table),
    has_more: table !== null && !isLimited && (!coversRange(plan, fetched) || table.rows > rows.length),
    code: refusal?.code ?? null,
    detail: refusal?.detail ?? {},
    blocks: await blocksOf(plan, fetched, effects),
    notes: collected.notes,
    estimate,
    unfilled_rows: coversRange(plan, fetched) ? unfilled : null,
    rows_before_limit:
      table && coversRange(plan, fetched) && table.rowsBeforeLimit > table.rows
        ? table.rowsBeforeLimit
        : null,
    cells: estimate && (estimate.rows + 1) * columns.length,
    range: plan.range,
    asked: range,
    as_of: collected.as_of.toISOString(),
    from_run: false,
  }
}

async function blocksOf(plan: Plan, fetched: Fetched, { whyEmpty }: PreviewEffects): Promise<PreviewBlock[]> {
  return await Promise.all(
    plan.blocks.map(async ({ channel, label }, index): Promise<PreviewBlock> => {
      const rows = fetched.table?.blockRows[index] ?? 0
      const about = { channel, label, rows, code: null, platform_message: null, empty_because: null }
      const end = fetched.ends[index]
      if (end) return { ...about, ...end }
      if (rows > 0 || !fetched.table) return { ...about, status: 'ok' }
      if (!coversRange(plan, fetched)) return { ...about, status: 'nothing_yet' }
      return {
        ...about,
        status: 'no_data',
        code: 'channel_no_data',
        empty_because: await whyEmpty(index),
      }
    }),
  )
}

/** The first rows under the header, cell by cell as a run would write them: read from the same bytes. */
export function firstRows(table: Table, most: number): (string | number)[][] {
  const rows: (string | number)[][] = []
  for (const { json } of chunksOf(table, CHUNK_BYTES)) {
    rows.push(...(JSON.parse(decoder.decode(json)) as (string | number)[][]))
    if (rows.length > most) break
  }
  return rows.slice(1, most + 1)
}

/** A few dozen rows: no more than shown are made. */
const CHUNK_BYTES = 20_000

const decoder = new TextDecoder()
