import type { Db } from '#server/db/connect.ts'
import { doubtBinding } from '#server/resources/spreadsheets/queries.ts'
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
import { accessOfOwner, refuseDeletedReport, refuseLostAccounts, refuseSpreadsheet } from './access.ts'
import { AttemptError, runFailure } from './failure.ts'
import type { SavedPlan } from './plan-of.ts'
import { otherTables, previousTable, usableSince } from './queries.ts'
import { noteWrite, settleWrite, acquireSpreadsheetLease } from './spreadsheet-lease-queries.ts'
import { readTable } from './table-store.ts'
import type { ClaimedRun } from './lease-queries.ts'

export interface WriteOutcome {
  written: Written
  sheet_name: string
  notes: RunNote[]
  spreadsheet_requests: number
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
 * the owner's rights are checked once more; before one that can change what people see also this attempt and
 * its lease, and the request is recorded, all in one transaction.
 */
export async function writeToTarget(
  db: Db,
  run: ClaimedRun,
  { saved, signal, effects }: { saved: SavedPlan; signal: AbortSignal; effects: WriteEffects },
): Promise<WriteOutcome> {
  const { target, plan, format_table } = saved
  const accounts = [...new Set(plan.requests.map(planned => planned.account.id))]
  const refuse = async (trx: Db) => {
    const [access] = await inTurnOrAtOnce(trx, [
      () => accessOfOwner(trx, run.owner),
      () => refuseDeletedReport(trx, run.report),
    ])
    const [{ lapsed_at }] = await inTurnOrAtOnce(trx, [
      () => refuseSpreadsheet(trx, access, target.spreadsheet_id),
      () => refuseLostAccounts(trx, access, accounts),
    ])
    return { is_lapsed: lapsed_at !== null }
  }
  const [table] = await Promise.all([readTable(db, run.id), refuse(db)])
  if (!table) throw runFailure('internal_error', { reason: 'the table is not stored' })
  const { system_users, sleep } = effects
  const findEffects = { system_users, sleep, signal }
  const user = await systemUserOf(db, target.spreadsheet_id, findEffects)
  await waitForPosition(db, run, { sleep, wakeWorkers, limiter: user.limiter })
  const wait_ms = await acquireSpreadsheetLease(db, run, target.spreadsheet_id)
  if (wait_ms !== null) {
    await keepPosition(db, run, 0)
    throw new AttemptError({ kind: 'spreadsheet_taken', wait_ms })
  }
  const job = { target, format_table, table, refuse, signal, effects }
  try {
    return await asItsSystemUser(
      db,
      { ...findEffects, user, spreadsheet_id: target.spreadsheet_id },
      async each => {
        const proving = { user: each, sleep, signal, now: effects.now() }
        if (!(await stillHasControl(db, target.spreadsheet_id, proving))) throw runFailure('proof_required')
        return await writeAs(each, run, { ...job, db })
      },
    )
  } catch (error) {
    // Access may be lost for more than the system user: the next run checks again.
    if (error instanceof SheetsFailure && REFUSED.has(error.code))
      await doubtBinding(db, target.spreadsheet_id)
    throw error
  }
}

/** A transaction sends one statement after the other, in one session. */
async function inTurnOrAtOnce<One, Other>(
  db: Db,
  [first, second]: [() => Promise<One>, () => Promise<Other>],
): Promise<[One, Other]> {
  return db.isTransaction ? [await first(), await second()] : await Promise.all([first(), second()])
}

const REFUSED = new Set<string>(['spreadsheet_not_shared', 'spreadsheet_not_editor'])

interface WriteJob {
  db: Db
  target: SavedPlan['target']
  format_table: boolean
  table: StoredTable
  /**
   * Throws when a right is gone. `is_lapsed`: nobody of the spreadsheet's people controls it any more,
   * according to the last check.
   */
  refuse: (trx: Db) => Promise<{ is_lapsed: boolean }>
  signal: AbortSignal
  effects: WriteEffects
}

async function writeAs(
  { client, limiter: permits }: SystemUser,
  run: ClaimedRun,
  { db, target, format_table, table, refuse, signal, effects }: WriteJob,
): Promise<WriteOutcome> {
  const [limiter, previous, other_tables, checked_at] = await Promise.all([
    prepay(permits),
    previousTable(db, run.report, target.spreadsheet_id),
    otherTables(db, run.report, target),
    usableSince(db, target.spreadsheet_id),
  ])
  const noted = new Map<number, number>()
  const result = await writeTable(
    {
      table,
      target,
      format_table,
      report_id: run.report,
      run_id: run.id,
      attempt: run.attempt,
      previous,
      other_tables,
      checked_at,
    },
    {
      client,
      limiter,
      now: effects.now,
      sleep: effects.sleep,
      signal,
      ...(effects.sheets_limits && { limits: effects.sheets_limits }),
      async on_step(step, { when, kind, visible, request, outcome }) {
        if (when === 'before' && kind === 'write')
          await db.transaction().execute(async trx => {
            if ((await refuse(trx)).is_lapsed) throw runFailure('proof_required')
            if (visible) noted.set(request, await noteWrite(trx, run, target.spreadsheet_id))
          })
        await effects.step(`${when} ${step}`, run)
        const id = noted.get(request)
        if (when === 'after' && outcome !== 'unknown' && id !== undefined) {
          run.journal.enter('verifying')
          await settleWrite(db, id)
        }
      },
    },
  )
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
  }
}
