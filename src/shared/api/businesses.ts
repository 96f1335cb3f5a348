import { z } from 'zod'
import { warnings } from '#shared/account-statuses.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'

/** Of the business managers that a person has: id → name. */
export const AvailableBusinesses = z.record(z.string(), z.string())

export const Business = z.object({
  id: Id,
  /** Meta's, which goes beyond 2^53. */
  external_id: z.string(),
  name: z.string(),
  /** In Meta's word; null: not visible. */
  verification: z.string().nullable(),
  /** The shared login that reads it. */
  login: Id.nullable(),
  /** When its accounts were read last; null: never. */
  refreshed_at: Instant.nullable(),
  is_refreshing: z.boolean(),
  /** Why the last refresh failed: the accounts are those of `refreshed_at`. */
  problem: z.string().nullable(),
  /** Whether one may relate its accounts to advertisers, and say who has it. */
  may_relate: z.boolean(),
  may_grant: z.boolean(),
})
export type Business = z.infer<typeof Business>

/** What has changed at the platform, the newest first. */
const BusinessHistory = z.array(
  z.object({
    at: Instant,
    field: z.enum(['status', 'disable_reason', 'spend_cap', 'relation', 'gone']),
    from: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    to: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  }),
)
export type BusinessHistory = z.infer<typeof BusinessHistory>

export const BusinessAccount = z.object({
  id: Id,
  business: Id,
  /** Meta's id of the account. */
  account: z.string(),
  name: z.string(),
  relation: z.enum(['owned', 'client']),
  /** null: none. */
  advertiser: Id.nullable(),
  /** null also for an advertiser whom one does not serve. */
  advertiser_name: z.string().nullable(),
  status: z.number().int(),
  disable_reason: z.number().int().nullable(),
  currency: z.string(),
  timezone: z.string(),
  /** Money is in millionths. null: no cap; else null is not visible to us. */
  spend_cap: z.number().nullable(),
  amount_spent: z.number().nullable(),
  balance: z.number().nullable(),
  /** Basis points. */
  cap_used: z.number().int().nullable(),
  is_prepay: z.boolean().nullable(),
  funding: z.object({ type: z.number().int(), label: z.string() }).nullable(),
  /** What the login may do there. */
  tasks: z.array(z.string()),
  tos_accepted: z.boolean().nullable(),
  created_at: Instant.nullable(),
  /** Since when the business does not list it any more. */
  gone_at: Instant.nullable(),
  /** The most urgent of what is wrong with it. */
  warning: z.enum(warnings).nullable(),
  history: BusinessHistory,
})
export type BusinessAccount = z.infer<typeof BusinessAccount>

/** `advertiser=none`: related to nobody. `warn`: what is wrong; `urgent`: anything. */
export const BusinessAccountQuery = listQuery(
  ['urgency', 'name', 'cap_used', 'amount_spent', 'status', 'id'],
  'urgency',
).extend({
  business: IdText.optional(),
  relation: z.enum(['owned', 'client']).optional(),
  status: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .optional(),
  advertiser: z.union([z.literal('none'), IdText]).optional(),
  warn: z.enum([...warnings, 'urgent']).optional(),
})
export type BusinessAccountQuery = z.output<typeof BusinessAccountQuery>
export const BusinessAccountList = listOf(BusinessAccount)

/** null: of nobody. */
export const RelateBusinessAccount = z.strictObject({ advertiser: Id.nullable() })

/** Who of the business works with an account; `problem`: why that could not be read. */
export const BusinessAccountUsers = z.object({
  users: z.array(z.object({ id: z.string(), name: z.string(), tasks: z.array(z.string()) })),
  problem: z.string().nullable(),
})
export type BusinessAccountUsers = z.infer<typeof BusinessAccountUsers>

export const BusinessMembers = z.object({
  results: z.array(
    z.object({
      user: Id,
      name: z.string(),
      is_client: z.boolean(),
      granted_by_name: z.string().nullable(),
      created_at: Instant,
    }),
  ),
})
export type BusinessMembers = z.infer<typeof BusinessMembers>
export const GrantBusiness = z.strictObject({ user: Id })
export const BusinessMemberPath = z.object({ id: IdText, user_id: IdText })
