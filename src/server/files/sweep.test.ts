import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { storeBlobs } from './blob-queries.ts'
import { diskStore, TEMPORARY } from './disk-store.ts'
import { MissingFile, StorageFailure, type FileStore } from './store.ts'
import { deleteUnused } from './sweep-queries.ts'
import { registerFileMetrics, sweepFiles } from './sweep.ts'
import { openTemporary } from './temporary.ts'
import { insertBlobs, insertFile, insertImage, temporaryFile } from './testing/materials.ts'

const { db, url } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sweep-'))
afterAll(() => rmSync(folder, { recursive: true }))
const store = diskStore(folder)
const temporary = openTemporary(join(folder, TEMPORARY))

const begun = new Date('2026-11-02T09:00:00Z')
const after = (hours: number) => new Date(begun.getTime() + hours * 3600_000)
const logged: unknown[] = []
const log = { warn: (facts: unknown) => void logged.push(facts) }
const sweep = (hours: number, options: { store?: FileStore; most_removed?: number } = {}) =>
  sweepFiles(db, { store, log, now: after(hours), ...options })

/** Stored, and not yet named by a row. */
async function storedBlob(now = begun) {
  const blob = await temporaryFile(temporary)
  await storeBlobs(db, { store, blobs: [blob], now })
  return blob
}
const blobRow = (sha256: string) =>
  db.selectFrom('blob').selectAll().where('sha256', '=', sha256).executeTakeFirst()
const isStored = async (sha256: string) => (await store.find(sha256)) !== null

beforeEach(async () => {
  logged.length = 0
  await sql`truncate blob cascade`.execute(db)
  for await (const hashes of store.list()) for (const sha256 of hashes) await store.remove(sha256)
})

