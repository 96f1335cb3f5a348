import { sql } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** Ids of what links name, each once. */
export interface RelatedIds {
  advertisers: readonly number[]
  sites: readonly number[]
  publishers: readonly number[]
  images: readonly number[]
  files: readonly number[]
}

/** Whose each of them is; null: the agency's. What is not there is not in a map. */
export interface Owners {
  /** Those that the person may use. */
  advertisers: ReadonlySet<number>
  sites: ReadonlyMap<number, number | null>
  publishers: ReadonlySet<number>
  images: ReadonlyMap<number, number | null>
  files: ReadonlyMap<number, number | null>
}

/** With as many statements for 500 links as for one. Until the transaction ends none of them is deleted. */
export async function findOwners(trx: Trx, person: Person, ids: RelatedIds): Promise<Owners> {
  return {
    advertisers: await usableAdvertisers(trx, person, ids.advertisers),
    sites: await ownersIn(trx, 'site', ids.sites),
    publishers: new Set(await existing(trx, ids.publishers)),
    images: await ownersIn(trx, 'image', ids.images),
    files: await ownersIn(trx, 'file', ids.files),
  }
}

async function usableAdvertisers(
  trx: Trx,
  person: Person,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await trx
    .selectFrom('advertiser')
    .select('id')
    .where('id', 'in', [...ids])
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('id', 'in', advertiserIdsOf(person)),
    )
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function ownersIn(
  trx: Trx,
  table: 'site' | 'image' | 'file',
  ids: readonly number[],
): Promise<ReadonlyMap<number, number | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; advertiser: number | null }>`
    select id, advertiser from ${sql.table(table)} where id = any(${[...ids]}::bigint[]) for key share`.execute(
    trx,
  )
  return new Map(rows.map(({ id, advertiser }) => [id, advertiser]))
}

async function existing(trx: Trx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('publisher')
    .select('id')
    .where('id', 'in', [...ids])
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}
