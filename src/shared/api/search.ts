import { z } from 'zod'
import { namedKinds } from '#shared/named-kinds.ts'
import { Id } from './list.ts'

/** How many are found of each kind. */
export const MOST_OF_KIND = 5

export const SearchQuery = z.object({ search: z.string().trim().min(1).max(200) })
export const NamedEntry = z.object({
  kind: z.enum(namedKinds),
  id: Id,
  name: z.string(),
  /** Whose it is; null: nobody's, or the advertiser itself. */
  advertiser_name: z.string().nullable(),
})
export type NamedEntry = z.infer<typeof NamedEntry>
export const SearchReply = z.object({ results: z.array(NamedEntry) })
export type SearchReply = z.infer<typeof SearchReply>
