import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { LISTED_AT_ONCE } from './store.ts'

export interface BlobRow {
  sha256: string
  claimed_at: Date
  unused_since: Date | null
  missing_since: Date | null
  /** An image or a file has it. */
  is_used: boolean
}

/**
 * Of a blob. Not `exists`: for a page of a thousand blobs Postgres would read all images and all files four
 * times over, into tables of their hashes.
 */
const inUse = sql`coalesce(
  (select true from file where file.sha256 = blob.sha256 limit 1),
  (select true from image where image.sha256 = blob.sha256 limit 1),
  (select true from image where image.preview_320 = blob.sha256 limit 1),
  (select true from image where image.preview_1280 = blob.sha256 limit 1),
  false)`

/** All blobs in the order of their hashes, some thousand at a time, each page read when it is needed. */
export async function* listBlobs(db: Db): AsyncGenerator<BlobRow[]> {
  for (let last = ''; ;) {
    const { rows } = await sql<BlobRow>`
      select sha256, claimed_at, unused_since, missing_since, ${inUse} as is_used
      from blob where sha256 > ${last} order by sha256 limit ${LISTED_AT_ONCE}`.execute(db)
    yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < LISTED_AT_ONCE) return
    last = end.sha256
  }
}

/** Files of which nothing is known: they are unused from now on, unless somebody is storing one right now. */
export async function insertStrays(db: Db, hashes: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into blob (sha256, claimed_at, unused_since)
    select sha256, ${now}, ${now} from unnest(${hashes}::text[]) as stray (sha256) order by sha256
    on conflict do nothing`.execute(db)
}

/** null: they are used again. Of one that is claimed meanwhile the claim counts. */
export async function setUnused(db: Db, hashes: readonly string[], since: Date | null): Promise<void> {
  await sql`
    update blob set unused_since = ${since} where sha256 = any(${hashes}) and ${inUse} = ${since === null}`.execute(
    db,
  )
}

/** null: they are there again. Of one that is claimed meanwhile nothing is said. */
export async function setMissing(
  db: Db,
  hashes: readonly string[],
  { since, claimed_before }: { since: Date | null; claimed_before: Date },
): Promise<void> {
  await sql`
    update blob set missing_since = ${since}
    where sha256 = any(${hashes}) and claimed_at < ${claimed_before}`.execute(db)
}

/** false: somebody uses it again, or is storing it. */
export async function deleteUnused(trx: Trx, sha256: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from blob where sha256 = ${sha256} and unused_since <= ${before} and not ${inUse} returning sha256`.execute(
    trx,
  )
  return rows.length > 0
}

/** Whose content the storage has lost, and which will go. */
export async function countNoted(db: Db): Promise<{ missing: number; unused: number }> {
  const { rows } = await sql<{ missing: number; unused: number }>`
    select (select count(*) from blob where missing_since is not null)::int as missing,
      (select count(*) from blob where unused_since is not null)::int as unused`.execute(db)
  return rows[0] ?? { missing: 0, unused: 0 }
}

/** Some of the lost ones, with the rows that name them. */
export async function listMissing(db: Db, limit: number) {
  const { rows } = await sql<{ sha256: string; missing_since: Date; images: number[]; files: number[] }>`
    select sha256, missing_since,
      array(select id from image where blob.sha256 in (image.sha256, preview_320, preview_1280) order by id limit 10) as images,
      array(select id from file where file.sha256 = blob.sha256 order by id limit 10) as files
    from blob where missing_since is not null order by sha256 limit ${limit}`.execute(db)
  return rows
}
