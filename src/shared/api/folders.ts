import { z } from 'zod'
import { FolderId, FolderIdText, Id, Instant } from './list.ts'
import { nameOrNothing } from './names.ts'

export const MAX_LAYERS = 2

export const Folder = z.object({
  /** null only for the root, which is no row. */
  id: Id.nullable(),
  name: z.string(),
  /** 0 is the root. */
  layer: z.number().int(),
  parent: Id.nullable(),
  /** Reports directly in it. */
  reports: z.number().int(),
  last_modified_at: Instant.nullable(),
})
export type Folder = z.infer<typeof Folder>

export const FolderQuery = z.object({
  ordering: z
    .enum(['last_modified_at', '-last_modified_at', 'name', '-name', 'id', '-id'])
    .default('-last_modified_at'),
  /** 0 is the root; left out: every folder as a flat list. */
  p: FolderIdText.optional(),
})

/** Empty ones are refused by the rules of folders, with their own messages. */
const Name = nameOrNothing(120)
export const CreateFolder = z.strictObject({ name: Name, parent: FolderId.default(null) })
export const UpdateFolder = z.union([z.strictObject({ name: Name }), z.strictObject({ parent: FolderId })])
export const DeleteFolder = z.strictObject({ mode: z.enum(['keepitems', 'deleteitems']).optional() })
export const DeleteFolderReply = z.object({ folders: z.number().int(), reports: z.number().int() })
