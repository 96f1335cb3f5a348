import { sql } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

/** The uploads of an audience, the latest first. */
export async function listUploads(db: Db, audience: number) {
  return await uploads(db)
    .where('audience_upload.audience', '=', audience)
    .orderBy('audience_upload.created_at', 'desc')
    .orderBy('audience_upload.id')
    .limit(MOST_UPLOADS)
    .execute()
}
export type UploadRow = Awaited<ReturnType<typeof listUploads>>[number]

const MOST_UPLOADS = 200

/** The last upload of each that was taken. */
export async function lastUploads(db: Db, audiences: readonly number[]): Promise<Map<number, UploadRow>> {
  if (audiences.length === 0) return new Map()
  const rows = await uploads(db)
    .distinctOn('audience_upload.audience')
    .where('audience_upload.audience', 'in', audiences)
    .where('audience_upload.state', '=', 'taken')
    .orderBy('audience_upload.audience')
    .orderBy('audience_upload.position', 'desc')
    .execute()
  return new Map(rows.map(row => [row.audience, row]))
}

const uploads = (db: Db) =>
  db
    .selectFrom('audience_upload')
    .leftJoin('users as uploader', 'uploader.id', 'audience_upload.created_by')
    .select([
      'audience_upload.id',
      'audience_upload.audience',
      'audience_upload.session',
      'audience_upload.action',
      'audience_upload.columns',
      'audience_upload.state',
      'audience_upload.rows',
      'audience_upload.counts',
      'audience_upload.basis',
      'audience_upload.created_by',
      'audience_upload.created_at',
      'audience_upload.taken_at',
    ])
    .select(personName('uploader').as('created_by_name'))

/**
 * Where each is shared, or was until something ended it. An account that has moved to another advertiser is
 * shown to those who may use it there.
 */
export async function sharesOf(db: Db, person: Person, audiences: readonly number[]) {
  if (audiences.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('audience_share')
    .innerJoin('ad_account', 'ad_account.id', 'audience_share.ad_account')
    .selectAll('audience_share')
    .select(['ad_account.name as ad_account_name', 'ad_account.channel'])
    .where('audience_share.audience', 'in', audiences)
    .where('audience_share.state', '<>', 'removed')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where('ad_account.advertiser', 'in', advertiserIdsOf(person)),
    )
    .orderBy('audience_share.id')
    .execute()
  return Map.groupBy(rows, ({ audience }) => audience)
}
export type ShareRow = NonNullable<ReturnType<Awaited<ReturnType<typeof sharesOf>>['get']>>[number]

/**
 * Whether a site is the advertiser's, active and has a pixel of Meta. It is held: it keeps the pixel until
 * the audience is written.
 */
export const hasPixel = async (trx: Trx, { site, advertiser }: { site: number; advertiser: number }) =>
  (await trx
    .selectFrom('site')
    .select('id')
    .where('id', '=', site)
    .where('advertiser', '=', advertiser)
    .where('is_active', '=', true)
    .where(sql<boolean>`pixels @> '[{"platform": "meta"}]'`)
    .forShare()
    .executeTakeFirst()) !== undefined

/**
 * An audience of the advertiser that lookalikes can be made from, and whether Meta has it. It is held: it is
 * not deleted before they are written.
 */
export async function findSeed(trx: Trx, { seed, advertiser }: { seed: number; advertiser: number }) {
  return await trx
    .selectFrom('audience')
    .select(
      sql<boolean>`exists (
        select from audience_share share join ad_account on ad_account.id = share.ad_account
        where share.audience = audience.id and ad_account.provider = 'meta' and share.mode <> 'shared'
          and share.state in ('matching', 'ready', 'too_small'))`.as('is_shared'),
    )
    .where('id', '=', seed)
    .where('advertiser', '=', advertiser)
    .where('kind', 'in', ['customer_file', 'website'])
    .where('is_deleting', '=', false)
    .forKeyShare()
    .executeTakeFirst()
}

/** The GA4 properties of an advertiser, or one of them. */
export async function ga4Views(db: Db, { advertiser, id }: { advertiser: number; id?: number }) {
  return await db
    .selectFrom('ad_account')
    .select(['id', 'provider', 'public_account', 'external_id', 'currency', 'timezone', 'via'])
    .where('advertiser', '=', advertiser)
    .where('provider', '=', 'ga4')
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .orderBy('id')
    .execute()
}

/** The active sites of an advertiser. */
export async function sitesOf(db: Db, advertiser: number) {
  return await db
    .selectFrom('site')
    .select(['id as site', 'name', 'pixels'])
    .where('advertiser', '=', advertiser)
    .where('is_active', '=', true)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** The names of those that belong to the advertiser now, by id. */
export async function accountNames(
  db: Db,
  { advertiser, accounts }: { advertiser: number; accounts: readonly number[] },
) {
  if (accounts.length === 0) return new Map<number, string>()
  const rows = await db
    .selectFrom('ad_account')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(accounts)])
    .where('advertiser', '=', advertiser)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
