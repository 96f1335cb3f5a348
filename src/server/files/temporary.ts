import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/db/problem.ts'
import { inStorage, type StoredFile } from './store.ts'

/** Where uploads are written while they arrive; on the file system of the disk store. */
export interface Temporary {
  /**
   * A new file that only we can read, counted and hashed. The caller puts or discards it; where the
   * disk or the source fails there is none.
   */
  write(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TemporaryFile>
  /** Also of one that is gone. */
  discard(path: string): Promise<void>
  /** Removes what killed processes have left; returns how many. */
  sweep(now: Date): Promise<number>
}

export type TemporaryFile = StoredFile & { path: string }

export function openTemporary(folder: string): Temporary {
  const discard = (path: string) =>
    inStorage('a temporary file cannot be removed', () => rm(path, { force: true }))
  return {
    async write(source) {
      const { path, handle } = await inStorage('no temporary file can be made', () => openIn(folder))
      const hash = createHash('sha256')
      let size = 0
      try {
        for await (const bytes of source) {
          hash.update(bytes)
          size += bytes.length
          await inStorage('a temporary file cannot be written', () => handle.writeFile(bytes))
        }
        await inStorage('a temporary file cannot be written', () => handle.close())
        return { path, size, sha256: hash.digest('hex') }
      } catch (error) {
        await handle.close().catch(() => {})
        await discard(path)
        throw error
      }
    },
    discard,
    sweep: now =>
      inStorage('temporary files cannot be swept', async () => {
        const abandoned = await abandonedIn(folder, now)
        for (const path of abandoned) await rm(path, { force: true })
        return abandoned.length
      }),
  }
}

async function openIn(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  return { path, handle: await open(path, 'wx', 0o600) }
}

/** After its last byte; what has arrived is stored within minutes. */
const ABANDONED_AFTER_MS = 3600_000

async function abandonedIn(folder: string, now: Date): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const abandoned: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    // Another process may have removed it meanwhile.
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs <= now.getTime() - ABANDONED_AFTER_MS) abandoned.push(path)
  }
  return abandoned
}
