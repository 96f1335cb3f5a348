import type { Db } from '#server/db/connect.ts'
import { doubtBinding, type Binding } from '#server/resources/spreadsheets/queries.ts'
import { stillHasControl } from '#server/resources/spreadsheets/recheck-control.ts'
import { asItsSystemUser, systemUserOf } from '#server/resources/spreadsheets/system-user.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import type { SystemUser } from '#server/sheets/system-user.ts'
import type { WriterLimits } from '#server/sheets/work.ts'
import { writeTable } from '#server/sheets/write.ts'
import type { RunNote } from '#server/connectors/connector.ts'
import type { Written } from '#server/db/tables/runs.ts'
import { wakeWorkers } from '#server/queue/queue.ts'
import type { StoredTable } from '#server/table/stored-table.ts'
import { keepPosition, prepay, waitForPosition } from '#server/admission/waitlist.ts'
import { refuseRevoked } from './access.ts'
import { AttemptError, runFailure } from './failure.ts'
import type { SavedPlan } from './plan-of.ts'
import { tablesIn } from './queries.ts'
import { noteWrite, settleWrites, acquireSpreadsheetLease } from './spreadsheet-lease-queries.ts'
import { readTable } from './table-store.ts'
import type { ClaimedRun } from './lease-queries.ts'

export interface WriteOutcome {
  written: Written
  sheet_name: string
  notes: RunNote[]
  spreadsheet_requests: number
  /** Recorded requests whose outcome is known: the end of the run settles them. */
  settled: number[]
}

export interface WriteEffects {
  system_users: readonly SystemUser[]
  /** Where the writer switches paths; only set by tests. */
  sheets_limits?: Partial<WriterLimits>
  sleep: (ms: number) => Promise<void>
  now: () => Date
  /** Called before and after each request. */
  step: (name: string, run: ClaimedRun) => Promise<void>
}

/**
 * Writes the stored table to the run's target in one atomic change. Before each request that changes anything
 * the owner's rights are checked once more; then, before one that can change what people see, one statement
 * records it if this attempt and its lease are still valid.
 */
export async function writeToTarget(
  db: Db,
  run: ClaimedRun,
  { saved, fetched, signal, effects }: WriteInput,
): Promise<WriteOutcome> {
  const { target, plan, format_table } = saved
  const { spreadsheet_id } = target
  const accounts = [...new Set(plan.requests.map(planned => planned.account.id))]
  const refuse = () => refuseRevoked(db, run, { spreadsheet_id, accounts })
  const [table, binding] = await Promise.all([fetched ?? readTable(db, run.id), refuse()])
  if (!table) throw runFailure('internal_error', { reason: 'the table is not stored' })
  const { system_users, sleep } = effects
  const findEffects = { system_users, sleep, signal }
  const user = await systemUserOf(db, spreadsheet_id, findEffects)
  await waitForPosition(db, run, { sleep, wakeWorkers, limiter: user.limiter })
  const wait_ms = await acquireSpreadsheetLease(db, run, spreadsheet_id)
  if (wait_ms !== null) {
    await keepPosition(db, run, 0)
    throw new AttemptError({ kind: 'spreadsheet_taken', wait_ms })
  }
  const job = { target, format_table, table, refuse, signal, effects }
  try {
    return await asItsSystemUser(db, { ...findEffects, user, spreadsheet_id }, async each => {
      const proving = { user: each, sleep, signal, now: effects.now() }
      if (!(await stillHasControl(db, binding, proving))) throw runFailure('proof_required')
      return await writeAs(each, run, { ...job, db })
    })
  } catch (error) {
    // Access may be lost for more than the system user: the next run checks again.
    if (error instanceof SheetsFailure && REFUSED.has(error.code)) await doubtBinding(db, spreadsheet_id)
    throw error
  }
}

interface WriteInput {
  saved: SavedPlan
  /** The table that this attempt has just stored, if it is small; left out: it is read. */
  fetched: StoredTable | null
  signal: AbortSignal
  effects: WriteEffects
}

const REFUSED = new Set<string>(['spreadsheet_not_shared', 'spreadsheet_not_editor'])

interface WriteJob {
  db: Db
  target: SavedPlan['target']
  format_table: boolean
  table: StoredTable
  /** Throws when a right is gone. */
  refuse: () => Promise<Binding>
  signal: AbortSignal
  effects: WriteEffects
}

async function writeAs(
  { client, limiter: permits }: SystemUser,
  run: ClaimedRun,
  { db, target, format_table, table, refuse, signal, effects }: WriteJob,
): Promise<WriteOutcome> {
  const [limiter, tables] = await Promise.all([
    prepay(permits),
    tablesIn(db, target.spreadsheet_id, run.report),
  ])
  const noted = new Map<number, number>()
  const settled: number[] = []
  const result = await writeTable(
    {
      table,
      target,
      format_table,
      report_id: run.report,
      run_id: run.id,
      attempt: run.attempt,
      previous: tables.previous,
      other_tables: tables.others,
      checked_at: tables.usable_since,
    },
    {
      client,
      limiter,
      now: effects.now,
      sleep: effects.sleep,
      signal,
      ...(effects.sheets_limits && { limits: effects.sheets_limits }),
      async on_step(step, { when, kind, visible, request, outcome }) {
        if (when === 'before' && kind === 'write') {
          // Nobody of the spreadsheet's people controls it any more, according to the last check.
          if ((await refuse()).lapsed_at !== null) throw runFailure('proof_required')
          if (visible) noted.set(request, await noteWrite(db, run, target.spreadsheet_id))
        }
        await effects.step(`${when} ${step}`, run)
        const id = noted.get(request)
        if (when === 'after' && outcome !== 'unknown' && id !== undefined) {
          run.journal.enter('verifying')
          settled.push(id)
        }
      },
    },
  ).catch(async error => {
    await settleWrites(db, settled)
    throw error
  })
  const { sheet_id, sheet_name, rect, head, fmt, note, notes, requests } = result
  return {
    written: {
      spreadsheet_id: target.spreadsheet_id,
      sheet_id,
      rect,
      head,
      fmt,
      note,
      project: client.project,
    },
    sheet_name,
    notes,
    spreadsheet_requests: requests,
    settled,
  }
}
