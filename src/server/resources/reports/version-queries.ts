import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { ReportPart } from '#shared/api/report-versions.ts'
import { limits } from '#shared/limits.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { visiblePeople } from '#server/resources/people/queries.ts'
import type { Draft } from './draft.ts'

export interface NewVersion {
  report: number
  version: number
  settings: Draft
  changed: readonly ReportPart[]
  /** null: unknown. */
  author: number | null
  restores: number | null
  saved_at: Date
}

/** Stores a version, and removes those beyond the latest ones. */
export async function insertVersion(trx: Trx, { settings, changed, ...version }: NewVersion): Promise<void> {
  await trx
    .insertInto('report_version')
    .values({ ...version, settings: JSON.stringify(settings), changed: [...changed] })
    .execute()
  await sql`
    delete from report_version
    where report = ${version.report} and version <= (
      select version from report_version where report = ${version.report}
      order by version desc offset ${limits.versions} limit 1
    )`.execute(trx)
}

/** Whether any version of the report is stored: reports from before have none until they are saved again. */
export async function hasVersions(db: Db, report: number): Promise<boolean> {
  const found = await db
    .selectFrom('report_version')
    .select('version')
    .where('report', '=', report)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** All stored versions of a report, the latest first. */
export async function listVersions(db: Db, viewer: Person, report: number) {
  return await db
    .selectFrom('report_version')
    .selectAll()
    .select(
      // Clients do not see the names of people of other clients.
      sql<string | null>`(
        select ${personName('people')}
        from (${visiblePeople(db, viewer).select(['users.id', 'users.full_name', 'users.username'])}) people
        where people.id = report_version.author
      )`.as('author_name'),
    )
    .where('report', '=', report)
    .orderBy('version', 'desc')
    .execute()
}
export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number]
