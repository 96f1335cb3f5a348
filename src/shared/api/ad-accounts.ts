import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { providers, type Provider } from '#shared/platforms.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'

/** The path of a view or property in its tree; null for ad accounts. */
const analyticsPath = {
  ga_account_id: z.string().nullable(),
  ga_account_name: z.string().nullable(),
  property_id: z.string().nullable(),
  property_name: z.string().nullable(),
}

export const AdAccount = z.object({
  id: Id,
  channel: z.enum(channelIds),
  /** Which product it belongs to, for example ly_search. */
  provider: z.enum(Object.keys(providers) as [Provider, ...Provider[]]),
  external_id: z.string(),
  name: z.string(),
  currency: z.string(),
  timezone: z.string(),
  status: z.string(),
  ecid: z.string().nullable(),
  advertiser: Id.nullable(),
  advertiser_name: z.string().nullable(),
  /** The shared login that reaches it; null: the one of the environment. */
  public_account: Id.nullable(),
  last_checked_at: Instant.nullable(),
  ...analyticsPath,
})
export type AdAccount = z.infer<typeof AdAccount>

export const AdAccountQuery = listQuery(['id', 'name'], '-id').extend({
  channel: z.enum(channelIds).optional(),
  advertiser: IdText.optional(),
  /** Comma-separated ids, to read the ones a report uses. */
  ids: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15}){0,499}$/)
    .transform(text => text.split(',').map(Number))
    .optional(),
})
export const AdAccountList = listOf(AdAccount)

/**
 * `ok` with the account as the platform has it now, or the code of what is wrong, with the platform's own
 * words.
 */
export const CheckAccountReply = z.object({
  result: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
})
export type CheckAccountReply = z.infer<typeof CheckAccountReply>

/** An advertiser with its open accounts, as far as the caller may use them. */
export const AccountAdvertiser = z.object({
  id: Id,
  name: z.string(),
  channels: z.array(z.object({ channel: z.enum(channelIds), accounts: z.number().int() })),
})
export type AccountAdvertiser = z.infer<typeof AccountAdvertiser>

export const AccountAdvertiserQuery = listQuery(['name'], 'name').extend({
  /** This one alone. */
  advertiser: IdText.optional(),
})
export const AccountAdvertiserList = listOf(AccountAdvertiser)

const AnalyticsPath = {
  account_id: z.string().nullable(),
  account_name: z.string().nullable(),
  property_id: z.string().nullable(),
  property_name: z.string().nullable(),
}
const analytics = AdAccount.pick({
  id: true,
  currency: true,
  timezone: true,
  status: true,
  ecid: true,
  advertiser: true,
  advertiser_name: true,
  last_checked_at: true,
}).extend(AnalyticsPath)

/** A view of Universal Analytics. */
export const GaView = analytics.extend({
  view_id: z.string(),
  view_name: z.string(),
})
export const GaViewList = listOf(GaView)

/** A property of GA4. */
export const Ga4View = analytics
export const Ga4ViewList = listOf(Ga4View)

export const AnalyticsQuery = AdAccountQuery.omit({ channel: true })
