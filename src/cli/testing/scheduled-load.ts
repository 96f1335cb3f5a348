import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { wakeRuns } from '#server/resources/runs/queries.ts'
import { patiently, type Fleet } from './fleet.ts'

const DAY_MS = 24 * 3600_000
/** The target cells of the three reports of a spreadsheet. */
const TARGET_CELLS = [
  { sheet_name: 'Data', start_cell: 'A1' },
  { sheet_name: 'Data', start_cell: 'H1' },
  { sheet_name: 'More', start_cell: 'B2' },
]

/**
 * Scheduled reports, three to a spreadsheet, and for each spreadsheet a twin whose reports run undisturbed.
 * What was due is stored in a table beside the product's, to check afterwards whether each occurrence had its
 * run.
 */
export async function testScheduledLoad(fleet: Fleet, { spreadsheets }: { spreadsheets: number }) {
  const { db, service, sandbox } = fleet
  const now = Date.now()
  const day = (ago: number) => new Date(now - ago * DAY_MS).toISOString().slice(0, 10)
  /** Two tables of different length alternate. */
  const ends = [day(9), day(4)]
  await sandbox.reset(new Date(now).toISOString(), { keep_files: true })
  await fleet.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } })
  await sql`create schema expected`.execute(db)
  await sql`create table expected.due (report bigint, due_at timestamptz, nth int)`.execute(db)
  const sheets = await Promise.all(
    Array.from({ length: spreadsheets }, async () => ({
      disturbed: await newSheet(),
      undisturbed: await newSheet(),
    })),
  )
  const reports = sheets.flatMap(({ disturbed }) => disturbed.reports)

  async function newSheet() {
    const id = await fleet.spreadsheet()
    await service.batch(id, { addSheet: { properties: { sheetId: 7, title: 'More' } } })
    await service.ask(
      'PUT',
      `/v4/spreadsheets/${id}/values/${encodeURIComponent('Data!E20')}?valueInputOption=USER_ENTERED`,
      { values: [['mine', '=1+1', 3.5]] },
    )
    const written: number[] = []
    for (const target of TARGET_CELLS) {
      const fields = { ...target, update_frequency: 2, date_start: day(12), date_end: ends[0] ?? '' }
      const { id: report } = await fleet.report({ spreadsheet_id: id, ...fields })
      written.push(report)
    }
    return { id, reports: written }
  }

  /**
   * Makes what is not under way due again and again, each report at least so many times and for as long as
   * `goesOn`; ends when all that was due is done.
   */
  async function play(times: number, goesOn: () => boolean) {
    for (;;) {
      const least = goesOn() ? Number.MAX_SAFE_INTEGER : times
      const isDone = await patiently(async () => {
        await land()
        return await db.transaction().execute(async trx => {
          await sql`
            with idle as (
              select id, (select count(*) from expected.due where due.report = report.id)::int as nth from report
              where id = any(${reports}) and (next_run_at is null or next_run_at > now() + interval '20 min')
                and not exists (select from run where run.report = report.id and status in ('queued', 'fetching', 'writing'))
              for update skip locked
            ), fallen as (
              update report set next_run_at = date_trunc('milliseconds', now()), date_end = (${ends}::text[])[nth % 2 + 1]::date
              from idle where report.id = idle.id and nth < ${least}::bigint
              returning report.id, next_run_at, nth
            )
            insert into expected.due select id, next_run_at, nth from fallen`.execute(trx)
          const { rows } = await sql<{ open: number }>`
            select (select count(*) from expected.due where not exists (
              select from run where run.report = due.report and run.due_at = due.due_at and finished_at is not null))
              + (select count(*) from unnest(${reports}::bigint[]) as report where (select count(*) from expected.due where due.report = report) < ${least}::bigint) as open`.execute(
            trx,
          )
          return Number(rows[0]?.open) === 0
        })
      })
      if (isDone) return
      await sleep(100)
    }
  }

  /**
   * As if the 200 seconds had passed in which a dead worker's request could still land; in the sandbox it has
   * landed after two, or never will. Runs that have met it before wait for as long, and continue now.
   */
  async function land() {
    await sql`delete from spreadsheet_write where started_at < now() - interval '2 s'`.execute(db)
    await db.transaction().execute(async trx => {
      const { rows: waiting } = await sql<{ id: string }>`
        select run.id from run join report on report.id = run.report
        where run.status = 'queued' and run.resumes_at > now() + interval '100 s' and not exists (
          select from spreadsheet_write where spreadsheet_write.spreadsheet_id = report.spreadsheet_id)`.execute(
        trx,
      )
      await wakeRuns(
        trx,
        waiting.map(({ id }) => id),
      )
    })
  }

  /**
   * Occurrences without exactly one completed run, runs without an occurrence, and spreadsheets that differ
   * from their undisturbed twins.
   */
  async function inconsistencies(): Promise<string[]> {
    const { rows } = await sql<{ what: string }>`
      select 'due ' || due.report || ' ' || due.due_at || ': ' || coalesce(string_agg(run.status || ' ' || coalesce(run.code, '') || ' ' || coalesce(run.detail::text, ''), ', '), 'no run') as what
      from expected.due left join run on run.report = due.report and run.due_at = due.due_at
      group by due.report, due.due_at having count(*) <> 1 or min(run.status) <> 'completed' or max(failures) > 0
      union all
      select 'run ' || id || ' was not due' from run
      where trigger = 'schedule' and not exists (select from expected.due where due.report = run.report and due.due_at = run.due_at)
      union all
      select 'click ' || id || ': ' || status || ' ' || coalesce(code, '') from run where trigger = 'click' and status <> 'completed'`.execute(
      db,
    )
    const { rows: dueCounts } = await sql<{ report: number; count: number }>`
      select report, count(*)::int as count from expected.due group by report`.execute(db)
    const countsOf = new Map(dueCounts.map(({ report, count }) => [report, count]))
    const differing: string[] = []
    for (const { disturbed, undisturbed } of sheets) {
      for (const [at, report] of undisturbed.reports.entries()) {
        const expected = countsOf.get(disturbed.reports[at] ?? 0) ?? 0
        // The last two determine how it looks: where the longer table was, its formats stay.
        for (let occurrence = Math.max(0, expected - 3); occurrence < expected; occurrence++)
          await runUndisturbed(report, occurrence)
      }
      const [one, other] = await Promise.all([
        service.document(disturbed.id),
        service.document(undisturbed.id),
      ])
      if (one !== other)
        differing.push(`${disturbed.id} differs from ${undisturbed.id}${differenceOf(one, other)}`)
    }
    return [...rows.map(({ what }) => what), ...differing]
  }

  async function runUndisturbed(report: number, occurrence: number) {
    await db
      .updateTable('report')
      .set({ date_end: ends[occurrence % 2] ?? '' })
      .where('id', '=', report)
      .execute()
    const { status } = await fleet.run(report, { now: () => new Date() })
    if (status !== 'completed') throw new Error(`an undisturbed run ended with ${status}`)
  }

  /** Until no click is under way any more. */
  async function settled() {
    for (;;) {
      await land()
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from run where finished_at is null`.execute(db)
      if (rows[0]?.open === 0) return
      await sleep(100)
    }
  }

  /** Waits until a run has ended, so that the next process to be killed is at work; for a limited time. */
  async function untilAnyEnds(mostMs: number) {
    const since = performance.now()
    const ended = () =>
      patiently(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from run where finished_at is not null`.execute(db)
        return rows[0]?.count ?? 0
      })
    const before = await ended()
    while ((await ended()) === before && performance.now() - since < mostMs) await sleep(50)
  }

  /** For the log: how many occurrences there were, and how often runs had to be taken over. */
  async function counts() {
    const { rows } = await sql<{ runs: number; attempts: number; slowest_s: number }>`
      select count(*)::int as runs, sum(attempt)::int as attempts,
        max(extract(epoch from finished_at - queued_at))::float8 as slowest_s from run
      where trigger = 'schedule'`.execute(db)
    return rows[0]
  }

  return { first_day: day(12), last_day: day(4), play, settled, untilAnyEnds, counts, inconsistencies }
}

