import { z } from 'zod'
import {
  accessResults,
  ACCOUNTS_AT_ONCE,
  audienceKinds,
  audienceStatuses,
  BATCH_ROWS,
  collectors,
  consents,
  erasureOutcomes,
  memberColumns,
  ruleMatches,
  shareModes,
  shareStates,
  uploadActions,
} from '#shared/audiences.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Version } from './money.ts'
import { name, text, textOrNothing } from './names.ts'

export const Consent = z.strictObject({
  ad_user_data: z.enum(consents),
  ad_personalization: z.enum(consents),
})
export const VisitorRule = z
  .strictObject({ match: z.enum(ruleMatches), values: z.array(name(200)).max(10).default([]) })
  .refine(({ match, values }) => (match === 'all') === (values.length === 0), { path: ['values'] })

const Columns = z.array(z.enum(memberColumns)).min(1).max(memberColumns.length)
/**
 * A row is accepted or refused as a whole: naming each of a hundred thousand faulty values would keep others
 * waiting. What it holds is checked by rule.
 */
const Row = z
  .custom<string[]>(
    row =>
      Array.isArray(row) &&
      row.length <= memberColumns.length &&
      row.every(value => typeof value === 'string'),
  )
  .meta({
    type: 'array',
    maxItems: memberColumns.length,
    items: { type: 'string', pattern: '^([0-9a-f]{64})?$' },
  })
/** What the browser counted while it hashed a file; only numbers. */
export const HashCounts = z.strictObject({
  valid: z.number().int().min(0),
  duplicate: z.number().int().min(0),
  no_identifier: z.number().int().min(0),
  bad_email: z.number().int().min(0),
  bad_phone: z.number().int().min(0),
  no_consent: z.number().int().min(0),
})
export type HashCounts = z.infer<typeof HashCounts>

/** One ad account that an audience is shared with. */
export const AudienceShare = z.object({
  id: Id,
  ad_account: Id,
  ad_account_name: z.string(),
  channel: z.enum(channelIds),
  mode: z.enum(shareModes),
  state: z.enum(shareStates),
  /** The platform's ids: an audience per kind of identifier where it needs that. */
  parts: z.array(z.object({ part: z.string(), external_id: z.string().nullable() })),
  /** In the platform's own words. */
  size: z.string().nullable(),
  /** Share of the rows that it recognised, in its own words. */
  match: z.string().nullable(),
  code: z.string().nullable(),
  /** The platform's own words; internal people alone see them. */
  message: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Of the rows to send now, how many the platform has taken. */
  sent_rows: z.number().int(),
  total_rows: z.number().int(),
  synced_at: Instant.nullable(),
  /** Later uploads follow by themselves. */
  auto_sync: z.boolean(),
  /** Its maker, and managers. */
  may_unshare: z.boolean(),
  created_at: Instant,
})
export type AudienceShare = z.infer<typeof AudienceShare>

export const AudienceUpload = z.object({
  id: z.uuid(),
  session: z.uuid(),
  action: z.enum(uploadActions),
  columns: z.array(z.enum(memberColumns)),
  state: z.enum(['open', 'taken', 'dropped']),
  rows: z.number().int(),
  counts: HashCounts.nullable(),
  basis: z.string().nullable(),
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  created_at: Instant,
  taken_at: Instant.nullable(),
})
export type AudienceUpload = z.infer<typeof AudienceUpload>

