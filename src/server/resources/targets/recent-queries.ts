import { sql } from 'kysely'
import { advertiserScope, isInternal, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { containing } from '#server/db/list-terms.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export interface ProvenSpreadsheet {
  spreadsheet_id: string
  title: string
  tabs: number | null
  last_used_at: Date
  /** The person's own reports that write there, last changed first, and how many there are. */
  reports: { id: number; name: string }[]
  report_count: number
}

/**
 * The spreadsheets that this person has proven, and those of their reports, as far as the proof of them is
 * theirs at this moment; last used first. A run and a check note at most an hour later that one is used.
 */
export async function provenSpreadsheets(
  db: Db,
  person: Person,
  { search, limit }: { search: string; limit: number },
): Promise<ProvenSpreadsheet[]> {
  const { rows } = await sql<ProvenSpreadsheet>`
    with writing as (
      select spreadsheet_id, count(*) as report_count, max(last_modified_at) as modified_at
      from report where owner = ${person.id} and deleted_at is null and spreadsheet_id is not null
      group by spreadsheet_id
    ), found as (
      select binding.spreadsheet_id, binding.title, binding.tabs,
        coalesce(writing.report_count, 0) as report_count,
        greatest(binding.created_at, binding.verified_at, writing.modified_at) as last_used_at
      from spreadsheet_binding binding left join writing on writing.spreadsheet_id = binding.spreadsheet_id
      where binding.lapsed_at is null and binding.title ilike ${containing(search)}
        and (binding.proven_by = ${person.id} or writing.spreadsheet_id is not null)
        and ${inScope(person)}
      order by last_used_at desc, binding.spreadsheet_id limit ${limit}
    )
    select found.*, coalesce(named.reports, '[]') as reports
    from found left join lateral (
      select json_agg(json_build_object('id', id, 'name', name)) as reports from (
        select id, name from report
        where spreadsheet_id = found.spreadsheet_id and owner = ${person.id} and deleted_at is null
        order by last_modified_at desc, id limit ${REPORTS_NAMED}
      ) last
    ) named on true
    order by found.last_used_at desc, found.spreadsheet_id`.execute(db)
  return rows
}

const REPORTS_NAMED = 3

/** The rule of shared/access.ts (mayUseSpreadsheet), for many at once. */
function inScope(person: Person) {
  const ofAdvertiser =
    advertiserScope[person.identity] === 'all'
      ? sql`true`
      : sql`binding.advertiser in ${advertiserIdsOf(person)}`
  const ofPerson = isInternal(person)
    ? sql`(binding.proven_by = ${person.id} or binding.department = ${person.department})`
    : sql`false`
  return sql`case when binding.advertiser is not null then ${ofAdvertiser} else ${ofPerson} end`
}

/** Those of the files that are proven to be somebody's. */
export async function bindingsOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('spreadsheet_binding')
    .select(['spreadsheet_id', 'advertiser', 'proven_by', 'department', 'tabs'])
    .where('spreadsheet_id', 'in', ids)
    .execute()
}
