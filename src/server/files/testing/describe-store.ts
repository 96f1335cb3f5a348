import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { isDatabaseAway } from '#server/db/problem.ts'
import { MissingFile, StorageFailure, type FileStore } from '#server/files/store.ts'
import { openTemporary } from '#server/files/temporary.ts'
import { sha256Of, temporaryFile } from './materials.ts'

/** Of this process, by their paths. */
const openFiles = () =>
  readdirSync('/proc/self/fd').map(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })

/** What every store does. `openStore` opens the same one again, as another process would. */
export function describeStore(
  kind: string,
  { openStore, temporary_dir }: { openStore: () => FileStore; temporary_dir?: string },
) {
  const elsewhere = mkdtempSync(join(tmpdir(), 'store-'))
  afterAll(() => rmSync(elsewhere, { recursive: true }))
  const temporary = openTemporary(temporary_dir ?? join(elsewhere, 'tmp'))
  const store = openStore()
  const listed = async () => (await Array.fromAsync(store.list())).flat()
  const read = async (sha256: string, start: number, end: number) =>
    await buffer(await store.read(sha256, { start, end }))
  async function put(bytes?: Uint8Array) {
    const file = await temporaryFile(temporary, bytes)
    await store.put(file.path, file)
    return file
  }

  describe(kind, () => {
    it('has what was put there, and the temporary file is gone', async () => {
      const { sha256, bytes, path } = await put()
      expect(await store.find(sha256)).toEqual({ sha256, size: 1000 })
      expect(await read(sha256, 0, 999)).toEqual(bytes)
      expect(existsSync(path)).toBe(false)
    })

    it('takes the same again, also when it has been taken already', async () => {
      const first = await put()
      const again = await put(first.bytes)
      expect(existsSync(again.path)).toBe(false)
      await store.put(again.path, again)
      expect(await read(first.sha256, 0, 999)).toEqual(first.bytes)
      expect((await listed()).filter(sha256 => sha256 === first.sha256)).toHaveLength(1)
    })

    it('takes the same from many at once, and many others meanwhile', async () => {
      const same = randomBytes(200_000)
      const contents = [same, same, same, same, randomBytes(10), randomBytes(70_000), same, same]
      await Promise.all(
        contents.map(async bytes => {
          const file = await temporaryFile(temporary, bytes)
          await openStore().put(file.path, file)
        }),
      )
      for (const bytes of contents) expect(await read(sha256Of(bytes), 0, bytes.length - 1)).toEqual(bytes)
    })

    it.each([
      ['the first byte', 0, 0],
      ['the last byte', 299_999, 299_999],
      ['a piece', 65_530, 131_080],
      ['all', 0, 299_999],
    ])('reads %s', async (_, start, end) => {
      const { sha256, bytes } = await put(Buffer.alloc(300_000, 'Sheetcast '))
      expect(await read(sha256, start, end)).toEqual(Buffer.from(bytes).subarray(start, end + 1))
    })

    it('fails where it has less than the range', async () => {
      const { sha256 } = await put()
      await expect(read(sha256, 0, 1000)).rejects.toThrow(StorageFailure)
      await expect(read(sha256, 1000, 1001)).rejects.toThrow(StorageFailure)
    })

    it('lets go of a file that is not read to its end', async () => {
      const { sha256 } = await put(Buffer.alloc(1_000_000, 'x'))
      const stream = await store.read(sha256, { start: 0, end: 999_999 })
      const openOf = () => openFiles().filter(path => path.includes(sha256)).length
      for await (const _piece of stream) {
        expect(openOf()).toBe(temporary_dir === undefined ? 0 : 1)
        break
      }
      const unread = await store.read(sha256, { start: 0, end: 999_999 })
      unread.destroy()
      await expect.poll(openOf).toBe(0)
      expect(await read(sha256, 0, 9)).toHaveLength(10)
    })

    it('says that it has not what was never there, and what was removed', async () => {
      const { sha256 } = await put()
      await store.remove(sha256)
      await store.remove(sha256)
      for (const gone of [sha256, 'a'.repeat(64)]) {
        expect(await store.find(gone)).toBeNull()
        await expect(store.read(gone, { start: 0, end: 0 })).rejects.toThrow(MissingFile)
      }
      expect(await listed()).not.toContain(sha256)
    })

    it('takes no temporary file that is not there, and none of another size', async () => {
      const file = await temporaryFile(temporary)
      const missing = store.put(join(elsewhere, 'gone'), file)
      await expect(missing).rejects.toThrow(StorageFailure)
      expect(isDatabaseAway(await missing.catch((error: unknown) => error))).toBe(false)
      await expect(store.put(file.path, { ...file, size: 5 })).rejects.toThrow(StorageFailure)
      await expect(store.put(file.path, { ...file, size: 5000 })).rejects.toThrow(StorageFailure)
      expect(await store.find(file.sha256)).toBeNull()
    })

    it('makes no path of anything but a hash', async () => {
      for (const name of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(64)}/x`, 'a'.repeat(63)])
        await expect(store.find(name)).rejects.toThrow('not a SHA-256')
    })

    it('lists all hashes in ascending order, and nothing else', async () => {
      for (const sha256 of await listed()) await store.remove(sha256)
      expect(await listed()).toEqual([])
      const files = []
      for (let count = 0; count < 20; count += 1) files.push(await put())
      expect(await listed()).toEqual(files.map(({ sha256 }) => sha256).toSorted())
    })

    it('finds that files can be stored, and leaves no trace of it', async () => {
      const before = await listed()
      await store.check()
      expect(await listed()).toEqual(before)
    })
  })
}
