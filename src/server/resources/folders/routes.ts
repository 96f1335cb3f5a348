import { z } from 'zod'
import type { Trx } from '#server/db/transaction.ts'
import {
  CreateFolder,
  DeleteFolder,
  DeleteFolderReply,
  Folder,
  FolderQuery,
  MAX_LAYERS,
  UpdateFolder,
} from '#shared/api/folders.ts'
import { IdPath } from '#shared/api/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit, writeAuditLines } from '#server/resources/audit/queries.ts'
import {
  countReports,
  deletedFolders,
  deleteFolders,
  insertFolder,
  listFolders,
  lockTree,
  moveReports,
  refuseTooManyFolders,
  reportsIn,
  restoreFolder,
  updateFolder,
} from './queries.ts'
import {
  childrenOf,
  freeName,
  freeNamesAmong,
  whyNotCreate,
  whyNotMove,
  whyNotRename,
  type Tree,
  type TreeFolder,
} from './rules.ts'

const PATH = '/api/gs-template-folder/'

const list = route('GET', PATH, {
  summary:
    'List your folders: all as a flat list, or the subfolders of `p`. Always includes the root (layer 0).',
  level: 'external_user',
  query: FolderQuery,
  reply: z.array(Folder),
  async run({ query: { p, ordering }, user, db }) {
    const [folders, reports] = await Promise.all([listFolders(db, user.id), countReports(db, user.id)])
    const listed =
      p === undefined ? folders : folders.filter(folder => folder.parent === (p === 0 ? null : p))
    const root = {
      id: null,
      name: '',
      layer: 0,
      parent: null,
      reports: reports.get(null) ?? 0,
      last_modified_at: null,
    }
    const found = listed.map(folder => ({
      ...folder,
      reports: reports.get(folder.id) ?? 0,
      last_modified_at: folder.last_modified_at.toISOString(),
    }))
    return [root, ...found.toSorted(by(ordering))]
  },
})

type Listed = { id: number; name: string; last_modified_at: string }

function by(ordering: z.output<typeof FolderQuery>['ordering']) {
  // One for all: with thousands of names, creating one for each comparison takes longer than comparing.
  const names = new Intl.Collator()
  const compare: Record<string, (a: Listed, b: Listed) => number> = {
    id: (a, b) => a.id - b.id,
    name: (a, b) => names.compare(a.name, b.name) || a.id - b.id,
    last_modified_at: (a, b) => textOrder(a.last_modified_at, b.last_modified_at) || a.id - b.id,
  }
  const ascending = compare[ordering.replace(/^-/, '')]
  const direction = ordering.startsWith('-') ? -1 : 1
  return (a: Listed, b: Listed) => direction * (ascending?.(a, b) ?? 0)
}

/** For texts of one format, such as instants. */
const textOrder = (a: string, b: string) => (a < b ? -1 : Number(a > b))

