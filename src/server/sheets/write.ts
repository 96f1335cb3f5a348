import { cellName, MAX_CELLS, parseStartCell, type Rect } from '#shared/cell.ts'
import { overlap } from '#shared/rect.ts'
import type { StoredTable } from '#server/table/stored-table.ts'
import type { RequestJson } from './body.ts'
import type { SheetsClient } from './client.ts'
import { forCommit, planFor, type Done, type WritePlan } from './commit.ts'
import { SheetsFailure } from './failure.ts'
import { refuseUnusableFile } from './file.ts'
import { writeLarge } from './large.ts'
import { valuesInOneRequest, writeWithoutRoom } from './no-room.ts'
import { formatCodes, lastFormatted } from './formats.ts'
import { mergesUnder, missingRoom, refuseBlocked } from './plan.ts'
import { openRequests, type RequestEffects } from './requests.ts'
import { cellsInOneRequest, writeSmall } from './small.ts'
import { headerHash, isWritten, readTarget } from './target.ts'
import { measured } from './widths.ts'
import type { OtherTable, PreviousTable, Work, WriterLimits } from './work.ts'

export interface WriteJob {
  table: StoredTable
  target: {
    spreadsheet_id: string
    /** The tab's own id, where it is known: it distinguishes a renamed tab from a deleted one. */
    sheet_id: number | null
    sheet_name: string
    start_cell: string
  }
  /** Whether what is new in the table is made to look like its preview. */
  format_table: boolean
  report_id: number
  run_id: string
  attempt: number
  /** The last table of this report in the database. The tab's own entry has priority where both exist. */
  previous: PreviousTable | null
  /** The last tables of other reports in this spreadsheet. */
  other_tables: OtherTable[]
  /**
   * When the file was last found usable (not trashed, editable): spares a request to the drive service
   * within CHECK_HOLDS_MS.
   */
  checked_at?: Date | null
}

export interface WriteEffects extends RequestEffects {
  client: SheetsClient
  now: () => Date
  limits?: Partial<WriterLimits>
}

const LIMITS: WriterLimits = {
  cells: MAX_CELLS,
  small_cells: 100_000,
  small_bytes: 6_000_000,
  chunk: { bytes: 2_000_000, cells: 250_000 },
  no_room_cells: 250_000,
  no_room_bytes: 9_000_000,
  tries: 4,
  patience_ms: 10_000,
  staged_patience_ms: 180_000,
}

const CHECK_HOLDS_MS = 3_600_000

export interface Written {
  sheet_id: number
  sheet_name: string
  /** The written table, its header included; with the next three it is the next run's `previous`. */
  rect: Rect
  head: string
  fmt: string
  /** The table's note, if it is on the start cell. */
  note: string | null
  /** Requests to the spreadsheet and drive services. */
  requests: number
  notes: WriteNote[]
}

/**
 * merged_cells: the cells that they cover are invisible. old_table_changed: somebody moved the last table, so
 * its remains were not cleared. note_kept: the start cell has a note that is not the report's.
 */
export interface WriteNote {
  code: 'merged_cells' | 'old_table_changed' | 'note_kept'
  detail: { ranges: string }
}

/**
 * Replaces the report's table at its target by this one, in one atomic change. May be repeated at any point:
 * a run whose table is there already changes nothing. Throws SheetsFailure; then the old table is there, or
 * (`ambiguous`) either.
 *
 * The caller must guarantee: writes to one spreadsheet do not overlap; no other run writes to it while one of
 * its visible requests is of unknown outcome and younger than 200 s, the longest that a request can take to
 * be applied; `on_step` refuses attempts that were replaced.
 */
export async function writeTable(job: WriteJob, effects: WriteEffects): Promise<Written> {
  const work = startWork(job, effects)
  try {
    return await writeWork(work, job, effects)
  } catch (error) {
    throw error instanceof SheetsFailure ? await withRanges(work, error) : error
  }
}

async function writeWork(work: Work, job: WriteJob, effects: WriteEffects): Promise<Written> {
  if (!isFresh(job.checked_at ?? null, effects.now())) await checkFile(work)
  const target = await readTarget(work)
  if (isWritten(target, work.run_id)) return outcome(work, { target, plan: null })
  const plan = await planFor(work, target)
  const cells = await cellsInOneRequest(work, target.sheet_id)
  return outcome(work, cells === null ? await writeInSteps(work, plan) : await writeAtOnce(work, plan, cells))
}

async function writeAtOnce(work: Work, plan: WritePlan, cells: RequestJson[]): Promise<Done> {
  try {
    return await writeSmall(work, await forCommit(work, plan), cells)
  } catch (error) {
    // Without the other tabs, the service alone knows that there is no space. How much is missing, or may be
    // freed by deleting staging tabs, is in the whole file.
    const isUncounted = error instanceof SheetsFailure && error.code === 'cell_limit' && !error.ambiguous
    if (!isUncounted || plan.target.file !== null) throw error
    const counted = await planFor(work, await readTarget(work, { whole_file: true }))
    return await writeSmall(work, await forCommit(work, counted), cells)
  }
}

