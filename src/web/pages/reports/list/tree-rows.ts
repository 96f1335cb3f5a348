import type { Language } from '#shared/language.ts'
import type { NamedFolder } from './data.ts'
import { folderOrder } from './folder-order.ts'

/** One line of the tree as it is drawn, with its position for screen readers. */
export interface TreeRow {
  /** 0 is the root. */
  id: number
  name: string
  layer: number
  /** null for the root alone. */
  folder: NamedFolder | null
  /** Reports in it and in its subfolders; those of the root are not counted. */
  total: number
  /** Whether its subfolders are shown; null: it has none. */
  expanded: boolean | null
  position: number
  siblings: number
}

/** With more folders than this the subfolders are hidden at first. */
const MANY = 60

interface TreeView {
  root: string
  language: Language
  /** The open folder, whose line is always visible. */
  current: number | null
  /** What the person has opened or closed by hand. */
  toggled: ReadonlyMap<number, boolean>
  /** Part of a name; '' shows everything. */
  search: string
}

/** The tree as lines: the root, and below it each folder with its subfolders, by name. */
export function treeRows(folders: readonly NamedFolder[], view: TreeView): TreeRow[] {
  const compare = folderOrder(view.language)
  const order = folders.toSorted((a, b) => compare(a.name, b.name))
  const found = view.search === '' ? null : foundIn(folders, view.search)
  const inside = Map.groupBy(order, folder => folder.parent)
  const childrenOf = (parent: number | null) =>
    (inside.get(parent) ?? []).filter(folder => !found || found.has(folder.id))
  const top = childrenOf(null)
  const root = { id: 0, name: view.root, layer: 1, folder: null, total: 0, expanded: null }
  return [
    { ...root, position: 1, siblings: top.length + 1 },
    ...top.flatMap((folder, index) => {
      const all = inside.get(folder.id) ?? []
      const children = childrenOf(folder.id)
      const isAround = children.some(child => child.id === view.current)
      const byItself = found !== null || folders.length <= MANY || isAround
      const expanded = all.length === 0 ? null : (view.toggled.get(folder.id) ?? byItself)
      const total = all.reduce((sum, child) => sum + child.reports, folder.reports)
      const row = lineOf(folder, { total, expanded, position: index + 2, siblings: top.length + 1 })
      if (!expanded) return [row]
      const lines = children.map((child, at) =>
        lineOf(child, {
          total: child.reports,
          expanded: null,
          position: at + 1,
          siblings: children.length,
        }),
      )
      return [row, ...lines]
    }),
  ]
}

const lineOf = (
  folder: NamedFolder,
  rest: Pick<TreeRow, 'total' | 'expanded' | 'position' | 'siblings'>,
): TreeRow => ({ id: folder.id, name: folder.name, layer: folder.layer, folder, ...rest })

/** Those whose name has the text, and the folders around them. */
function foundIn(folders: readonly NamedFolder[], search: string): ReadonlySet<number> {
  const needle = search.toLowerCase()
  const hits = folders.filter(({ name }) => name.toLowerCase().includes(needle))
  return new Set(hits.flatMap(({ id, parent }) => (parent === null ? [id] : [id, parent])))
}
