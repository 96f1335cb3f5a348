import { Overview, OVERVIEW_LIMIT, OverviewQuery } from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { inZone, isTimeZone } from '#shared/time-zone.ts'
import type { Db } from '#server/db/connect.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { pageOfReportIds } from '#server/resources/reports/list-queries.ts'
import { presentReport } from '#server/resources/reports/present.ts'
import { readReports } from '#server/resources/reports/queries.ts'
import { forecastRuns } from '#server/admission/queue-position.ts'
import {
  countRuns,
  dueReports,
  failedReports,
  hasUsableAccount,
  lastUnderWay,
  updatedAt,
  type Bounds,
} from './queries.ts'

const read = route('GET', '/api/overview/', {
  summary: 'Get the overview: runs and failures of today, runs due, latest changes.',
  level: 'external_user',
  // About ten queries: as much as a search.
  kind: 'search',
  query: OverviewQuery,
  reply: Overview,
  async run({ query, user, db, now, effects: { settings } }) {
    const { timezone: requested = settings.time_zone } = query
    const isKnown = isTimeZone(requested)
    const timezone = isKnown ? requested : settings.time_zone
    const { day, ...bounds } = dayIn(timezone, now)
    const runs = await countRuns(db, user.id, bounds)
    const failures = await failedReports(db, user.id, new Date(now.getTime() - FAILURES_MS))
    const due = await dueReports(db, user.id, bounds.to)
    const recent = await pageOfReportIds(db, recentOnes(user, now))
    const countEnding = async (ending: 'soon' | 'ended') =>
      (await pageOfReportIds(db, { ...recentOnes(user, now), ending, limit: 1 })).count
    const reportsOf = await showReports(db, [failures.ids, due.ids, recent.ids], { user, now })
    const updates = await updatedAt(db, recent.ids)
    const last = runs.running > 0 ? await lastUnderWay(db, user.id) : null
    const tasks = reportsOf(recent.ids).flatMap(({ task }) => task ?? [])
    const forecasts = await forecastRuns(db, last === null ? tasks : [...tasks, last])
    const finishOf = (run: string | null) => (run && forecasts.get(run)?.finishes_at) ?? null
    return {
      day,
      timezone,
      unknown_timezone: isKnown ? null : requested,
      ...runs,
      running_until: finishOf(last),
      to_come: {
        count: due.count,
        next_at: due.count > 0 ? (reportsOf(due.ids)[0]?.next_run_at ?? null) : null,
      },
      failures: { count: failures.count, reports: reportsOf(failures.ids) },
      due: reportsOf(due.ids),
      recent: {
        count: recent.count,
        reports: reportsOf(recent.ids).map(report => ({
          report,
          updated_at: updates.get(report.id)?.toISOString() ?? null,
          finishes_at: finishOf(report.task),
        })),
      },
      ending: { soon: await countEnding('soon'), ended: await countEnding('ended') },
      has_accounts: await hasUsableAccount(db, user),
    }
  },
})

/** A failure that is a month old is not shown. */
const FAILURES_MS = 30 * 24 * 3600_000

/**
 * The calendar day in a time zone, from its first instant to that of the next: 23 or 25 hours when the clocks
 * change.
 */
function dayIn(timezone: string, now: Date): { day: string } & Bounds {
  const at = inZone(Temporal.Instant.fromEpochMilliseconds(now.getTime()), timezone)
  const start = at.startOfDay()
  const next = start.add({ days: 1 }).startOfDay()
  const dateOf = (instant: Temporal.ZonedDateTime) => new Date(instant.epochMilliseconds)
  return { day: at.toPlainDate().toString(), from: dateOf(start), to: dateOf(next) }
}

const recentOnes = (user: SignedInUser, now: Date) => ({
  user_id: user.id,
  ordering: '-last_modified_at' as const,
  limit: OVERVIEW_LIMIT,
  offset: 0,
  now,
})

/** Reads all of them at once; returns how to get some of them in their order. */
async function showReports(
  db: Db,
  lists: readonly (readonly number[])[],
  { user, now }: { user: SignedInUser; now: Date },
): Promise<(ids: readonly number[]) => Report[]> {
  const rows = await readReports(db, user, [...new Set(lists.flat())])
  const reports = new Map(rows.map(row => [row.id, presentReport(row, { user, now })]))
  return ids => ids.flatMap(id => reports.get(id) ?? [])
}

export const overviewRoutes = [read]
