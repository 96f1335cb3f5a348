import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/db/problem.ts'
import { inStorage } from './store.ts'

/** Where uploads are written while they arrive; on the file system of the disk store. */
export interface Temporary {
  /** A new empty file that only we can read. Whoever opens it closes it, and puts or discards the file. */
  open(): Promise<{ path: string; handle: FileHandle }>
  /** Also of one that is gone. */
  discard(path: string): Promise<void>
  /** Removes what killed processes have left; returns how many. */
  sweep(now: Date): Promise<number>
}

export function openTemporary(folder: string): Temporary {
  return {
    open: () =>
      inStorage('no temporary file can be made', async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, randomUUID())
        return { path, handle: await open(path, 'wx+', 0o600) }
      }),
    discard: path => inStorage('a temporary file cannot be removed', () => rm(path, { force: true })),
    sweep: now =>
      inStorage('temporary files cannot be swept', async () => {
        const abandoned = await abandonedIn(folder, now)
        for (const path of abandoned) await rm(path, { force: true })
        return abandoned.length
      }),
  }
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