/**
 * A table for more than one request: beside a staging copy, or without one where there is no space for it.
 */
async function writeInSteps(work: Work, firstPlan: WritePlan): Promise<Done> {
  const plan = firstPlan.target.file
    ? firstPlan
    : await planFor(work, await readTarget(work, { whole_file: true }))
  const { target } = plan
  const stage_cells = (work.rect[2] - work.rect[0]) * (work.rect[3] - work.rect[1])
  const missing = missingRoom(target, work.rect, { limit: work.limits.cells, beside: stage_cells })
  if (!missing) return writeLarge(work, target)
  const values = await valuesInOneRequest(work, plan)
  if (values === null) throw new SheetsFailure('cell_limit', { detail: { ...missing, staging: stage_cells } })
  return writeWithoutRoom(work, plan, values)
}

/**
 * The service refuses without saying which range is in the way, when somebody has added one since the tab was
 * read: that is read once more.
 */
async function withRanges(work: Work, failure: SheetsFailure): Promise<SheetsFailure> {
  const { code, ambiguous, service_message } = failure
  const isUnexplained = Object.keys(failure.detail).length === 0
  if (!isUnexplained || (code !== 'named_range' && code !== 'protected_range')) return failure
  try {
    const target = await readTarget(work)
    refuseBlocked(target, [work.rect], [])
    const names = target.named_ranges.filter(({ rect }) => overlap(rect, work.rect)).map(({ name }) => name)
    return names.length > 0
      ? new SheetsFailure(code, { ambiguous, service_message, detail: { names } })
      : failure
  } catch (later) {
    if (!(later instanceof SheetsFailure) || Object.keys(later.detail).length === 0) return failure
    return new SheetsFailure(later.code, { ambiguous, service_message, detail: later.detail })
  }
}

/** Refuses what can be checked without a request, and collects what the steps need. */
function startWork({ table, target, ...job }: WriteJob, effects: WriteEffects): Work {
  const cell = parseStartCell(target.start_cell)
  if (typeof cell === 'string') throw new SheetsFailure(cell)
  if (target.sheet_name === '') throw new SheetsFailure('page_not_set')
  if (target.sheet_name.includes(':'))
    throw new SheetsFailure('sheet_name_colon', { detail: { sheet_name: target.sheet_name } })
  const { row, column } = cell
  return {
    spreadsheet_id: target.spreadsheet_id,
    sheet_id: target.sheet_id,
    sheet_name: target.sheet_name,
    rect: [row, column, row + table.rows + 1, column + table.columns.length],
    columns: table.columns,
    format_table: job.format_table,
    table: measured(table),
    head: headerHash(table.columns.map(one => one.title)),
    report_id: job.report_id,
    run_id: job.run_id,
    attempt: job.attempt,
    previous: job.previous,
    other_tables: job.other_tables,
    limits: { ...LIMITS, ...effects.limits },
    client: effects.client,
    requests: openRequests(target.spreadsheet_id, effects),
    signal: effects.signal,
    now: effects.now,
  }
}

const isFresh = (checked_at: Date | null, now: Date) =>
  checked_at !== null && now.getTime() - checked_at.getTime() < CHECK_HOLDS_MS

async function checkFile({ requests, client, spreadsheet_id, signal, limits }: Work) {
  refuseUnusableFile(
    await requests.repeatable('file', { kind: 'read', ...limits }, () =>
      client.getFile(spreadsheet_id, signal),
    ),
  )
}

function outcome(work: Work, { target, plan }: Done): Written {
  const merges = mergesUnder(plan?.target ?? target, work.rect)
  const note = writtenNote(work, { target, plan })
  const notes: WriteNote[] = []
  if (merges.length > 0)
    notes.push({ code: 'merged_cells', detail: { ranges: merges.slice(0, 10).join(', ') } })
  if (plan?.lost) notes.push({ code: 'old_table_changed', detail: { ranges: plan.lost } })
  if (note !== work.table.note)
    notes.push({
      code: 'note_kept',
      detail: { ranges: cellName({ row: work.rect[0], column: work.rect[1] }) },
    })
  return {
    sheet_id: target.sheet_id,
    sheet_name: target.title,
    rect: work.rect,
    head: work.head,
    fmt: formatCodes(work, lastFormatted(plan?.target ?? target)),
    note,
    requests: work.requests.count(),
    notes,
  }
}

/** By the run's entry, where it was read: the change that was applied may be an earlier attempt's. */
function writtenNote({ run_id, table }: Work, { target, plan }: Done): string | null {
  const entry = target.entries.find(({ state }) => state.run === run_id && state.was === undefined)
  if (!entry) return plan?.note.note ?? null
  return entry.state.note === undefined ? null : table.note
}
