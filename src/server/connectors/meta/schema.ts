import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { RowList } from '#server/connectors/kit/byte-rows.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

export const MetaLogin = z.object({
  access_token: z.string().min(1),
  app_secret: z.string().min(1).optional(),
})
export type MetaLogin = z.infer<typeof MetaLogin>
export type MetaIo = Io<MetaLogin>

/**
 * An id: digits, however long. The client reads long bare numbers as their digits, short ones arrive as
 * numbers.
 */
export const Id = z.union([z.string().regex(/^\d+$/), z.int().nonnegative().transform(String)])

const Paging = z.object({
  cursors: z.object({ after: z.string().optional() }).optional(),
  /** Carries the token: it only says that there is more, and is neither followed nor stored. */
  next: z.string().optional(),
})

/**
 * One page of any list. Rows of insights are read field by field in columns.ts; a schema per row would cost
 * more than parsing it.
 */
export const ListPage = z.object({ data: z.array(z.unknown()), paging: Paging.optional() })
/** The same with rows that may have been read out of the bytes. */
export const RowPage = ListPage.extend({ data: RowList })
export type Paging = z.infer<typeof Paging>

/**
 * 1 active, 9 in its grace period (still delivering); the others are disabled, unsettled, in review or
 * closed.
 */
const DELIVERING: ReadonlySet<number> = new Set([1, 9])

export const AdAccount = z
  .object({
    account_id: Id,
    name: z.string(),
    account_status: z.int(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    timezone_name: Zone,
    business: z.object({ name: z.string() }).optional(),
  })
  .transform(account => ({
    provider: 'meta' as const,
    external_id: account.account_id,
    name: account.name,
    currency: account.currency,
    timezone: account.timezone_name,
    status: DELIVERING.has(account.account_status) ? ('enabled' as const) : ('disabled' as const),
    owner_name: account.business?.name ?? null,
    via: null,
    analytics: null,
  }))

export const AD_ACCOUNT_FIELDS = 'account_id,name,account_status,currency,timezone_name,business'

export const SubmittedJob = z.object({ report_run_id: Id })

export const Job = z.object({
  async_status: z.string(),
  async_percent_completion: z.number(),
  error_code: z.int().optional(),
  error_subcode: z.int().optional(),
  error_message: z.string().optional(),
})
export type Job = z.infer<typeof Job>

export const ErrorEnvelope = z.object({
  error: z.object({
    message: z.string().default(''),
    code: z.int(),
    error_subcode: z.int().optional(),
    is_transient: z.boolean().optional(),
    fbtrace_id: z.string().optional(),
  }),
})
export type MetaError = z.infer<typeof ErrorEnvelope>['error']

const ActionList = z.array(z.object({ action_type: z.string(), value: z.string() })).default([])
/** A row of insights, as far as its actions go. */
export const ActionRow = z.object({ actions: ActionList, action_values: ActionList })
export type ActionRow = z.infer<typeof ActionRow>

const percent = z.number().nonnegative().catch(0)
const tier = z.string().optional().catch(undefined)

/** X-FB-Ads-Insights-Throttle and X-Ad-Account-Usage */
export const AccountUsage = z.object({
  app_id_util_pct: percent,
  acc_id_util_pct: percent,
  reset_time_duration: percent,
  ads_api_access_tier: tier,
})
/** X-App-Usage */
export const AppUsage = z.object({ call_count: percent, total_cputime: percent, total_time: percent })
/** X-Business-Use-Case-Usage, by account or business; the time to regain access is in minutes. */
export const UseCaseUsage = z.record(
  z.string(),
  z.array(
    z.object({
      type: z.string(),
      call_count: percent,
      total_cputime: percent,
      total_time: percent,
      estimated_time_to_regain_access: percent,
      ads_api_access_tier: tier,
    }),
  ),
)

// Audiences.

/** What decides whether audiences can be made in an account. */
export const AccountStanding = z.object({
  account_status: z.int(),
  /** Left out, or 0 for terms that nobody has accepted. */
  tos_accepted: z.object({ custom_audience_tos: z.int().default(0) }).optional(),
  business: z.object({ id: Id }).optional(),
  /** Left out: the token may not see it. */
  user_tasks: z.array(z.string()).optional(),
})
export type AccountStanding = z.infer<typeof AccountStanding>
export const ACCOUNT_STANDING_FIELDS = 'account_status,tos_accepted,business,user_tasks'
export const isDelivering = (accountStatus: number) => DELIVERING.has(accountStatus)

/** What the token's owner has agreed to. */
export const Permissions = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
})

export const Made = z.object({ id: Id })
export const Done = z.object({ success: z.boolean().optional() })
/** How many rows the session has received by now; left out where there is no session. */
export const Received = z.object({ num_received: z.int().nonnegative() })

const Status = z.object({ code: z.int(), description: z.string().default('') })
/** Bounds are -1 where Meta does not know. */
export const AudienceNode = z.object({
  account_id: Id,
  approximate_count_lower_bound: z.int().default(-1),
  approximate_count_upper_bound: z.int().default(-1),
  delivery_status: Status,
  operation_status: Status,
  /** In seconds since 1970. */
  time_content_updated: z.int().nonnegative().optional(),
})
export type AudienceNode = z.infer<typeof AudienceNode>
export const AUDIENCE_NODE_FIELDS =
  'account_id,approximate_count_lower_bound,approximate_count_upper_bound,delivery_status,operation_status,time_content_updated'

export const ListedAudience = z.object({ id: Id, account_id: Id, description: z.string().default('') })
export const Recipient = z.object({ id: Id })
export const ListedPixel = z.object({ id: Id, name: z.string().default('') })
export const Shared = z.object({
  sharing_data: z.array(z.object({ ad_acct_id: Id, errors: z.array(z.unknown()).default([]) })).default([]),
})
