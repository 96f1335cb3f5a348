import { describe, expect, it } from 'vitest'
import type { NamedFolder } from './data.ts'
import { treeMove } from './tree-keys.ts'
import { treeRows } from './tree-rows.ts'

const folder = (id: number, name: string, rest: Partial<NamedFolder> = {}): NamedFolder => ({
  id,
  name,
  layer: 1,
  parent: null,
  reports: 1,
  last_modified_at: null,
  ...rest,
})
const folders = [
  folder(1, 'Client 10'),
  folder(2, 'Client 2', { reports: 3 }),
  folder(3, 'Inner', { layer: 2, parent: 2, reports: 4 }),
  folder(4, 'acme', { reports: 0 }),
]
const view = {
  root: 'Top level',
  language: 'en',
  current: null,
  toggled: new Map<number, boolean>(),
  search: '',
} as const
const names = (rows: ReturnType<typeof treeRows>) => rows.map(({ name }) => name)

describe('the lines of the tree', () => {
  it('are sorted by name in natural order, each folder before its subfolders, with those counted in', () => {
    const rows = treeRows(folders, view)
    expect(names(rows)).toEqual(['Top level', 'acme', 'Client 2', 'Inner', 'Client 10'])
    expect(rows.map(({ total }) => total)).toEqual([0, 0, 7, 4, 1])
    expect(rows.map(({ position, siblings }) => [position, siblings])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [1, 1],
      [4, 4],
    ])
  })

  it('leave out what is closed, and of many folders all subfolders but those around the current one', () => {
    expect(names(treeRows(folders, { ...view, toggled: new Map([[2, false]]) }))).not.toContain('Inner')
    const many = [...folders, ...Array.from({ length: 60 }, (_, n) => folder(100 + n, `More ${n}`))]
    expect(names(treeRows(many, view))).not.toContain('Inner')
    expect(names(treeRows(many, { ...view, current: 3 }))).toContain('Inner')
  })

  it('are those that a search finds, with what lies around them', () => {
    expect(names(treeRows(folders, { ...view, search: 'INN' }))).toEqual(['Top level', 'Client 2', 'Inner'])
  })
})

describe('the keys in the tree', () => {
  const rows = treeRows(folders, view)
  const closed = treeRows(folders, { ...view, toggled: new Map([[2, false]]) })

  it('go up and down, to both ends, and no further', () => {
    expect(treeMove(rows, 0, 'ArrowDown')).toEqual({ to: 1 })
    expect(treeMove(rows, 0, 'ArrowUp')).toBeNull()
    expect(treeMove(rows, 4, 'ArrowDown')).toBeNull()
    expect([treeMove(rows, 2, 'Home'), treeMove(rows, 2, 'End')]).toEqual([{ to: 0 }, { to: 4 }])
  })

  it('open, go in, come out and close', () => {
    expect(treeMove(closed, 2, 'ArrowRight')).toEqual({ expand: true })
    expect(treeMove(rows, 2, 'ArrowRight')).toEqual({ to: 3 })
    expect(treeMove(rows, 3, 'ArrowLeft')).toEqual({ to: 2 })
    expect(treeMove(rows, 2, 'ArrowLeft')).toEqual({ expand: false })
    expect([treeMove(rows, 1, 'ArrowRight'), treeMove(rows, 1, 'ArrowLeft')]).toEqual([null, null])
  })

  it('find the next name that begins with a letter', () => {
    expect(treeMove(rows, 0, 'c')).toEqual({ to: 2 })
    expect(treeMove(rows, 2, 'c')).toEqual({ to: 4 })
    expect(treeMove(rows, 4, 'C')).toEqual({ to: 2 })
    expect([treeMove(rows, 0, 'x'), treeMove(rows, 0, 'Tab')]).toEqual([null, null])
  })
})
