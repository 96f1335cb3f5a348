import { sql, type RawBuilder } from 'kysely'
import { reportOrderings, type Gap, type ReportQuery } from '#shared/api/reports.ts'
import { ENDS_AFTER_DAYS } from '#shared/date-range.ts'
import type { Db } from '#server/db/connect.ts'

/** Counting stops here: an exact count of a million rows costs more than the page that it stands on. */
const MOST_COUNTED = 10_000

type Wanted = Omit<ReportQuery, 'scope'> & {
  scope: 'mine' | 'shared' | 'all' | undefined
  user_id: number
  now: Date
}

/** The ids of one page of the reports that a person sees, in order, and how many there are. */
export async function listReportIds(db: Db, wanted: Wanted): Promise<{ count: number; ids: number[] }> {
  const from = sql`
    from (${seenReports(wanted)}) report
    left join folder place on place.id = report.seen_folder and place.owner = ${wanted.user_id} and place.deleted_at is null
    where ${sql.join(conditions(wanted), sql` and `)}`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (select ${from} limit ${MOST_COUNTED}) found`.execute(db)
  const count = counted[0]?.count ?? 0
  if (wanted.offset >= count) return { count, ids: [] }
  const { rows } = await sql<{ id: number }>`
    select report.id ${from} order by ${order(wanted.ordering)} limit ${wanted.limit} offset ${wanted.offset}`.execute(
    db,
  )
  return { count, ids: rows.map(row => row.id) }
}

/** Each report once, with the folder in which this person has it. Two branches, so that each is found by an index. */
function seenReports({ scope, user_id, deleted }: Wanted): RawBuilder<unknown> {
  const state = deleted ? sql`report.deleted_at is not null` : sql`report.deleted_at is null`
  const mine = sql`select report.*, report.folder as seen_folder from report where report.owner = ${user_id} and ${state}`
  const shared = sql`
    select report.*, share.folder as seen_folder
    from report_share share join report on report.id = share.report
    where share.user_id = ${user_id} and report.owner <> ${user_id} and ${state}`
  if (scope === 'all') return sql`select report.*, null::bigint as seen_folder from report where ${state}`
  // Only the owner restores what was deleted, so nobody else is shown it.
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
  now,
}: Wanted): RawBuilder<unknown>[] {
  const is_searched = search !== undefined && search !== ''
  const found: RawBuilder<unknown>[] = [sql`true`]
  if (is_searched) found.push(nameContains(search, { scope, deleted }))
  // A search looks in all folders; somebody else's folders are not for filtering by.
  if (folder !== undefined && !is_searched && scope !== 'all')
    found.push(folder === 0 ? sql`place.id is null` : sql`place.id = ${folder}`)
  if (status !== undefined) found.push(sql`(${statusIn(now)}) = ${status}`)
  if (channel !== undefined) found.push(sql`report.channels @> ${JSON.stringify([{ channel }])}::jsonb`)
  if (gap !== undefined) found.push(gaps[gap])
  return found
}

/**
 * Texts too short for the index of trigrams have one of their own; one's own reports need neither, since those are found by their owner. The
 * database knows nothing of how rare such a text is: found first, as an array, so that it does not walk through a million reports in order.
 */
function nameContains(
  text: string,
  { scope, deleted }: Pick<Wanted, 'scope' | 'deleted'>,
): RawBuilder<unknown> {
  if (scope === 'all' && !deleted && [...text.toLowerCase()].length < 3)
    return sql`report.id = any(array(
      select id from report where deleted_at is null and name_pieces(name) @> array[lower(${text}::text)]))`
  return sql`report.name ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

/** As gapsOf of rules.ts; a test holds the two together. */
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

const columns: Record<(typeof reportOrderings)[number], RawBuilder<unknown>> = {
  id: sql`report.id`,
  name: sql`lower(report.name)`,
  last_modified_at: sql`report.last_modified_at`,
  created_at: sql`report.created_at`,
  next_run_at: sql`report.next_run_at`,
}

function order(ordering: ReportQuery['ordering']) {
  const field = reportOrderings.find(name => name === ordering.replace(/^-/, '')) ?? 'id'
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const nulls = field === 'next_run_at' ? sql`nulls last` : sql``
  return sql`${columns[field]} ${direction} ${nulls}, report.id ${direction}`
}
