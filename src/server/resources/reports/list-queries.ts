import { sql, type RawBuilder } from 'kysely'
import { reportOrderings, type Gap, type ReportQuery } from '#shared/api/reports.ts'
import { ENDS_AFTER_DAYS, NOTICE_DAYS_BEFORE, NOTICE_DAYS_AFTER } from '#shared/schedule-end.ts'
import type { Db } from '#server/db/connect.ts'
import { containing } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'

/** Counting stops here: an exact count of a million rows costs more than the page that shows it. */
const MOST_COUNTED = 10_000

type Query = Omit<ReportQuery, 'limit' | 'offset'> & { user_id: number; now: Date }

/** The ids of one page of the reports that a person sees, in order, and how many there are. */
export async function pageOfReportIds(
  db: Db,
  { limit, offset, ...query }: Query & Pick<ReportQuery, 'limit' | 'offset'>,
): Promise<{ count: number; ids: number[] }> {
  const from = reportsFound(query)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (select ${from} limit ${MOST_COUNTED}) found`.execute(db)
  const count = counted[0]?.count ?? 0
  if (offset >= count) return { count, ids: [] }
  const { rows } = await sql<{ id: number }>`
    select report.id ${from} order by ${order(query.ordering)} limit ${limit} offset ${offset}`.execute(db)
  return { count, ids: rows.map(row => row.id) }
}

/** How many of them end soon, and how many have ended lately. */
export async function countEnding(db: Db, query: Pick<Query, 'user_id' | 'now'>) {
  const count = (ending: 'soon' | 'ended') => sql<number>`(
    select count(*) from (select ${reportsFound({ ...query, ordering: 'id', ending })} limit ${MOST_COUNTED}) found)`
  const { rows } = await sql<{ soon: number; ended: number }>`
    select ${count('soon')} as soon, ${count('ended')} as ended`.execute(db)
  return rows[0] ?? { soon: 0, ended: 0 }
}

/** The ids of all of them, in order. */
export async function allReportIds(db: Db, query: Query): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select report.id ${reportsFound(query)} order by ${order(query.ordering)}`.execute(db)
  return rows.map(row => row.id)
}

/**
 * The reports that a person may change and should: those that end by themselves, the first to end first, then
 * those with a gap, the last changed first. At most so many of each.
 */
export async function reportsToChange(
  db: Db,
  { user_id, now, most }: { user_id: number; now: Date; most: number },
): Promise<{ id: number; reason: 'ending' | 'gap' }[]> {
  const mine = reportsVisibleTo({ scope: 'mine', user_id, now, ordering: 'id' })
  const shared = sql`
    select report.*, share.folder as viewer_folder
    from report_share share cross join lateral (select * from report where id = share.report offset 0) report
    where share.user_id = ${user_id} and share.access = 'editor' and report.owner <> ${user_id}
      and report.deleted_at is null`
  const visible = sql`(${mine} union all ${shared}) report`
  const { rows } = await sql<{ id: number; reason: 'ending' | 'gap' }>`
    (select report.id, 'ending' as reason from ${visible} where ${isEndingOrHasEnded(now)}
    order by report.date_end, report.id limit ${most})
    union all
    (select report.id, 'gap' from ${visible} where ${hasAnyGap}
    order by report.last_modified_at desc, report.id desc limit ${most})`.execute(db)
  return rows
}

const reportsFound = (query: Query) => sql`
  from (${reportsVisibleTo(query)}) report ${query.ordering.endsWith('owner_name') ? withOwner : sql``}
  where ${sql.join(conditions(query), sql` and `)}`

/** Joined once, where a subquery for each of 50,000 reports would take longer than all the rest. */
const withOwner = sql`join users owner on owner.id = report.owner`

/**
 * Each report once, with the folder in which this person has it. Two branches, so that each is found by an
 * index. Shared reports are looked up one by one: otherwise the planner, which cannot estimate the matches of
 * a rare name, has read a million reports in the order of their ids.
 */
function reportsVisibleTo({ scope, user_id, deleted }: Query): RawBuilder<unknown> {
  const state = deleted ? sql`report.deleted_at is not null` : sql`report.deleted_at is null`
  const mine = sql`select report.*, report.folder as viewer_folder from report where report.owner = ${user_id} and ${state}`
  const shared = sql`
    select report.*, share.folder as viewer_folder
    from report_share share cross join lateral (select * from report where id = share.report offset 0) report
    where share.user_id = ${user_id} and report.owner <> ${user_id} and ${state}`
  if (scope === 'all') return sql`select report.*, null::bigint as viewer_folder from report where ${state}`
  // Only the owner restores deleted reports, so nobody else sees them.
  if (scope === 'mine' || deleted) return mine
  return scope === 'shared' ? shared : sql`${mine} union all ${shared}`
}

