import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isDatabaseAway } from '#server/db/problem.ts'
import { diskStore, TEMPORARY } from './disk-store.ts'
import { MissingFile, StorageFailure } from './store.ts'
import { openTemporary } from './temporary.ts'
import { describeStore } from './testing/describe-store.ts'
import { temporaryFile } from './testing/materials.ts'

const parent = mkdtempSync(join(tmpdir(), 'disk-'))
afterAll(() => rmSync(parent, { recursive: true }))
const folder = join(parent, 'data', 'files')
const store = diskStore(folder)
const temporary = openTemporary(join(folder, TEMPORARY))

describeStore('a store on disk', {
  openStore: () => diskStore(folder),
  temporary_dir: join(folder, TEMPORARY),
})

describe('a folder of files', () => {
  it('is for us alone', async () => {
    const file = await temporaryFile(temporary)
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([modeOf(folder), modeOf(join(folder, TEMPORARY)), modeOf(file.path)]).toEqual([
      '700',
      '700',
      '600',
    ])
    await store.put(file.path, file)
    const inner = join(folder, file.sha256.slice(0, 2))
    expect([modeOf(inner), modeOf(join(inner, file.sha256))]).toEqual(['700', '600'])
  })

  it('is left clean by a check', async () => {
    await store.check()
    expect(readdirSync(folder, { recursive: true }).filter(name => String(name).includes('probe'))).toEqual(
      [],
    )
  })

  it('is never left through a link', async () => {
    const [file, inFolder] = [await temporaryFile(temporary), await temporaryFile(temporary)]
    const [secret, outside] = [join(parent, 'secret'), join(parent, 'outside')]
    writeFileSync(secret, 'secret')
    mkdirSync(outside)
    mkdirSync(join(folder, file.sha256.slice(0, 2)), { recursive: true })
    symlinkSync(secret, join(folder, file.sha256.slice(0, 2), file.sha256))
    await expect(store.read(file.sha256, { start: 0, end: 5 })).rejects.toThrow(StorageFailure)

    const linked = join(folder, inFolder.sha256.slice(0, 2))
    rmSync(linked, { recursive: true, force: true })
    symlinkSync(outside, linked)
    writeFileSync(join(outside, inFolder.sha256), 'secret')
    await expect(store.read(inFolder.sha256, { start: 0, end: 5 })).rejects.toThrow(MissingFile)
    await expect(store.put(inFolder.path, inFolder)).rejects.toThrow('is not a folder')
    await store.remove(inFolder.sha256)
    expect(readdirSync(outside)).toEqual([inFolder.sha256])
    rmSync(linked)
  })

  it('holds other files without minding them', async () => {
    const { sha256, path, size } = await temporaryFile(temporary)
    await store.put(path, { sha256, size })
    writeFileSync(join(folder, 'README'), '')
    writeFileSync(join(folder, sha256.slice(0, 2), 'draft'), '')
    writeFileSync(join(folder, sha256.slice(0, 2), 'f'.repeat(63)), '')
    const listed = (await Array.fromAsync(store.list())).flat()
    expect(listed.filter(name => !/^[0-9a-f]{64}$/.test(name))).toEqual([])
    expect(listed).toContain(sha256)
  })

  it('that cannot be used is a failure of the storage, never of the database', async () => {
    writeFileSync(join(parent, 'file'), '')
    const closed = diskStore(join(parent, 'file', 'files'))
    const noTemporary = openTemporary(join(parent, 'file', 'tmp'))
    const file = await temporaryFile(temporary)
    const failures = [
      closed.check(),
      closed.put(file.path, file),
      closed.find(file.sha256),
      closed.read(file.sha256, { start: 0, end: 0 }),
      Array.fromAsync(closed.list()),
      noTemporary.write([]),
      noTemporary.sweep(new Date()),
    ].map(async work => await work.then(() => null).catch((error: unknown) => error))
    for (const failure of await Promise.all(failures)) {
      expect(failure).toBeInstanceOf(StorageFailure)
      expect(isDatabaseAway(failure)).toBe(false)
    }
    await expect(
      temporary.write(
        (async function* () {
          yield Buffer.from('x')
          throw new Error('the source breaks off')
        })(),
      ),
    ).rejects.toThrow(/^the source breaks off$/)
    await expect(closed.check()).rejects.toThrow(`files cannot be stored in ${join(parent, 'file', 'files')}`)
  })
})
