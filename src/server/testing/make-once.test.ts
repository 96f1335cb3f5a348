import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeOnce } from './make-once.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sheetcast-once-'))))
afterEach(() => rmSync(folder, { recursive: true }))

describe('a folder that is made once', () => {
  it('is complete whenever it exists, however many processes create it at once', async () => {
    const made = join(folder, 'made')
    const both = Promise.withResolvers<void>()
    let started = 0
    const fill = async (into: string) => {
      writeFileSync(join(into, 'first'), 'half')
      if (++started === 2) both.resolve()
      await both.promise
      expect(existsSync(made)).toBe(false)
      writeFileSync(join(into, 'second'), 'whole')
    }
    await Promise.all([makeOnce(made, fill), makeOnce(made, fill)])
    expect(readFileSync(join(made, 'second'), 'utf8')).toBe('whole')
    expect(readdirSync(folder)).toEqual(['made'])
    await makeOnce(made, () => Promise.reject(new Error('is there already')))
  })

  it('does not exist after it could not be filled, and is retried', async () => {
    const made = join(folder, 'made')
    await expect(makeOnce(made, () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    expect(readdirSync(folder)).toEqual([])
    await makeOnce(made, into => Promise.resolve(writeFileSync(join(into, 'file'), '')))
    expect(readdirSync(made)).toEqual(['file'])
  })
})
