import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { CreateSite, SiteQuery, UpdateSite } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export type SiteFilter = z.output<typeof SiteQuery>

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('site')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('site.advertiser', 'in', advertiserIdsOf(person)),
    )

const named = (found: ReturnType<typeof visible>) =>
  found
    .innerJoin('advertiser', 'advertiser.id', 'site.advertiser')
    .leftJoin('users as maker', 'maker.id', 'site.created_by')
    .selectAll('site')
    .select('advertiser.name as advertiser_name')
    .select(personName('maker').as('created_by_name'))

/** One page of the sites of a person's advertisers. */
export async function listSites(db: Db, person: Person, query: SiteFilter) {
  const found = matching(visible(db, person), query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await named(found)
    .orderBy(order(query.ordering.replace('-', '')), direction)
    .orderBy('site.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

function matching(
  sites: ReturnType<typeof visible>,
  { search, advertiser, platform, ...filter }: SiteFilter,
) {
  const pattern = containing(search ?? '')
  let found = sites.where(eb => eb.or([eb('site.name', 'ilike', pattern), eb('site.url', 'ilike', pattern)]))
  if (advertiser !== undefined) found = found.where('site.advertiser', '=', advertiser)
  if (platform !== undefined) found = found.where('site.platform', '=', platform)
  if (filter.is_active !== undefined) found = found.where('site.is_active', '=', filter.is_active)
  return found
}

function order(field: string) {
  if (field === 'name') return sql`lower(site.name)`
  return field === 'advertiser' ? sql`lower(advertiser.name)` : sql.ref(`site.${field}`)
}

export const findSite = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('site.id', '=', id).executeTakeFirst()
export type SiteRow = NonNullable<Awaited<ReturnType<typeof findSite>>>

/** Until the end of the transaction nobody changes it, and no audience is made of it. */
export const lockSite = (trx: Trx, person: Person, id: number) =>
  visible(trx, person).selectAll('site').where('site.id', '=', id).forUpdate().executeTakeFirst()

/** Every site of these advertisers, locked until the import has ended. */
export async function lockSitesOf(trx: Trx, advertisers: readonly number[]) {
  if (advertisers.length === 0) return []
  return await trx
    .selectFrom('site')
    .selectAll()
    .where('advertiser', 'in', advertisers)
    .orderBy('id')
    .forUpdate()
    .execute()
}
export type LockedSite = Awaited<ReturnType<typeof lockSitesOf>>[number]

/** An address that is taken is refused by the database. */
export async function insertSite(
  trx: Trx,
  { pixels, now, ...facts }: z.output<typeof CreateSite> & { created_by: number; now: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('site')
    .values({ ...facts, pixels: JSON.stringify(pixels), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSite(
  trx: Trx,
  id: number,
  { pixels, now, ...facts }: Omit<z.output<typeof UpdateSite>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('site')
    .set(eb => ({
      ...facts,
      ...(pixels && { pixels: JSON.stringify(pixels) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteSite(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('site').where('id', '=', id).execute()
}

/** How many rows of each kind point to these sites, whoever may see them. */
export async function countUses(
  trx: Trx,
  sites: readonly number[],
): Promise<{ site: number; audiences: number; links: number }[]> {
  const { rows } = await sql<{ site: number; audiences: number; links: number }>`
    select used.id as site,
      (select count(*) from audience where audience.site = used.id) as audiences,
      (select count(*) from link where link.site = used.id) as links
    from unnest(${[...sites]}::bigint[]) as used (id)`.execute(trx)
  return rows
}

/** Of these names those of advertisers whom a person may use, held until the transaction has ended. */
export async function advertisersNamed(
  trx: Trx,
  person: Person,
  names: readonly string[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('advertiser')
    .select(['id', 'name'])
    .where(sql<boolean>`name = any(${[...names]}::text[])`)
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('id', 'in', advertiserIdsOf(person)),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}