describe('the sweep', () => {
  it('removes what was unused for a day, row and content', async () => {
    const { sha256 } = await storedBlob()
    expect(await sweep(1)).toEqual({ strays: 0, removed: 0, missing: 0 })
    expect((await blobRow(sha256))?.unused_since).toEqual(after(1))
    await sweep(24.9)
    expect(await isStored(sha256)).toBe(true)
    expect(await sweep(25)).toEqual({ strays: 0, removed: 1, missing: 0 })
    expect([await isStored(sha256), await blobRow(sha256)]).toEqual([false, undefined])
  })

  it('removes content of which there is no row at all, a day after it has found it', async () => {
    const blob = await temporaryFile(temporary)
    await store.put(blob.path, blob)
    expect(await sweep(1)).toEqual({ strays: 1, removed: 0, missing: 0 })
    expect(await isStored(blob.sha256)).toBe(true)
    expect(await sweep(25)).toEqual({ strays: 0, removed: 1, missing: 0 })
    expect(await isStored(blob.sha256)).toBe(false)
  })

  it('keeps whatever an image or a file has, however often it was unused before', async () => {
    const [file, image, small, middle] = [
      await storedBlob(),
      await storedBlob(),
      await storedBlob(),
      await storedBlob(),
    ]
    await sweep(1)
    const { id } = await insertFile(db, file)
    await insertImage(db, { sha256: image.sha256, preview_320: small.sha256, preview_1280: middle.sha256 })
    expect(await sweep(30)).toEqual({ strays: 0, removed: 0, missing: 0 })
    expect((await blobRow(file.sha256))?.unused_since).toBeNull()
    await db.deleteFrom('file').where('id', '=', id).execute()
    expect(await sweep(31)).toMatchObject({ removed: 0 })
    expect(await sweep(54.9)).toMatchObject({ removed: 0 })
    expect(await sweep(55)).toMatchObject({ removed: 1 })
    const left = [file, image, small, middle].map(({ sha256 }) => isStored(sha256))
    expect(await Promise.all(left)).toEqual([false, true, true, true])
  })

  it('reports content that the storage has lost, and removes no row for it', async () => {
    const [file, image] = [await storedBlob(), await storedBlob()]
    const { id } = await insertFile(db, file)
    const { sha256 } = image
    const { id: image_id } = await insertImage(db, { sha256, preview_320: sha256, preview_1280: sha256 })
    await store.remove(file.sha256)
    await store.remove(sha256)
    expect(await sweep(0.5), 'an upload may be under way').toMatchObject({ missing: 0 })
    expect(await sweep(2)).toEqual({ strays: 0, removed: 0, missing: 2 })
    const some = [
      { sha256: file.sha256, missing_since: after(2), images: [], files: [id] },
      { sha256, missing_since: after(2), images: [image_id], files: [] },
    ]
    expect(logged).toEqual([{ missing: 2, some: some.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)) }])
    const registry = new Registry()
    registerFileMetrics(registry, db)
    expect(await registry.metrics()).toMatch(/sheetcast_files_missing 2\n[^]*sheetcast_files_unused 0\n/)

    expect(await sweep(100)).toMatchObject({ missing: 2 })
    const again = await temporaryFile(temporary, image.bytes)
    await storeBlobs(db, { store, blobs: [again], now: after(100) })
    expect((await blobRow(sha256))?.missing_since).toBeNull()
    const restored = await temporaryFile(temporary, file.bytes)
    await store.put(restored.path, restored)
    expect(await sweep(101)).toEqual({ strays: 0, removed: 0, missing: 0 })
  })

  it('forgets a claim of which nothing was stored', async () => {
    const [sha256 = ''] = await insertBlobs(db, 1)
    await sweep(1)
    expect(await blobRow(sha256)).toMatchObject({ missing_since: null, unused_since: after(1) })
    await sweep(25)
    expect(await blobRow(sha256)).toBeUndefined()
  })

  it('removes so many at a time, in several processes at once, page by page', async () => {
    const hashes = await insertBlobs(db, 1100)
    const [used = ''] = hashes
    await insertFile(db, { sha256: used })
    const strays = await Promise.all(Array.from({ length: 20 }, () => temporaryFile(temporary)))
    for (const stray of strays) await store.put(stray.path, stray)
    const others = await Promise.all([1, 2].map(() => connect(url, { command: 'test' })))
    const everywhere = (hours: number) =>
      Promise.all(
        [db, ...others.map(other => other.db)].map(each =>
          sweepFiles(each, { store, log, now: after(hours), most_removed: 400 }),
        ),
      )
    await everywhere(1)
    const counts = await everywhere(26)
    expect(counts.map(({ removed }) => removed <= 400)).toEqual([true, true, true])
    for (let left = counts; left.some(({ removed }) => removed > 0);) left = await everywhere(26)
    // What one had listed while another removed it was noted once more.
    await sweep(51)
    expect(await db.selectFrom('blob').select('sha256').execute()).toEqual([{ sha256: used }])
    expect(readdirSync(folder, { recursive: true }).filter(name => String(name).length > 60)).toEqual([])
    await Promise.all(others.map(other => other.close()))
  })

  it('fails where the storage does, and removes nothing from the database alone', async () => {
    const { sha256 } = await storedBlob()
    await sweep(1)
    const denied = { ...store, remove: () => Promise.reject(new StorageFailure('denied')) }
    await expect(sweep(25, { store: denied })).rejects.toThrow('denied')
    expect(await blobRow(sha256)).toBeDefined()
    const away: FileStore = {
      ...store,
      async *list() {
        yield []
        throw new StorageFailure('away')
      },
    }
    await insertFile(db, { sha256 })
    await expect(sweep(26, { store: away })).rejects.toThrow('away')
    expect(await blobRow(sha256)).toMatchObject({ missing_since: null })
  })
})

