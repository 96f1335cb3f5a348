import { MAX_LAYERS } from '#shared/api/folders.ts'
import type { RefusalFacts } from '#server/http/refusal.ts'
import type { ErrorCode } from '#shared/errors.ts'

/** A folder of one owner, as the rules read it. */
export interface TreeFolder {
  id: number
  name: string
  /** null: the root */
  parent: number | null
  /** 1 directly under the root, 2 under another folder */
  layer: number
}

/** All folders of one owner; locked while the rules read them. */
export type Tree = readonly TreeFolder[]

type WhyNot = { code: ErrorCode; fields?: NonNullable<RefusalFacts['fields']> } | null

/** Why a folder of this name may not be made under this parent; null when it may. */
export function whyNotCreate(tree: Tree, { name, parent }: { name: string; parent: number | null }): WhyNot {
  return whyNotParent(tree, parent) ?? whyNotName(tree, { name, parent })
}

export function whyNotRename(tree: Tree, folder: TreeFolder, name: string): WhyNot {
  return whyNotName(tree, { name, parent: folder.parent, except: folder.id })
}

export function whyNotMove(tree: Tree, folder: TreeFolder, parent: number | null): WhyNot {
  if (childrenOf(tree, folder.id).length > 0) return { code: 'has_subfolders' }
  if (parent === folder.id) return invalid('parent', 'field_invalid')
  return whyNotParent(tree, parent) ?? whyNotName(tree, { name: folder.name, parent, except: folder.id })
}

function whyNotParent(tree: Tree, parent: number | null): WhyNot {
  if (parent === null) return null
  const above = tree.find(folder => folder.id === parent)
  if (!above) return invalid('parent', 'field_not_available')
  return above.layer >= MAX_LAYERS ? invalid('layer', 'folder_layer') : null
}

function whyNotName(
  tree: Tree,
  { name, parent, except }: { name: string; parent: number | null; except?: number },
): WhyNot {
  const is_taken = childrenOf(tree, parent).some(
    sibling => sibling.id !== except && sameName(sibling.name, name),
  )
  return name === '' || is_taken ? invalid('name', 'folder_name') : null
}

export const childrenOf = (tree: Tree, parent: number | null) =>
  tree.filter(folder => folder.parent === parent)

/** The names of the folders down to one, outermost first; empty for the top level. */
export function pathOf(
  tree: readonly Pick<TreeFolder, 'id' | 'name' | 'parent'>[],
  id: number | null,
): string[] {
  const folder = tree.find(candidate => candidate.id === id)
  return folder ? [...pathOf(tree, folder.parent), folder.name] : []
}

/** Two names that look the same are the same. */
export const sameName = (a: string, b: string) => keyOf(a) === keyOf(b)
const keyOf = (name: string) => name.normalize('NFKC').toLowerCase()

/** The name, or the first of "name (2)", "name (3)", … that none of these has. */
export const freeName = (name: string, taken: readonly string[]): string => freeNamesAmong(taken)(name)

/**
 * Gives free names, one after the other; each is taken from then on. However many are requested, none is
 * tried twice.
 */
export function freeNamesAmong(taken: readonly string[]): (name: string) => string {
  const keys = new Set(taken.map(keyOf))
  /** The next number to try for each prefix of a name, which is shorter before a longer number. */
  const untried = new Map<string, number>()
  return name => {
    for (let number = 1; ;) {
      const { length } = suffixOf(number)
      const stem = name.slice(0, LONGEST - length)
      const key = `${length} ${stem}`
      number = untried.get(key) ?? number
      if (suffixOf(number).length > length) continue
      const candidate = stem + suffixOf(number)
      number += 1
      untried.set(key, number)
      if (keys.has(keyOf(candidate))) continue
      keys.add(keyOf(candidate))
      return candidate
    }
  }
}

const suffixOf = (number: number) => (number === 1 ? '' : ` (${number})`)

const LONGEST = 120

const invalid = (field: string, code: ErrorCode): WhyNot => ({ code: 'invalid', fields: { [field]: [code] } })