/** The index at which two texts differ, and what each has there. */
function differenceOf(one: string, other: string): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  return [one, other].map(text => `\n  … ${text.slice(Math.max(0, at - 60), at + 60)} …`).join('')
}

/** Clicks on reports of their own through any of these addresses, and records the responses. */
export function startClicking(fleet: Fleet, { reports, origins }: { reports: number[]; origins: string[] }) {
  const stopped = new AbortController()
  const acknowledged: string[] = []
  const statuses = new Map<string, number>()
  const unwelcome: string[] = []
  let slowestMs = 0
  const click = async (count: number) => {
    const began = performance.now()
    const response = await fetch(`${origins[count % origins.length]}/api/gs-template-execution/`, {
      method: 'POST',
      headers: {
        authorization: await fleet.bearer(),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ reports: [reports[count % reports.length]] }),
    })
    const body = (await response.json()) as { id?: string; code?: string }
    slowestMs = Math.max(slowestMs, performance.now() - began)
    const kind = `${response.status} ${body.code ?? ''}`.trim()
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    if (response.status === 201 && body.id) acknowledged.push(body.id)
    const isBusy = response.status === 503 && Number(response.headers.get('retry-after')) >= 1
    if (response.status !== 201 && body.code !== 'report_busy' && !isBusy)
      unwelcome.push(JSON.stringify(body))
  }
  const loop = (async () => {
    for (let count = 0; !stopped.signal.aborted; count++) {
      await click(count).catch(error => unwelcome.push(String(error.cause ?? error)))
      await sleep(150)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await loop
      const { rows } = await sql<{ lost: string }>`
        select each.id::text as lost from unnest(${acknowledged}::uuid[]) as each (id)
        where not exists (select from execution where execution.id = each.id)`.execute(fleet.db)
      return {
        acknowledged: acknowledged.length,
        statuses: Object.fromEntries(statuses),
        unwelcome,
        slowest_ms: Math.round(slowestMs),
        lost: rows.map(({ lost }) => lost),
      }
    },
  }
}