describe('an upload of what is being swept', () => {
  it('waits until it is gone, and stores it again', async () => {
    const blob = await storedBlob()
    await sweep(1)
    const removing = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow: FileStore = {
      ...store,
      async remove(sha256) {
        removing.resolve()
        await gate.promise
        await store.remove(sha256)
      },
    }
    const sweeping = sweep(25, { store: slow })
    await removing.promise
    const again = await temporaryFile(temporary, blob.bytes)
    const storing = storeBlobs(db, { store, blobs: [again], now: after(25) }).then(() =>
      insertFile(db, again),
    )
    await untilOneWaits()
    gate.resolve()
    await storing
    expect(await sweeping).toMatchObject({ removed: 1 })
    expect(await isStored(blob.sha256)).toBe(true)
    expect(await sweep(100)).toEqual({ strays: 0, removed: 0, missing: 0 })
  })

  it('that is faster saves it', async () => {
    const blob = await storedBlob()
    await sweep(1)
    const again = await temporaryFile(temporary, blob.bytes)
    await storeBlobs(db, { store, blobs: [again], now: after(30) })
    // What the sweep has read of it before.
    const isGone = await db.transaction().execute(trx => deleteUnused(trx, blob.sha256, after(6)))
    expect(isGone).toBe(false)
    await insertFile(db, blob)
    expect(await sweep(100)).toEqual({ strays: 0, removed: 0, missing: 0 })
  })

  it('by many at once, swept at once, never ends with a row without content', async () => {
    const bytes = Array.from({ length: 8 }, () => randomBytes(100))
    for (const each of bytes) {
      const blob = await temporaryFile(temporary, each)
      await store.put(blob.path, blob)
    }
    await sweep(1)
    const failures: unknown[] = []
    const upload = async (each: Uint8Array) => {
      const blob = await temporaryFile(temporary, each)
      await storeBlobs(db, { store, blobs: [blob], now: after(25) })
      await insertFile(db, blob).catch(error => failures.push(error))
    }
    const order = [...bytes, ...bytes, ...bytes]
    await Promise.all([sweep(25), ...order.map(upload), sweep(25)])
    expect(failures.map(String)).toEqual(
      Array.from({ length: 16 }, () => expect.stringContaining('file_source')),
    )
    expect(await sweep(100)).toEqual({ strays: 0, removed: 0, missing: 0 })
    for (const { sha256 } of await db.selectFrom('file').select('sha256').execute())
      expect(await isStored(sha256)).toBe(true)
  })
})

describe('a process that is killed in the middle of an upload', () => {
  it('leaves nothing behind that is not swept', async () => {
    const program = join(import.meta.dirname, 'testing/upload-program.ts')
    for (const step of ['written', 'stored', 'named']) {
      const uploader = spawn(process.execPath, [program, url, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(uploader, 'exit')
      for await (const line of createInterface(uploader.stdout)) if (line.startsWith(step)) break
      uploader.kill('SIGKILL')
      await ended
    }
    const named = await db.selectFrom('file').select('sha256').execute()
    expect(named.length).toBeGreaterThan(0)
    for (const hours of [1, 26]) await sweep(24 * 365 + hours)
    const stored = (await Array.fromAsync(store.list())).flat()
    expect(stored.toSorted()).toEqual(named.map(({ sha256 }) => sha256).toSorted())
    expect(await db.selectFrom('blob').select('sha256').orderBy('sha256').execute()).toEqual(
      stored.map(sha256 => ({ sha256 })),
    )
  })

  it('leaves temporary files, which go after an hour', async () => {
    const now = new Date()
    const [old, young] = [await temporaryFile(temporary), await temporaryFile(temporary)]
    await utimes(old.path, now, new Date(now.getTime() - 3600_000))
    await temporary.sweep(now)
    const left = readdirSync(join(folder, TEMPORARY)).map(name => join(folder, TEMPORARY, name))
    expect([left.includes(old.path), left.includes(young.path)]).toEqual([false, true])
    await temporary.discard(young.path)
    await temporary.discard(young.path)
    expect(await openTemporary(join(folder, 'none')).sweep(now)).toBe(0)
  })
})

it('a row without content says so', async () => {
  const [sha256 = ''] = await insertBlobs(db, 1)
  await expect(store.read(sha256, { start: 0, end: 0 })).rejects.toThrow(MissingFile)
})

/** Until a session of this database waits for a lock of another one. */
async function untilOneWaits() {
  const waiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.waiting
  }
  await expect.poll(waiting).toBe(1)
}
