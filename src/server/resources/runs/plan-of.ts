import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Block } from '#shared/api/reports.ts'
import { dateRangeOf, rangeOfRun, todayIn } from '#shared/date-range.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { GIVE_UP_AFTER_MS, runFailure, runCancelled } from './failure.ts'
import { blocksOf } from './fetch-blocks.ts'
import { planReport, type Plan } from '#server/table/plan.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { meaningsOf, moneyOf } from '#server/resources/insight-settings/meanings.ts'
import { findReport } from '#server/resources/reports/queries.ts'
import { findOwnerAccess, type OwnerAccess } from '#server/resources/people/queries.ts'
import type { ClaimedRun } from './lease-queries.ts'

/**
 * What every attempt of a run executes: made once, so that an edit of the report does not change a run in
 * progress. It is stored with the first thing that outlasts the attempt: progress, a wait, the table, the
 * end.
 */
export interface SavedPlan {
  plan: Plan
  target: Target
  /** Whether what is new in the table is made to look like its preview. */
  format_table: boolean
  /** Positions of required blocks. */
  must_not_fail: number[]
  /** Positions of blocks whose previous values stay when they fail. */
  keeps_previous: number[]
  /** The zone of the times in the note on the start cell; null: the report wants none. */
  note_timezone: string | null
}

export interface Target {
  spreadsheet_id: string
  sheet_id: number | null
  sheet_name: string
  start_cell: string
}

/** A plan as it was saved. */
export const savedPlan = (plan: unknown): SavedPlan => Saved.parse(plan)

/**
 * The accounts whose numbers a block of a plan may have; a plan of an older version names only those that it
 * fetches.
 */
export const accountsOfBlock = ({ blocks, requests }: Plan, index: number): number[] => {
  const named: number[] | undefined = blocks[index]?.accounts
  return named ?? requests.flatMap(({ block, account }) => (block === index ? [account.id] : []))
}

/** A plan as versions before `requests` and `measures` saved it, read under today's names. */
const OlderPlan = z.looseObject({
  plan: z
    .looseObject({
      questions: z.array(z.unknown()),
      blocks: z.array(
        z.looseObject({
          parts: z.array(z.unknown()),
          metrics: z.array(z.looseObject({ part: z.number().optional() })),
        }),
      ),
    })
    .transform(({ questions, blocks, ...plan }) => ({
      ...plan,
      requests: questions,
      blocks: blocks.map(({ parts, metrics, ...block }) => ({
        ...block,
        measures: parts,
        metrics: metrics.map(({ part, ...metric }) =>
          part === undefined ? metric : { ...metric, measure: part },
        ),
      })),
    })),
})

type LaterField = 'keeps_previous' | 'format_table' | 'note_timezone'

// Written by this file alone; the rest of it has the shape of SavedPlan by construction.
const Saved = z
  .preprocess(
    saved => OlderPlan.safeParse(saved).data ?? saved,
    z.custom<Omit<SavedPlan, LaterField> & Partial<SavedPlan>>(
      value => z.object({ plan: z.object({}), target: z.object({}) }).safeParse(value).success,
    ),
  )
  // A plan of an older version lacks what came later.
  .transform((saved): SavedPlan => ({
    keeps_previous: [],
    format_table: true,
    note_timezone: null,
    ...saved,
    plan: { ...planDefaults, ...saved.plan },
  }))

const planDefaults = {
  sort: null,
  limit: null,
  compared: null,
  blends: [],
  factors: [],
  provisional_rates: [],
} satisfies Partial<Plan>

/**
 * The run's plan: the saved one, or a new one by the report as it is now. Throws when there is nothing to
 * plan, or the report is deleted.
 */
export async function planOf(db: Db, run: ClaimedRun, now: Date): Promise<SavedPlan> {
  if (run.plan !== null && !isStale(run)) return savedPlan(run.plan)
  const [report, access] = await Promise.all([findReport(db, run.report), findOwnerAccess(db, run.owner)])
  if (!report) throw runCancelled()
  const blocksThat = (policy: Block['on_error']) =>
    report.channels.flatMap(({ on_error }, index) => (on_error === policy ? [index] : []))
  const saved = {
    plan: await planNow(db, report, {
      owner: report.owner === run.owner ? access : await findOwnerAccess(db, report.owner),
      now,
    }),
    target: targetOf(report),
    format_table: report.format_table,
    must_not_fail: blocksThat('fail_report'),
    keeps_previous: blocksThat('keep_previous'),
    note_timezone: report.note ? report.timezone : null,
  }
  run.journal.unsaved_plan = {
    plan: JSON.stringify(saved),
    report_version: report.version,
    range_start: saved.plan.range.start,
    range_end: saved.plan.range.end,
    blocks: JSON.stringify(blocksOf(saved.plan)),
  }
  return saved
}

/**
 * A run that was not executed for days (a downtime, a restored backup) uses the days as they are now, as long
 * as it has stored no table.
 */
const isStale = ({ table_rows, started_at, claimed_at }: ClaimedRun) =>
  table_rows === null && started_at !== null && claimed_at.getTime() - started_at.getTime() > GIVE_UP_AFTER_MS

async function planNow(
  db: Db,
  report: Selectable<Database['report']>,
  { owner, now }: { owner: OwnerAccess | null; now: Date },
): Promise<Plan> {
  const range = rangeOfRun(dateRangeOf(report), todayIn(report.timezone, now))
  if (!range) throw runFailure('channel_no_data', { reason: 'range_in_future' })
  const ids = report.channels.flatMap(block => block.accounts)
  // Without an owner every block ends with account_access_lost, so that the run reports that for each.
  const accounts = owner ? await usableAccounts(db, owner, ids) : []
  const today = todayIn(report.timezone, now)
  const meanings = await meaningsOf(db, report, accounts)
  const money = await moneyOf(db, report, { meanings, accounts, range, today })
  return planReport(report, { accounts, range, meanings, money })
}

function targetOf({
  spreadsheet_id,
  sheet_id,
  sheet_name,
  start_cell,
}: Selectable<Database['report']>): Target {
  if (!spreadsheet_id) throw runFailure('spreadsheet_not_set')
  if (sheet_name === '') throw runFailure('page_not_set')
  return { spreadsheet_id, sheet_id, sheet_name, start_cell }
}
