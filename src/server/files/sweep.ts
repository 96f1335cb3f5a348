import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Db } from '#server/db/connect.ts'
import { codeOf } from '#server/db/problem.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { gaugesIn } from '#server/gauges.ts'
import type { FileStore } from './store.ts'
import {
  countNoted,
  deleteUnused,
  insertStrays,
  listBlobs,
  listMissing,
  setMissing,
  setUnused,
  type BlobRow,
} from './sweep-queries.ts'

interface Sweep {
  store: FileStore
  log: Pick<Logger, 'warn'>
  now: Date
  /** In one sweep; each is a transaction. */
  most_removed?: number
}

/**
 * Compares the storage with the database, both in the order of their hashes. What no image and no file has
 * goes when it was so for a day: an upload that was killed leaves it, and so does a row that was deleted. For
 * that day a restored backup of the database finds its files. What an image or a file has and the storage has
 * not is reported, and stays. It may run in any number of processes.
 */
export async function sweepFiles(db: Db, { store, log, now, most_removed = 10_000 }: Sweep) {
  const counts = { strays: 0, removed: 0 }
  for await (const part of sideBySide(store.list(), listBlobs(db))) {
    counts.strays += await mark(db, part, now)
    for (const { sha256 } of part.rows.filter(row => isOver(row, now))) {
      if (counts.removed >= most_removed) break
      if (await remove(db, sha256, { store, log, now })) counts.removed += 1
    }
  }
  const { missing } = await countNoted(db)
  if (missing > 0)
    log.warn({ missing, some: await listMissing(db, 20) }, 'the storage has lost content of images or files')
  return { ...counts, missing }
}

const UNUSED_MS = 24 * 3600_000
/** Longer than any upload takes: its file may appear behind the place that was just listed. */
const SETTLED_MS = 3600_000

const isOver = ({ is_used, unused_since }: BlobRow, now: Date) =>
  !is_used && unused_since !== null && unused_since.getTime() <= now.getTime() - UNUSED_MS

/** Notes since when each is unused or missing; returns how many were not known at all. */
async function mark(db: Db, { stored, rows }: Part, now: Date): Promise<number> {
  const there = new Set(stored)
  const known = new Set(rows.map(({ sha256 }) => sha256))
  const hashesOf = (holds: (row: BlobRow) => boolean) =>
    rows.filter(row => holds(row)).map(({ sha256 }) => sha256)

  const strays = stored.filter(sha256 => !known.has(sha256))
  const unused = hashesOf(({ is_used, unused_since }) => !is_used && unused_since === null)
  const usedAgain = hashesOf(({ is_used, unused_since }) => is_used && unused_since !== null)
  const isMissing = ({ sha256, is_used }: BlobRow) => is_used && !there.has(sha256)
  const missing = hashesOf(row => isMissing(row) && row.missing_since === null)
  const found = hashesOf(row => !isMissing(row) && row.missing_since !== null)
  const settled = new Date(now.getTime() - SETTLED_MS)
  // Again where another process holds these rows in another order.
  await inTransaction(db, async trx => {
    if (strays.length > 0) await insertStrays(trx, strays, now)
    if (unused.length > 0) await setUnused(trx, unused, now)
    if (usedAgain.length > 0) await setUnused(trx, usedAgain, null)
    if (missing.length > 0) await setMissing(trx, missing, { since: now, claimed_before: settled })
    if (found.length > 0) await setMissing(trx, found, { since: null, claimed_before: settled })
  })
  return strays.length
}

/**
 * Whoever stores the same content waits for the row until it is gone from the storage too, and then stores it
 * again (`storeBlobs`); so no row ever names content that is being removed.
 */
async function remove(db: Db, sha256: string, { store, log, now }: Sweep): Promise<boolean> {
  try {
    return await inTransaction(db, async trx => {
      if (!(await deleteUnused(trx, sha256, new Date(now.getTime() - UNUSED_MS)))) return false
      await store.remove(sha256)
      return true
    })
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error
    log.warn({ sha256 }, 'a file has been used again without being stored again')
    return false
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

interface Part {
  stored: string[]
  rows: BlobRow[]
}

/** What both have of one stretch of hashes after the other, never more of either than a page. */
async function* sideBySide(
  stored: AsyncIterable<string[]>,
  rows: AsyncIterable<BlobRow[]>,
): AsyncGenerator<Part> {
  const left = openPages(stored, sha256 => sha256)
  const right = openPages(rows, ({ sha256 }) => sha256)
  for (;;) {
    const ends = [await left.end(), await right.end()].filter(end => end !== null)
    const [first] = ends.toSorted()
    if (first === undefined) return
    yield { stored: left.upTo(first), rows: right.upTo(first) }
  }
}

function openPages<Item>(pages: AsyncIterable<Item[]>, hashOf: (item: Item) => string) {
  const source = pages[Symbol.asyncIterator]()
  let page: Item[] = []
  return {
    /** The hash of the last item that is here; null: there are no more. */
    async end(): Promise<string | null> {
      while (page.length === 0) {
        const next = await source.next()
        if (next.done) return null
        page = next.value
      }
      const last = page.at(-1)
      return last === undefined ? null : hashOf(last)
    },
    upTo(hash: string): Item[] {
      const beyond = page.findIndex(item => hashOf(item) > hash)
      const taken = beyond === -1 ? page : page.slice(0, beyond)
      page = page.slice(taken.length)
      return taken
    },
  }
}

/** What the last sweep has found, for any process. */
export function registerFileMetrics(registry: Registry, db: Db) {
  const gauge = gaugesIn(registry)
  gauge(
    'sheetcast_files_missing',
    'Stored files that images or files name and the storage has no longer.',
    async () => [[{}, (await countNoted(db)).missing]],
  )
  gauge(
    'sheetcast_files_unused',
    'Stored files that no image and no file names: each goes when it was so for a day.',
    async () => [[{}, (await countNoted(db)).unused]],
  )
}