const create = route('POST', PATH, {
  summary: 'Create a folder. 400 with `name` (empty or duplicated) or `layer` (more than two).',
  level: 'external_user',
  body: CreateFolder,
  reply: Folder,
  status: 201,
  async run({ body: { name: requested, parent }, user, db, now, effects: { settings } }) {
    const name = requested.trim()
    const tree = await lockTree(db, user.id)
    const why_not = whyNotCreate(tree, { name, parent })
    if (why_not) throw refuse(why_not.code, why_not)
    await refuseTooManyFolders(db, user.id, settings)
    const layer = layerUnder(tree, parent)
    const id = await insertFolder(db, { owner: user.id, name, parent, layer }, now)
    const line = { actor: user.id, action: 'folder.create', object: 'folder', object_id: id }
    await writeAudit(db, { ...line, detail: { name, parent } }, now)
    return { id, name, parent, layer, reports: 0, last_modified_at: now.toISOString() }
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Rename or move a folder. 400 `has_subfolders`, or with `layer` or `name`.',
  level: 'external_user',
  params: IdPath,
  body: UpdateFolder,
  reply: Folder,
  async run({ params, body, user, db, now }) {
    const tree = await lockTree(db, user.id)
    const folder = findIn(tree, params.id)
    const requested =
      'name' in body ? { ...folder, name: body.name.trim() } : { ...folder, parent: body.parent }
    const why_not =
      'name' in body ? whyNotRename(tree, folder, requested.name) : whyNotMove(tree, folder, requested.parent)
    if (why_not) throw refuse(why_not.code, why_not)
    const { name, parent } = requested
    const layer = layerUnder(tree, parent)
    await updateFolder(db, folder.id, { name, parent, layer, last_modified_at: now })
    const action = 'name' in body ? 'folder.rename' : 'folder.move'
    const detail = { name, changes: changedFields(folder, { name, parent }) }
    await writeAudit(db, { actor: user.id, action, object: 'folder', object_id: folder.id, detail }, now)
    const reports = (await countReports(db, user.id)).get(folder.id) ?? 0
    return { id: folder.id, name, parent, layer, reports, last_modified_at: now.toISOString() }
  },
})

const remove = ({ deleteReports }: ReportsOfFolders) =>
  route('DELETE', `${PATH}:id/`, {
    summary:
      'Delete a folder with its contents (deleteitems) or without (keepitems). 400 with `mode` if it is not empty and no mode is given.',
    level: 'external_user',
    params: IdPath,
    body: DeleteFolder,
    reply: DeleteFolderReply,
    async run({ params, body: { mode }, user, db, now }) {
      const tree = await lockTree(db, user.id)
      const folder = findIn(tree, params.id)
      const inside = [folder.id, ...childrenOf(tree, folder.id).map(child => child.id)]
      const { own, filed } = await reportsIn(db, user.id, inside)
      const is_empty = inside.length + own.length + filed.length === 1
      if (!is_empty && mode === undefined) throw refuse('invalid', { fields: { mode: ['folder_mode'] } })
      const actor = user.id
      const by_folder = { folder: folder.id, folder_name: folder.name }
      const deletionOf = ({ id, name }: TreeFolder) => ({
        actor,
        action: 'folder.delete',
        object: 'folder',
        object_id: id,
        detail: { name, mode, ...(id !== folder.id && by_folder) },
      })
      await writeAudit(db, deletionOf(folder), now)
      if (mode === 'keepitems') {
        await emptyInto(db, tree, { folder, owner: user.id, now })
        await deleteFolders(db, [folder.id], now)
        return { folders: 1, reports: 0 }
      }
      await deleteReports(db, own, { deleted_by: user.id, now })
      await deleteFolders(db, inside, now)
      await writeAuditLines(
        db,
        [
          ...childrenOf(tree, folder.id).map(deletionOf),
          ...own.map(id => ({
            actor,
            action: 'report.delete',
            object: 'report',
            object_id: id,
            detail: by_folder,
          })),
        ],
        now,
      )
      return { folders: inside.length, reports: own.length }
    },
  })

const restore = ({ restoreReportsIn }: ReportsOfFolders) =>
  route('POST', `${PATH}:id/restore/`, {
    summary:
      'Restore a folder that was deleted within the last 30 days, with its contents; to the root if its parent no longer exists.',
    level: 'external_user',
    params: IdPath,
    reply: DeleteFolderReply,
    async run({ params: { id }, user, db, now }) {
      const tree = await lockTree(db, user.id)
      const [folder, ...inside] = await deletedFolders(db, user.id, id)
      if (!folder) throw refuse('not_found')
      // A folder with subfolders moves to the root; it may have been moved between two deletions in one
      // millisecond.
      const has_place =
        inside.length === 0 && tree.some(each => each.id === folder.parent && each.layer < MAX_LAYERS)
      const parent = has_place ? folder.parent : null
      const taken = childrenOf(tree, parent).map(sibling => sibling.name)
      const destination = { parent, layer: layerUnder(tree, parent) }
      await restoreFolder(db, folder.id, { ...destination, name: freeName(folder.name, taken) })
      for (const { id: child, name } of inside) await restoreFolder(db, child, { parent: id, layer: 2, name })
      const ids = [folder, ...inside].map(each => each.id)
      const reports = await restoreReportsIn(db, ids, { deleted_at: folder.deleted_at, now })
      const actor = user.id
      const by_folder = { folder: id, folder_name: folder.name }
      await writeAuditLines(
        db,
        [
          ...[folder, ...inside].map(each => ({
            actor,
            action: 'folder.restore',
            object: 'folder',
            object_id: each.id,
            detail: { name: each.name, ...(each.id !== id && by_folder) },
          })),
          ...reports.map(report => ({
            actor,
            action: 'report.restore',
            object: 'report',
            object_id: report.id,
            detail: { name: report.name, ...by_folder },
          })),
        ],
        now,
      )
      return { folders: ids.length, reports: reports.length }
    },
  })

/** Moves the content of a folder to its parent; a subfolder whose name is taken there gets a free one. */
async function emptyInto(
  trx: Trx,
  tree: Tree,
  { folder, owner, now }: { folder: TreeFolder; owner: number; now: Date },
) {
  const freeNameFor = freeNamesAmong(
    childrenOf(tree, folder.parent)
      .filter(sibling => sibling.id !== folder.id)
      .map(sibling => sibling.name),
  )
  // First, so that its own name is free for one of its subfolders.
  await deleteFolders(trx, [folder.id], now)
  for (const child of childrenOf(tree, folder.id)) {
    const name = freeNameFor(child.name)
    const destination = { parent: folder.parent, layer: folder.layer }
    await updateFolder(trx, child.id, { name, ...destination, last_modified_at: now })
    const detail = { name, changes: changedFields(child, { name, parent: folder.parent }) }
    const line = { actor: owner, action: 'folder.move', object: 'folder', object_id: child.id }
    await writeAudit(trx, { ...line, detail }, now)
  }
  const moved = await moveReports(trx, owner, { from: folder.id, to: folder.parent })
  const changes = changedFields({ folder: folder.id }, { folder: folder.parent })
  const lines = [
    ...moved.own.map(id => ({ action: 'report.move', id })),
    ...moved.filed.map(id => ({ action: 'report.file', id })),
  ]
  await writeAuditLines(
    trx,
    lines.map(({ action, id }) => ({
      actor: owner,
      action,
      object: 'report',
      object_id: id,
      detail: { changes },
    })),
    now,
  )
}

function findIn(tree: Tree, id: number): TreeFolder {
  const folder = tree.find(candidate => candidate.id === id)
  if (!folder) throw refuse('not_found')
  return folder
}

const layerUnder = (tree: Tree, parent: number | null) =>
  (tree.find(folder => folder.id === parent)?.layer ?? 0) + 1

/** The effects on the reports of folders; passed in, because reports are in a higher layer. */
export interface ReportsOfFolders {
  deleteReports(trx: Trx, ids: readonly number[], deletion: { deleted_by: number; now: Date }): Promise<void>
  /** Returns which were deleted together with these folders. */
  restoreReportsIn(
    trx: Trx,
    folders: readonly number[],
    restoring: { deleted_at: Date; now: Date },
  ): Promise<{ id: number; name: string }[]>
}

export const foldersRoutes = (reports: ReportsOfFolders) => [
  list,
  create,
  update,
  remove(reports),
  restore(reports),
]