function conditions({
  search,
  folder,
  scope,
  deleted,
  status,
  channel,
  gap,
  ending,
  favourite,
  user_id,
  now,
}: Query): RawBuilder<unknown>[] {
  const is_searched = search !== undefined && search !== ''
  const found: RawBuilder<unknown>[] = [sql`true`]
  if (is_searched) found.push(nameContains(search, { scope, deleted }))
  // A search covers all folders; another person's folders cannot be filtered by.
  if (folder !== undefined && !is_searched && scope !== 'all') found.push(inFolder(folder, user_id))
  if (status !== undefined) found.push(sql`(${statusIn(now)}) = ${status}`)
  if (channel !== undefined) found.push(sql`report.channels @> ${JSON.stringify([{ channel }])}::jsonb`)
  if (gap !== undefined) found.push(gaps[gap])
  if (ending !== undefined) found.push(endingIn(ending, now))
  if (favourite)
    found.push(sql`report.id = any(array(select report from report_favourite where user_id = ${user_id}))`)
  return found
}

/**
 * At the root are reports in no folder of this person's, also when the folder was deleted. A subquery without
 * a reference to the report is executed once and looked up from then on, where a join with thousands of
 * folders would be sorted or hashed anew for each page.
 */
function inFolder(folder: number, user_id: number): RawBuilder<unknown> {
  const own = sql`select id from folder where owner = ${user_id} and deleted_at is null`
  return folder === 0
    ? sql`(report.viewer_folder is null or report.viewer_folder not in (${own}))`
    : sql`report.viewer_folder = any(array(${own} and id = ${folder}))`
}

/**
 * Texts too short for the index of trigrams have one of their own; one's own reports need neither, since
 * those are found by their owner. The planner cannot estimate how rare such a text is: the matches are read
 * first, as an array, so that it does not read a million reports in order.
 */
function nameContains(
  text: string,
  { scope, deleted }: Pick<Query, 'scope' | 'deleted'>,
): RawBuilder<unknown> {
  if (scope === 'all' && !deleted && [...text.toLowerCase()].length < 3)
    return sql`report.id = any(array(
      select id from report where deleted_at is null and name_pieces(name) @> array[lower(${text}::text)]))`
  return sql`report.name ilike ${containing(text)}`
}

/** As gapsOf of rules.ts; a test keeps the two in step. */
const gaps: Record<Gap, RawBuilder<unknown>> = {
  start_cell_not_set: sql`report.start_cell = ''`,
  page_not_set: sql`report.sheet_name = ''`,
  permission_not_set: sql`(report.spreadsheet_id is null or report.target_state is distinct from 'ok')`,
  channels_not_set: sql`(
    report.channels = '[]'::jsonb
    or exists (
      select from jsonb_array_elements(report.channels) block
      where block -> 'accounts' = '[]'::jsonb or block -> 'metrics' = '[]'::jsonb
    ))`,
}

/** As statusOf of rules.ts. */
const statusIn = (now: Date) => sql`case
  when exists (select from run where run.report = report.id and run.status in ('queued', 'fetching', 'writing')) then 2
  when report.dynamic_range = 0
    and report.date_end + ${ENDS_AFTER_DAYS}::integer < (${now}::timestamptz at time zone report.timezone)::date then 3
  when report.next_run_at is not null then 1
  when report.update_frequency = 1 and not (${sql.join(Object.values(gaps), sql` or `)}) then 3
  else 0 end`

/**
 * As scheduleEndOf of shared/schedule-end.ts. In addition by the day in UTC, plus or minus one, for which
 * there is an index.
 */
function endingIn(ending: NonNullable<ReportQuery['ending']>, now: Date) {
  const least = ending === 'soon' ? 1 : 1 - NOTICE_DAYS_AFTER
  const most = ending === 'ended' ? 0 : NOTICE_DAYS_BEFORE
  const days = sql`report.date_end + ${ENDS_AFTER_DAYS + 1}::integer`
  const today = sql`(${now}::timestamptz at time zone report.timezone)::date`
  const anywhere = sql`(${now}::timestamptz at time zone 'UTC')::date - ${ENDS_AFTER_DAYS + 1}::integer`
  return sql`(
    report.dynamic_range = 0 and report.update_frequency > 1
    and report.date_end between ${anywhere} + ${least - 1}::integer and ${anywhere} + ${most + 1}::integer
    and ${days} - ${today} between ${least}::integer and ${most}::integer)`
}

/** Within a week, or within the last two. */
export const isEndingOrHasEnded = (now: Date) => endingIn('either', now)

export const hasAnyGap = sql`(${sql.join(Object.values(gaps), sql` or `)})`

/** Whether it is set up so that it can run. */
export const isReady = sql<boolean>`(not ${hasAnyGap})`

const columns: Record<(typeof reportOrderings)[number], RawBuilder<unknown>> = {
  id: sql`report.id`,
  name: sql`lower(report.name)`,
  last_modified_at: sql`report.last_modified_at`,
  created_at: sql`report.created_at`,
  next_run_at: sql`report.next_run_at`,
  last_run_at: sql`report.last_run_at`,
  owner_name: sql`lower(${personName('owner')})`,
}

function order(ordering: ReportQuery['ordering']) {
  const field = reportOrderings.find(name => name === ordering.replace(/^-/, '')) ?? 'id'
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  // What never runs, or never ran, is at the end either way.
  const nulls = field.endsWith('_run_at') ? sql`nulls last` : sql``
  return sql`${columns[field]} ${direction} ${nulls}, report.id ${direction}`
}
