import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { FileQuery } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import { containing } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** What images and files have in common: their tables, and the columns of `link` that name them. */
export type MaterialKind = 'image' | 'file'

/** Those of one's advertisers, and those of the agency. */
export function visibleTo(kind: MaterialKind, person: Person): RawBuilder<boolean> {
  const advertiser = sql.ref(`${kind}.advertiser`)
  return advertiserScope[person.identity] === 'all'
    ? sql`true`
    : sql`(${advertiser} is null or ${advertiser} in ${advertiserIdsOf(person)})`
}

type Filter = Omit<z.output<typeof FileQuery>, 'ordering' | 'limit' | 'offset'>

export function matching(kind: MaterialKind, person: Person, filter: Filter): RawBuilder<boolean> {
  const { search, advertiser, is_agency, tag, is_used } = filter
  const column = (name: string) => sql.ref(`${kind}.${name}`)
  const use = sql`exists (select from link where ${sql.ref(`link.${kind}`)} = ${column('id')})`
  const conditions = [
    visibleTo(kind, person),
    search ? sql`${column('name')} ilike ${containing(search)}` : null,
    advertiser === undefined ? null : sql`${column('advertiser')} = ${advertiser}`,
    is_agency === undefined ? null : sql`(${column('advertiser')} is null) = ${is_agency}`,
    tag === undefined ? null : sql`${column('tags')} @> array[${tag}]`,
    is_used === undefined ? null : sql`${use} = ${is_used}`,
  ]
  return sql`(${sql.join(
    conditions.filter(condition => condition !== null),
    sql` and `,
  )})`
}

/** By what a list is ordered; `advertiser` and `uploader` are joined. */
export function orderOf(kind: MaterialKind, field: string): RawBuilder<unknown> {
  if (field === 'name') return sql`lower(${sql.ref(`${kind}.name`)})`
  return field === 'advertiser' ? sql`lower(advertiser.name)` : sql.ref(`${kind}.${field}`)
}

/** Of each row, beside its own columns. */
export const namesOf = (kind: MaterialKind, person: Person) =>
  [
    sql<string | null>`advertiser.name`.as('advertiser_name'),
    personName('uploader').as('uploaded_by_name'),
    linksOf(kind, person).as('in_use'),
  ] as const

/** How many links have it, of those that a person sees. */
const linksOf = (kind: MaterialKind, person: Person) => sql<number>`(
  select count(*) from link where ${sql.ref(`link.${kind}`)} = ${sql.ref(`${kind}.id`)} and ${
    advertiserScope[person.identity] === 'all'
      ? sql`true`
      : sql`link.advertiser in ${advertiserIdsOf(person)}`
  })`

/** The same whoever sees them. */
export async function countLinks(trx: Trx, kind: MaterialKind, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from link where ${sql.ref(`link.${kind}`)} = ${id}`.execute(trx)
  return rows[0]?.count ?? 0
}

export async function listTags(
  db: Db,
  kind: MaterialKind,
  person: Person,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) from ${sql.table(kind)}, unnest(tags) tag where ${visibleTo(kind, person)}
    group by tag order by count(*) desc, tag`.execute(db)
  return rows
}

interface MaterialRow {
  id: number
  advertiser: number | null
  name: string
  tags: string[]
  mime: string
  size: number
  uploaded_by: number | null
  version: number
}

/** Until the transaction ends nobody else changes it, or makes a link with it. */
export async function lockMaterial(
  trx: Trx,
  kind: MaterialKind,
  { person, id }: { person: Person; id: number },
): Promise<MaterialRow | undefined> {
  const { rows } = await sql<MaterialRow>`
    select id, advertiser, name, tags, mime, size, uploaded_by, version from ${sql.table(kind)}
    where id = ${id} and ${visibleTo(kind, person)} for update`.execute(trx)
  return rows[0]
}

export async function updateMaterial(
  trx: Trx,
  kind: MaterialKind,
  { id, name, tags, now }: { id: number; name: string; tags: string[]; now: Date },
): Promise<void> {
  await sql`
    update ${sql.table(kind)} set name = ${name}, tags = ${tags}, version = version + 1, last_modified_at = ${now}
    where id = ${id}`.execute(trx)
}

/** Its content is swept once nothing has it. */
export async function deleteMaterial(trx: Trx, kind: MaterialKind, id: number): Promise<void> {
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(trx)
}
