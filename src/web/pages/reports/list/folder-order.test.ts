import { expect, it } from 'vitest'
import { folderOptions } from './folder-options.ts'
import { folderOrder } from './folder-order.ts'
import { treeRows } from './tree-rows.ts'

const folders = ['Week 10', 'Äpfel', 'Week 2', 'Zebra'].map((name, index) => ({
  id: index + 1,
  name,
  layer: 1,
  parent: null,
  reports: 0,
  last_modified_at: '2026-11-25T00:00:00.000Z',
}))
const ordered = ['Äpfel', 'Week 2', 'Week 10', 'Zebra']

it('orders folders as people do, wherever they are listed', () => {
  expect(folders.map(({ name }) => name).toSorted(folderOrder('en'))).toEqual(ordered)
  expect(folderOptions(folders, 'en').map(({ label }) => label)).toEqual(ordered)
  const tree = treeRows(folders, {
    root: 'Reports',
    language: 'en',
    current: null,
    toggled: new Map(),
    search: '',
  })
  expect(tree.map(({ name }) => name)).toEqual(['Reports', ...ordered])
})
