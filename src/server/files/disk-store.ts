import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '#server/db/problem.ts'
import {
  hashOnly,
  inStorage,
  isHash,
  LISTED_AT_ONCE,
  MissingFile,
  wholeRange,
  type FileStore,
} from './store.ts'

/**
 * Files in `folder`/ab/<sha256>. A file appears there by one rename of a complete temporary file, which must
 * be on the same file system; so there is never a half of one, whatever ends a process.
 */
export function diskStore(folder: string): FileStore {
  const folderOf = (sha256: string) => join(folder, hashOnly(sha256).slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256)

  const store: FileStore = {
    put: (temporary, { sha256, size }) =>
      inStorage('a file cannot be stored', async () => {
        await makeFolder(folderOf(sha256))
        try {
          await toDisk(temporary, size)
          await rename(temporary, pathOf(sha256))
        } catch (error) {
          if (codeOf(error) !== 'ENOENT' || (await store.find(sha256)) === null) throw error
        }
        await syncFolder(folderOf(sha256))
      }),

    read: (sha256, range) =>
      inStorage('a file cannot be read', async () => {
        const handle = await openFile(pathOf(sha256))
        if (handle === null) throw new MissingFile(`the file ${sha256} is not stored`)
        return wholeRange(handle.createReadStream(range), range)
      }),

    find: sha256 =>
      inStorage('files cannot be read', async () => {
        const handle = await openFile(pathOf(sha256))
        if (handle === null) return null
        try {
          return { sha256, size: (await handle.stat()).size }
        } finally {
          await handle.close()
        }
      }),

    remove: sha256 =>
      inStorage('a file cannot be removed', async () => {
        if (await isFolder(folderOf(sha256))) await rm(pathOf(sha256), { force: true })
      }),

    async *list() {
      // A 256th of all names at a time.
      for (const prefix of await namesIn(folder, /^[0-9a-f]{2}$/)) {
        const names = (await namesIn(join(folder, prefix))).filter(
          name => isHash(name) && name.startsWith(prefix),
        )
        for (let from = 0; from < names.length; from += LISTED_AT_ONCE)
          yield names.slice(from, from + LISTED_AT_ONCE)
      }
    },

    check: () =>
      inStorage(`files cannot be stored in ${folder}`, async () => {
        const probe = `probe-${randomUUID()}`
        const draft = join(folder, TEMPORARY, probe)
        await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
        try {
          const handle = await open(draft, 'wx', 0o600)
          try {
            await handle.writeFile('probe')
            await handle.sync()
          } finally {
            await handle.close()
          }
          // Shows a temporary folder on another file system.
          await rename(draft, join(folder, probe))
        } finally {
          await rm(draft, { force: true })
          await rm(join(folder, probe), { force: true })
        }
      }),
  }
  return store
}

/** Beside the files, so that a rename moves one there. */
export const TEMPORARY = 'tmp'

async function makeFolder(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await mkdir(path, { mode: 0o700 })
    await syncFolder(dirname(path))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!(await isFolder(path))) throw new Error(`${path} is not a folder`, { cause: error })
  }
}

/** What is in the file is on the disk, not only in the memory of the system. */
async function toDisk(path: string, size: number) {
  const handle = await open(path, 'r')
  try {
    const found = await handle.stat()
    if (found.size !== size) throw new Error(`the temporary file has ${found.size} bytes and not ${size}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** That it has the file is on the disk too. Windows has no such call. */
async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** null: there is none. Links lead nowhere: only files that we have written are read. */
async function openFile(path: string): Promise<FileHandle | null> {
  if (!(await isFolder(dirname(path)))) return null
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** In ascending order. */
async function namesIn(folder: string, matching = /./): Promise<string[]> {
  const names = await inStorage('stored files cannot be listed', () =>
    readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }),
  )
  return names.filter(name => matching.test(name)).toSorted()
}
