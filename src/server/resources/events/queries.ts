import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { RunEvent } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'

/** Who may see a report. */
export interface Circle {
  owner: number
  shares: Map<number, 'viewer' | 'editor'>
}

export async function findCircle(db: Db, report: number): Promise<Circle | null> {
  const row = await db.selectFrom('report').select('owner').where('id', '=', report).executeTakeFirst()
  if (!row) return null
  const shares = await db
    .selectFrom('report_share')
    .select(['user_id', 'access'])
    .where('report', '=', report)
    .execute()
  return { owner: row.owner, shares: new Map(shares.map(share => [share.user_id, share.access])) }
}

/** The clock by which runs begin and end. */
export async function databaseClock(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]?.at.getTime() ?? 0
}

/**
 * Runs of reports that the person may see which have begun or ended since then, up to so many, each with its
 * status now. The id of a run begins with the time at which it was requested, so those that have begun are
 * the end of an index.
 */
export async function runsSince(
  db: Db,
  { id, identity }: Person,
  { since, limit }: { since: Date; limit: number },
): Promise<RunEvent[]> {
  const event = sql`run.id as run, run.report, run.owner, run.status`
  const begun = sql`run.id >= ${firstIdAt(since)}::uuid`
  const own = sql`run.owner = ${id} and exists (select from report where report.id = run.report and report.owner = ${id})`
  const ended = sql`run.status in ('completed', 'error', 'cancelled') and run.finished_at > ${since}`
  const { rows } =
    identity === 'superuser'
      ? await sql<RunEvent>`
          (select ${event} from run where ${begun} limit ${limit})
          union (select ${event} from run where run.finished_at > ${since} limit ${limit})
          limit ${limit}`.execute(db)
      : await sql<RunEvent>`
          (select ${event} from run where ${begun} and ${own} limit ${limit})
          union (select ${event} from run where ${ended} and ${own} limit ${limit})
          union (
            select ${event}
            from report_share share cross join lateral (
              select * from run where run.report = share.report order by queued_at desc limit 1
            ) run
            where share.user_id = ${id} and (${begun} or run.finished_at > ${since}) limit ${limit}
          )
          limit ${limit}`.execute(db)
  return rows
}

/** The least UUIDv7 of that millisecond. */
const firstIdAt = (at: Date) => {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Whether notices of this person have arrived or were read since then. */
export async function hasNoticesSince(db: Db, { id }: Pick<Person, 'id'>, since: Date): Promise<boolean> {
  const notice = await db
    .selectFrom('notification')
    .select('id')
    .where('user_id', '=', id)
    .where(eb => eb.or([eb('at', '>', since), eb('read_at', '>', since)]))
    .limit(1)
    .executeTakeFirst()
  return notice !== undefined
}
