import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { countUpload, uploadsOf, usedBytes } from './quota-queries.ts'

const GIB = 1024 ** 3

/** What is an advertiser's counts for it, what is nobody's for the agency; a file of two counts twice. */
export const storageLimits = {
  advertiser_bytes: 2 * GIB,
  agency_bytes: 20 * GIB,
  /** Of one file; images have a limit of their own. */
  file_bytes: 100 * 1024 ** 2,
  uploads_a_day: 300,
}

/**
 * Whether there is no room for a file. Asked before anything is stored; and again in the transaction of its
 * row, after `lockUsage`, since others upload too.
 */
export async function whyNoRoom(
  db: Db,
  { advertiser, size }: { advertiser: number | null; size: number },
): Promise<'quota_files' | null> {
  const most = advertiser === null ? storageLimits.agency_bytes : storageLimits.advertiser_bytes
  return (await usedBytes(db, advertiser)) + size > most ? 'quota_files' : null
}

interface Uploader {
  user_id: number
  now: Date
}

/** Counts an upload of today, UTC. null: it may be; else the seconds until tomorrow. */
export async function takeUpload(trx: Trx, uploader: Uploader): Promise<{ retry_after_s: number } | null> {
  const most = storageLimits.uploads_a_day
  return (await countUpload(trx, { ...uploader, day: dayOf(uploader), most })) ? null : tomorrow(uploader)
}

/** The same without counting it, before anything is uploaded. */
export async function whyNoUpload(db: Db, uploader: Uploader): Promise<{ retry_after_s: number } | null> {
  const count = await uploadsOf(db, { ...uploader, day: dayOf(uploader) })
  return count < storageLimits.uploads_a_day ? null : tomorrow(uploader)
}

const dayOf = ({ now }: Uploader) => now.toISOString().slice(0, 10)
const tomorrow = (uploader: Uploader) => ({
  retry_after_s: (Date.parse(dayOf(uploader)) + DAY_MS - uploader.now.getTime()) / 1000,
})

const DAY_MS = 24 * 3600_000
