import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { FileStore, StoredFile } from './store.ts'
import type { TemporaryFile } from './temporary.ts'

/**
 * Stores files, after which images and files may name them. First the sweep is told: from then on it leaves
 * them alone for a day, and what it is removing right now is gone before this goes on. So it takes no
 * transaction while the storage works; call it outside of any.
 */
export async function storeBlobs(
  db: Db,
  { store, blobs, now }: { store: FileStore; blobs: readonly TemporaryFile[]; now: Date },
): Promise<void> {
  await inTransaction(db, trx => claimBlobs(trx, blobs, now))
  for (const { path, ...file } of blobs) await store.put(path, file)
}

async function claimBlobs(trx: Trx, blobs: readonly StoredFile[], now: Date): Promise<void> {
  // Twice in one statement is an error; in the same order no two uploads wait for each other.
  const sizes = new Map(blobs.map(({ sha256, size }) => [sha256, size]))
  const hashes = [...sizes.keys()].toSorted()
  await sql`
    insert into blob (sha256, size, claimed_at)
    select sha256, size, ${now}
    from unnest(${hashes}::text[], ${hashes.map(hash => sizes.get(hash))}::bigint[]) as new (sha256, size)
    on conflict (sha256) do update
      set size = excluded.size, claimed_at = excluded.claimed_at, unused_since = null, missing_since = null`.execute(
    trx,
  )
}