export const Audience = z.object({
  id: Id,
  version: Version,
  name: z.string(),
  description: z.string(),
  advertiser: Id,
  advertiser_name: z.string(),
  kind: z.enum(audienceKinds),
  collected_by: z.enum(collectors).nullable(),
  basis: z.string().nullable(),
  confirmed_by: Id.nullable(),
  confirmed_by_name: z.string().nullable(),
  confirmed_at: Instant.nullable(),
  consent: Consent.nullable(),
  window_days: z.number().int().nullable(),
  keep_days: z.number().int().nullable(),
  site: Id.nullable(),
  site_name: z.string().nullable(),
  rule: z.object({ match: z.enum(ruleMatches), values: z.array(z.string()) }).nullable(),
  seed: Id.nullable(),
  seed_name: z.string().nullable(),
  country: z.string().nullable(),
  /** Per cent. */
  ratio: z.number().int().nullable(),
  ga4_view: Id.nullable(),
  ga4_audience: z.string().nullable(),
  status: z.enum(audienceStatuses),
  /** Of a customer file: people in it; of a GA4 audience its users. */
  rows: z.number().int(),
  last_upload: AudienceUpload.nullable(),
  /** When our copy of the hashes is destroyed; null: there is none. */
  expires_at: Instant.nullable(),
  shares: z.array(AudienceShare),
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  /** Change, upload, share and erase; and delete. */
  may_change: z.boolean(),
  may_delete: z.boolean(),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Audience = z.infer<typeof Audience>

export const AudienceQuery = listQuery(
  ['id', 'name', 'advertiser', 'kind', 'rows', 'last_upload', 'last_modified_at'],
  '-last_modified_at',
).extend({
  advertiser: IdText.optional(),
  kind: z.enum(audienceKinds).optional(),
  status: z.enum(audienceStatuses).optional(),
  /** Audiences with a share in this state. */
  share_state: z.enum(shareStates).optional(),
  channel: z.enum(channelIds).optional(),
})
export const AudienceList = listOf(Audience)
export type AudienceList = z.infer<typeof AudienceList>

const audience = {
  name: name(120),
  description: textOrNothing(500),
  collected_by: z.enum(collectors),
  basis: text(500),
  consent: Consent,
  window_days: z.number().int().min(1).max(540),
  keep_days: z.number().int().min(1).max(180),
  site: Id,
  rule: VisitorRule,
  seed: Id,
  country: z.string().regex(/^[A-Z]{2}$/),
  ratio: z.number().int().min(1).max(20),
  ga4_view: Id,
  ga4_audience: z.string().regex(/^\d{1,19}$/),
}
/** Which fields belong to a kind is checked by rule, with the codes of forms. */
export const CreateAudience = z.strictObject({
  advertiser: Id,
  kind: z.enum(audienceKinds),
  name: audience.name,
  description: audience.description.default(''),
  collected_by: audience.collected_by.optional(),
  basis: audience.basis.optional(),
  consent: audience.consent.optional(),
  window_days: audience.window_days.optional(),
  keep_days: audience.keep_days.optional(),
  site: audience.site.optional(),
  rule: audience.rule.optional(),
  seed: audience.seed.optional(),
  country: audience.country.optional(),
  ratio: audience.ratio.optional(),
  ga4_view: audience.ga4_view.optional(),
  ga4_audience: audience.ga4_audience.optional(),
})
export type CreateAudience = z.input<typeof CreateAudience>
export const UpdateAudience = z
  .strictObject({
    name: audience.name,
    description: audience.description,
    collected_by: audience.collected_by,
    basis: audience.basis,
    consent: audience.consent,
    keep_days: audience.keep_days,
  })
  .partial()
  .extend({ version: Version })
export type UpdateAudience = z.input<typeof UpdateAudience>

// Members.

/**
 * One batch of hashed rows. The values are checked by rule: what is no hash must not be repeated in an error
 * (400 `clear_text`).
 */
export const UploadMembers = z.strictObject({
  session: z.uuid(),
  seq: z.number().int().min(1).max(1_000_000),
  last: z.boolean(),
  action: z.enum(uploadActions),
  columns: Columns,
  rows: z.array(Row).max(BATCH_ROWS),
  /** How consent was obtained, confirmed for this upload; with the first batch. Left out: as before. */
  basis: audience.basis.optional(),
  /** With the first batch: the session of an open upload of one's own that broke off, which is dropped. */
  instead_of: z.uuid().optional(),
  /** With the last batch. */
  counts: HashCounts.optional(),
})
export type UploadMembers = z.input<typeof UploadMembers>
/** stored: without those on the suppression list. */
export const UploadMembersReply = z.object({
  seq: z.number().int(),
  rows: z.number().int(),
  stored: z.number().int(),
})
export type UploadMembersReply = z.infer<typeof UploadMembersReply>

export const AudienceUploadList = z.array(AudienceUpload)

/** Something that somebody did with an audience. */
export const AudienceEvent = z.object({
  id: Id,
  at: Instant,
  actor_name: z.string().nullable(),
  /** noun.verb, as in the audit trail. */
  action: z.string(),
  upload_action: z.enum(uploadActions).nullable(),
  /** How many people an upload had. */
  rows: z.number().int().nullable(),
  /** With which it was shared, or is no longer; without those of other advertisers by now. */
  ad_accounts: z.array(z.string()),
  /** From and to of each field. */
  changes: z.record(z.string(), z.unknown()).nullable(),
})
export type AudienceEvent = z.infer<typeof AudienceEvent>
export const AudienceHistory = z.array(AudienceEvent)

// What audiences are made of.

export const AudienceSources = z.object({
  sites: z.array(
    z.object({
      site: Id,
      name: z.string(),
      pixels: z.array(z.object({ platform: z.string(), id: z.string() })),
    }),
  ),
  ga4: z.array(
    z.object({
      ga4_view: Id,
      audience: z.string(),
      name: z.string(),
      window_days: z.number().int(),
      /** null: the platform does not say. */
      users: z.number().int().nullable(),
    }),
  ),
  /** Why some of it is missing, as a code of the platform's response; null: it is whole. */
  code: z.string().nullable(),
})
export type AudienceSources = z.infer<typeof AudienceSources>

// Shares.

export const CheckQuery = z.object({
  ad_account: IdText,
  audience: IdText.optional(),
  /** The platform itself, not what it said before: a person may have mended it since. */
  again: z.literal('true').optional(),
})
export const CheckReply = z.object({
  result: z.enum(accessResults),
  /** How it would be shared; null where it cannot be. */
  mode: z.enum(shareModes).nullable(),
  /** Where a person accepts the terms or grants the right. */
  fix_url: z.string().nullable(),
})
export type CheckReply = z.infer<typeof CheckReply>

export const ShareAudience = z.strictObject({
  audience: Id,
  ad_accounts: z.array(Id).min(1).max(ACCOUNTS_AT_ONCE),
  auto_sync: z.boolean().default(true),
})
export const ShareAudienceReply = z.object({
  shares: z.array(
    z.object({
      ad_account: Id,
      share: Id.optional(),
      /** `queued`, `other_advertiser`, or what the check says. */
      result: z.string(),
    }),
  ),
})
export type ShareAudienceReply = z.infer<typeof ShareAudienceReply>
export const UpdateShare = z.strictObject({ auto_sync: z.boolean() })
export const ShareReply = z.object({ share: Id, state: z.enum(shareStates) })

// Erasure.

const ERASED_AT_ONCE = 1000

export const EraseMembers = z.strictObject({
  advertiser: Id,
  columns: Columns,
  rows: z.array(Row).min(1).max(ERASED_AT_ONCE),
})
export const EraseReply = z.object({ erasure: Id })
export const Erasure = z.object({
  id: Id,
  advertiser: Id,
  /** How many people. */
  rows: z.number().int(),
  /** Rows that were taken out of our copies. */
  removed: z.number().int(),
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  created_at: Instant,
  finished_at: Instant.nullable(),
  accounts: z.array(
    z.object({
      ad_account: Id,
      ad_account_name: z.string(),
      channel: z.enum(channelIds),
      outcome: z.enum(erasureOutcomes),
      code: z.string().nullable(),
    }),
  ),
})
export type Erasure = z.infer<typeof Erasure>
export const ErasureQuery = listQuery(['id'], '-id').extend({ advertiser: IdText.optional() })
export const ErasureList = listOf(Erasure)
