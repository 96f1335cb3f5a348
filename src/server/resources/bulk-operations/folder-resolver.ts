import type { ApiSettings } from '#server/http/effects.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertFolder, lockTree, refuseTooManyFolders } from '#server/resources/folders/queries.ts'
import {
  childrenOf,
  freeName,
  pathOf,
  sameName,
  whyNotCreate,
  type TreeFolder,
} from '#server/resources/folders/rules.ts'
import { folderPath, type Rename } from './rules.ts'

/** Where copies go: in the same path as their originals, below another folder. */
export interface FolderResolver {
  /** The names of the folders, outermost first. */
  namesOf(viewer_folder: number | null): string[]
  /** The folder itself, created when it does not exist; null: the top level. */
  folderOf(viewer_folder: number | null): Promise<number | null>
  /** The folders created so far. */
  created(): number[]
}

interface Placing {
  source: { folder: number | null }
  folder: number | null
  new_folder: string | null
  rename: Rename | null
  settings: ApiSettings
  now: Date
}

/** The person's folders stay locked until the copies are in them. */
export async function openFolderResolver(
  trx: Trx,
  owner: number,
  { source, folder, new_folder, rename, settings, now }: Placing,
): Promise<FolderResolver> {
  const tree: TreeFolder[] = [...(await lockTree(trx, owner))]
  const base = folder === null ? null : tree.find(({ id }) => id === folder)
  if (base === undefined) throw refuse('invalid', { fields: { folder: ['field_not_available'] } })
  const originals = new Set(tree.map(({ id }) => id))
  const under = base === null ? [] : pathOf(tree, base.id)
  if (new_folder !== null) {
    const is_there = childrenOf(tree, folder).some(({ name }) => sameName(name, new_folder))
    const why_not = is_there ? null : whyNotCreate(tree, { name: new_folder, parent: folder })
    if (why_not) throw refuse(why_not.code, { fields: { new_folder: ['folder_layer'] } })
    under.push(new_folder)
  }
  const created: number[] = []

  /** Below what is cloned. */
  function innerPath(viewer_folder: number | null): string[] {
    const original = tree.find(({ id }) => id === viewer_folder)
    if (!original || original.id === source.folder) return []
    const path = pathOf(tree, original.id)
    return original.parent !== null && original.parent === source.folder ? path.slice(-1) : path
  }

  /** Adjusted where necessary: a folder of the originals keeps its name. */
  function namesOf(viewer_folder: number | null): string[] {
    const names = folderPath(under, innerPath(viewer_folder), rename)
    const path: string[] = []
    let parent: number | null | undefined = null
    for (const [depth, name] of names.entries()) {
      const siblings: TreeFolder[] = parent === undefined ? [] : childrenOf(tree, parent)
      const there = siblings.find(sibling => sameName(sibling.name, name))
      const is_original = there !== undefined && depth >= under.length && isSource(there, viewer_folder)
      const free = is_original
        ? freeName(
            name,
            siblings.filter(({ id }) => originals.has(id)).map(sibling => sibling.name),
          )
        : name
      path.push(free)
      parent = siblings.find(sibling => sameName(sibling.name, free))?.id
    }
    return path
  }

  /** Whether it is the folder of the original, or contains that. */
  function isSource(folder_there: TreeFolder, viewer_folder: number | null): boolean {
    const original = tree.find(({ id }) => id === viewer_folder)
    return (
      originals.has(folder_there.id) &&
      (original?.id === folder_there.id || original?.parent === folder_there.id)
    )
  }

  async function folderOf(viewer_folder: number | null): Promise<number | null> {
    let parent: number | null = null
    for (const [depth, name] of namesOf(viewer_folder).entries()) {
      const there: TreeFolder | undefined = childrenOf(tree, parent).find(sibling =>
        sameName(sibling.name, name),
      )
      parent = there?.id ?? (await make(name, { parent, layer: depth + 1 }))
    }
    return parent
  }

  async function make(name: string, { parent, layer }: { parent: number | null; layer: number }) {
    await refuseTooManyFolders(trx, owner, settings)
    const id = await insertFolder(trx, { owner, name, parent, layer }, now)
    const line = { actor: owner, action: 'folder.create', object: 'folder', object_id: id }
    await writeAudit(trx, { ...line, detail: { name, parent } }, now)
    tree.push({ id, name, parent, layer })
    created.push(id)
    return id
  }

  return { namesOf, folderOf, created: () => created }
}
