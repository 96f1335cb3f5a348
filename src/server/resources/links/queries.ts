import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { LinkQuery } from '#shared/api/links.ts'
import type { LinkCheck } from '#shared/links/check-outcomes.ts'
import type { ExtraParameter } from '#shared/links/parameters.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { LinkTable } from '#server/db/tables/links.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export type LinkFilter = z.output<typeof LinkQuery>

/** One page of the links of a person's advertisers. */
export async function listLinks(db: Db, person: Person, query: LinkFilter) {
  const found = matching(db, person, query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = query.ordering.replace('-', '')
  const rows = await named(found)
    .orderBy(orders[field] ?? sql.ref(`link.${field}`), direction)
    .orderBy('link.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const orders: Record<string, ReturnType<typeof sql>> = {
  name: sql`lower(link.name)`,
  advertiser: sql`lower(advertiser.name)`,
}

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('link')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('link.advertiser', 'in', advertiserIdsOf(person)),
    )

function matching(db: Db, person: Person, { search, ...filter }: LinkFilter) {
  let found = visible(db, person)
  if (search) {
    const pattern = containing(search)
    found = found.where(eb => eb.or([eb('link.name', 'ilike', pattern), eb('link.link', 'ilike', pattern)]))
  }
  if (filter.advertiser !== undefined) found = found.where('link.advertiser', '=', filter.advertiser)
  if (filter.site !== undefined) found = found.where('link.site', '=', filter.site)
  if (filter.publisher !== undefined) found = found.where('link.publisher', '=', filter.publisher)
  if (filter.image !== undefined) found = found.where('link.image', '=', filter.image)
  if (filter.file !== undefined) found = found.where('link.file', '=', filter.file)
  if (filter.platform !== undefined) found = found.where('link.platform', '=', filter.platform)
  if (filter.ga4_channel !== undefined) found = found.where('link.ga4_channel', '=', filter.ga4_channel)
  return found
}

const named = (found: ReturnType<typeof visible>) =>
  found
    .innerJoin('advertiser', 'advertiser.id', 'link.advertiser')
    .leftJoin('site', 'site.id', 'link.site')
    .leftJoin('publisher', 'publisher.id', 'link.publisher')
    .leftJoin('image', 'image.id', 'link.image')
    .leftJoin('file', 'file.id', 'link.file')
    .leftJoin('link_preset', 'link_preset.id', 'link.preset')
    .leftJoin('users as maker', 'maker.id', 'link.created_by')
    .selectAll('link')
    .select([
      'advertiser.name as advertiser_name',
      'site.name as site_name',
      'publisher.name as publisher_name',
      'image.name as image_name',
      'file.name as file_name',
      'link_preset.name as preset_name',
    ])
    .select(personName('maker').as('created_by_name'))

export const findLink = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('link.id', '=', id).executeTakeFirst()
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLink>>>

export const lockLink = (trx: Trx, person: Person, id: number) =>
  visible(trx, person).selectAll('link').where('link.id', '=', id).forUpdate().executeTakeFirst()
export type LockedLink = NonNullable<Awaited<ReturnType<typeof lockLink>>>

/** A link as it is written down. */
export type WrittenLink = Omit<
  Insertable<LinkTable>,
  'id' | 'extra' | 'check' | 'version' | 'created_by' | 'created_at' | 'last_modified_at'
> & { extra: readonly ExtraParameter[] }

/** All of them with one statement; their ids, in the same order. */
export async function insertLinks(
  trx: Trx,
  links: readonly WrittenLink[],
  { created_by, now }: { created_by: number; now: Date },
): Promise<number[]> {
  const rows = await trx
    .insertInto('link')
    .values(
      links.map(({ extra, ...facts }) => ({
        ...facts,
        extra: JSON.stringify(extra),
        created_by,
        created_at: now,
        last_modified_at: now,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

type Changes = { [Field in keyof WrittenLink]?: WrittenLink[Field] | undefined } & { check?: null; now: Date }

/** What is left out stays. */
export async function updateLink(trx: Trx, id: number, { extra, now, ...facts }: Changes): Promise<void> {
  await trx
    .updateTable('link')
    .set(eb => ({
      ...facts,
      ...(extra && { extra: JSON.stringify(extra) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteLink(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('link').where('id', '=', id).execute()
}

/** What came of following it. Nobody has changed the link by that, so that its version stays. */
export async function setCheck(trx: Trx, id: number, check: LinkCheck): Promise<void> {
  await trx
    .updateTable('link')
    .set({ check: JSON.stringify(check) })
    .where('id', '=', id)
    .execute()
}

/** Those of these links that an advertiser has already. */
export async function existingLinks(
  trx: Trx,
  links: readonly { advertiser: number; link: string }[],
): Promise<{ advertiser: number; link: string }[]> {
  const { rows } = await sql<{ advertiser: number; link: string }>`
    select candidate.advertiser, candidate.link
    from unnest(
      ${links.map(({ advertiser }) => advertiser)}::bigint[], ${links.map(({ link }) => link)}::text[]
    ) as candidate (advertiser, link)
    where exists (
      select from link
      where link.advertiser = candidate.advertiser and md5(link.link) = md5(candidate.link) and link.link = candidate.link
    )`.execute(trx)
  return rows
}
