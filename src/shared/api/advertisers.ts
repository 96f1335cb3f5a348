import { z } from 'zod'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { name } from './names.ts'

const members = z.array(Id).max(500)

/**
 * A customer of the agency; `members` are the people who serve it or belong to it, as far as the caller may
 * see them.
 */
export const Advertiser = z.object({
  id: Id,
  name: z.string(),
  is_active: z.boolean(),
  members: z.array(Id),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Advertiser = z.infer<typeof Advertiser>

export const AdvertiserQuery = listQuery(['id', 'name', 'last_modified_at'], '-id')
export const AdvertiserList = listOf(Advertiser)

/** A creator who may not see all advertisers becomes a member. */
export const CreateAdvertiser = z.strictObject({ name: name(120), members: members.default([]) })
export const UpdateAdvertiser = z.strictObject({
  name: name(120).optional(),
  is_active: z.boolean().optional(),
  members: members.optional(),
})

/** Which accounts are an advertiser's; views and properties of analytics have ids of the same list. */
export const RelatedQuery = z.object({ advertiser: IdText })
const accounts = z.array(Id).min(1).max(500)
export const RelateAdAccounts = z.strictObject({ advertiser: Id, ad_accounts: accounts })
export const RelateGaViews = z.strictObject({ advertiser: Id, ga_views: accounts })
export const RelatedAdAccounts = z.object({ advertiser: Id, ad_accounts: z.array(Id) })
export const RelatedGaViews = z.object({ advertiser: Id, ga_views: z.array(Id) })
