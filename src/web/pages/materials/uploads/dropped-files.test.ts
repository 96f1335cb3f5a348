import { expect, it } from 'vitest'
import { filesOf } from './dropped-files.ts'

const fileEntry = (name: string) => ({
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(new File(['x'], name)),
})

/** A browser gives what is in a folder in parts. */
const folderEntry = (...parts: readonly object[][]) => ({
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const left = [...parts, []]
    return { readEntries: (resolve: (entries: object[]) => void) => resolve(left.shift() ?? []) }
  },
})

const lost = {
  isFile: true,
  isDirectory: false,
  file: (_: unknown, reject: (error: Error) => void) => reject(new Error('gone')),
}

const dropped = (...entries: (object | null)[]) =>
  ({
    items: entries.map(entry => ({ webkitGetAsEntry: () => entry })),
    files: [new File(['x'], 'plain.png')],
  }) as unknown as DataTransfer

const namesOf = async (data: DataTransfer) => (await filesOf(data)).map(({ name }) => name)

it('are taken as they are where no folder is among them', async () => {
  expect(await namesOf(dropped(fileEntry('entry.png')))).toEqual(['plain.png'])
})

it('are found in folders, however deep, without what the system keeps there', async () => {
  const inner = folderEntry([fileEntry('c.png')])
  const folder = folderEntry([fileEntry('a.png'), fileEntry('.DS_Store')], [fileEntry('b.png'), inner])
  expect(await namesOf(dropped(fileEntry('top.png'), folder, null))).toEqual([
    'top.png',
    'a.png',
    'b.png',
    'c.png',
  ])
})

it('are left out when they cannot be read', async () => {
  expect(await namesOf(dropped(lost, folderEntry([fileEntry('a.png')])))).toEqual(['a.png'])
})
