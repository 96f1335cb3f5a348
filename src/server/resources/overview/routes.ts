import {
  Attention,
  AttentionQuery,
  FirstSteps,
  firstSteps,
  Overview,
  OVERVIEW_LIMIT,
  OverviewQuery,
  type AttentionReport,
} from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { todayIn } from '#shared/date-range.ts'
import { scheduleEndOf } from '#shared/schedule-end.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import type { Db } from '#server/db/connect.ts'
import { pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { countEnding, reportsToChange } from '#server/resources/reports/list-queries.ts'
import { presentReport } from '#server/resources/reports/present.ts'
import { readReports } from '#server/resources/reports/queries.ts'
import { forecastRuns } from '#server/admission/queue-position.ts'
import {
  countRuns,
  dueReports,
  endedRuns,
  failedReports,
  hasUsableAccount,
  lastUnderWay,
  MOST_IN_NEED,
  recentReports,
  stepsDone,
  type EndedRuns,
} from './queries.ts'
import { dayIn, FAILURES_MS, inNeedOf, type InNeed } from './rules.ts'

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
    const failed = await failuresOf(db, user, now)
    const inNeed = inNeedOf(failed, await reportsToChange(db, { user_id: user.id, now, most: MOST_IN_NEED }))
    const needing = inNeed.slice(0, OVERVIEW_LIMIT)
    const due = await dueReports(db, user.id, bounds.to)
    const recent = await recentReports(db, user.id)
    const last = runs.running > 0 ? await lastUnderWay(db, user.id) : null
    const ids = [...needing.map(({ id }) => id), ...due.ids, ...recent.ids]
    const listed = await showReports(db, ids, { user, now, ...(last !== null && { alsoForecast: last }) })
    const nextOf = (id: number | undefined) => listed.of(id === undefined ? [] : [id])[0]?.report.next_run_at
    return {
      day,
      timezone,
      unknown_timezone: isKnown ? null : requested,
      ...runs,
      running_until: listed.finishOf(last),
      to_come: { count: due.count, next_at: due.count > 0 ? (nextOf(due.ids[0]) ?? null) : null },
      attention: { count: inNeed.length, failed: failed.length, results: attentionOf(needing, listed, now) },
      due: listed.of(due.ids).map(({ report }) => report),
      recent: { count: recent.count, reports: listed.of(recent.ids) },
      ending: await countEnding(db, { user_id: user.id, now }),
      has_accounts: await hasUsableAccount(db, user),
    }
  },
})

const readAttention = route('GET', '/api/overview/attention/', {
  summary: 'List the reports that need attention, the most urgent first, each with why.',
  level: 'external_user',
  kind: 'search',
  query: AttentionQuery,
  reply: Attention,
  async run({ query, user, db, now, request }) {
    const failed = await failuresOf(db, user, now)
    const inNeed = inNeedOf(failed, await reportsToChange(db, { user_id: user.id, now, most: MOST_IN_NEED }))
    const page = inNeed.slice(query.offset, query.offset + query.limit)
    const listed = await showReports(
      db,
      page.map(({ id }) => id),
      { user, now },
    )
    return pageOf(request.url, query, { count: inNeed.length, results: attentionOf(page, listed, now) })
  },
})

const readSteps = route('GET', '/api/overview/first-steps/', {
  summary: 'Get which steps to a first report that updates itself are done.',
  level: 'external_user',
  // Whether one's own reports are shared: with whom is not read.
  rows: 'every',
  reply: FirstSteps,
  async run({ user, db }) {
    const { latest, ...steps } = await stepsDone(db, user.id)
    return { done: firstSteps.filter(step => steps[step]), report: latest }
  },
})

const failuresOf = (db: Db, user: SignedInUser, now: Date) =>
  failedReports(db, user.id, new Date(now.getTime() - FAILURES_MS))

type Listed = Awaited<ReturnType<typeof showReports>>

/** Reads all of them at once, with the state of each; returns how to get some of them in their order. */
async function showReports(
  db: Db,
  ids: readonly number[],
  { user, now, alsoForecast }: { user: SignedInUser; now: Date; alsoForecast?: string },
) {
  const distinct = [...new Set(ids)]
  const rows = await readReports(db, user, distinct)
  const ended = await endedRuns(db, distinct)
  const tasks = rows.flatMap(({ task }) => task ?? [])
  const forecasts = await forecastRuns(db, alsoForecast === undefined ? tasks : [...tasks, alsoForecast])
  const finishOf = (run: string | null) => (run && forecasts.get(run)?.finishes_at) ?? null
  const listed = new Map(
    rows.map(row => {
      const report = presentReport(row, { user, now })
      return [row.id, { report, ...stateOf(ended.get(row.id)), finishes_at: finishOf(report.task) }]
    }),
  )
  return { of: (some: readonly number[]) => some.flatMap(id => listed.get(id) ?? []), finishOf }
}

function stateOf(ended: EndedRuns | undefined) {
  if (!ended) return { outcome: null, updated_at: null }
  const { report: _, updated_at, at, ...outcome } = ended
  return {
    outcome: { ...outcome, at: at.toISOString() },
    updated_at: updated_at?.toISOString() ?? null,
  }
}

const attentionOf = (page: readonly InNeed[], listed: Listed, now: Date): AttentionReport[] =>
  page.flatMap(({ id, reason }) =>
    listed.of([id]).map(each => ({ ...each, reason, ending: endingOf(each.report, now) })),
  )

function endingOf({ date_range, chosen_frequency, timezone }: Report, now: Date) {
  const end = scheduleEndOf({ date_range, update_frequency: chosen_frequency }, todayIn(timezone, now))
  return end && { state: end.state, ends_on: end.ends_on }
}

export const overviewRoutes = [read, readAttention, readSteps]
