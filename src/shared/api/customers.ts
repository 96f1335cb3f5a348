import { z } from 'zod'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import {
  Amount,
  Currency,
  FeeBasis,
  Month,
  PaymentTerms,
  Rate,
  SpendChannel,
  TaxCountry,
  Version,
} from './money.ts'
import { name, nameOrNothing, textOrNothing } from './names.ts'

/** Somebody at a customer or agent; those with `is_billing` get documents about money. */
export const CustomerContact = z.strictObject({
  name: name(120),
  title: nameOrNothing(80).default(''),
  phone: nameOrNothing(40).default(''),
  email: z.union([z.literal(''), z.email().max(254)]).default(''),
  is_billing: z.boolean().default(false),
})
export type CustomerContact = z.infer<typeof CustomerContact>
export const contacts = z.array(CustomerContact).max(20)

const row = { id: Id, version: Version, created_at: Instant, last_modified_at: Instant }
const active = z.enum(['true', 'false']).transform(text => text === 'true')

// Industries.

export const Industry = z.object({
  ...row,
  name: z.string(),
  name_zh: z.string(),
  /** How many advertisers are in it. */
  advertisers: z.number().int(),
})
export type Industry = z.infer<typeof Industry>
export const IndustryQuery = listQuery(['id', 'name', 'name_zh', 'advertisers'], 'name')
export const IndustryList = listOf(Industry)
export const CreateIndustry = z.strictObject({ name: name(60), name_zh: name(60) })
export const UpdateIndustry = z.strictObject({
  version: Version,
  name: name(60).optional(),
  name_zh: name(60).optional(),
})
/** Its advertisers go `into` the other, and it is deleted. */
export const MergeIndustry = z.strictObject({ version: Version, into: Id })

// Agents.

const agent = {
  name: name(120),
  tax_country: TaxCountry,
  tax_id: nameOrNothing(30),
  address: nameOrNothing(300),
  commission_rate: Rate,
  /** Of the service fee, or of the media. */
  commission_base: z.enum(['fee', 'media']),
  contacts,
  payment_terms: PaymentTerms,
  note: textOrNothing(4000),
  is_active: z.boolean(),
}
export const Agent = z.object({ ...row, ...agent, advertisers: z.number().int() })
export type Agent = z.infer<typeof Agent>
export const AgentQuery = listQuery(
  ['id', 'name', 'commission_rate', 'advertisers', 'last_modified_at'],
  '-id',
).extend({
  is_active: active.optional(),
})
export const AgentList = listOf(Agent)
export const CreateAgent = z.strictObject({
  name: agent.name,
  tax_country: agent.tax_country.default('TW'),
  tax_id: agent.tax_id.default(''),
  address: agent.address.default(''),
  commission_rate: agent.commission_rate.default(0),
  commission_base: agent.commission_base.default('fee'),
  contacts: agent.contacts.default([]),
  payment_terms: agent.payment_terms.default({ kind: 'days', days: 30 }),
  note: agent.note.default(''),
})
export const UpdateAgent = z.strictObject(agent).partial().extend({ version: Version })

// Fee agreements.

/** Up to this monthly media, the last without a limit. */
export const FeeTier = z.strictObject({ up_to: Amount.min(1).nullable(), rate: Rate })
export type FeeTier = z.infer<typeof FeeTier>

const agreement = {
  /** null: all channels. */
  channel: SpendChannel.nullable(),
  currency: Currency,
  from_month: Month,
  /** null: open. */
  to_month: Month.nullable(),
  amount: Amount,
  tiers: z.array(FeeTier).min(1).max(6),
  /** marginal: each slice at its own rate; whole: all of it at the rate of its tier. */
  tier_mode: z.enum(['marginal', 'whole']),
  basis: FeeBasis,
  minimum: Amount,
  charges_idle_months: z.boolean(),
}
export const FeeAgreement = z.object({
  ...row,
  ...agreement,
  /** A locked month has used it: it can only be ended. */
  is_used: z.boolean(),
})
export type FeeAgreement = z.infer<typeof FeeAgreement>
/** From the latest month back. */
export const FeeAgreements = z.object({ results: z.array(FeeAgreement) })
export const CreateFeeAgreement = z.strictObject({
  channel: agreement.channel.default(null),
  currency: agreement.currency,
  from_month: agreement.from_month,
  to_month: agreement.to_month.default(null),
  amount: agreement.amount.default(0),
  tiers: agreement.tiers,
  tier_mode: agreement.tier_mode.default('marginal'),
  basis: agreement.basis.default('on_top'),
  minimum: agreement.minimum.default(0),
  charges_idle_months: agreement.charges_idle_months.default(false),
})
export const UpdateFeeAgreement = z.strictObject(agreement).partial().extend({ version: Version })
export const AgreementPath = z.object({ id: IdText, aid: IdText })

// The agency on its documents.

const issuer = {
  name: nameOrNothing(120),
  tax_id: nameOrNothing(30),
  /** The T number of a qualified invoice in Japan. */
  jp_tax_id: nameOrNothing(30),
  address: nameOrNothing(300),
  phone: nameOrNothing(40),
  bank: textOrNothing(1000),
  terms: z.strictObject({ en: textOrNothing(4000), 'zh-TW': textOrNothing(4000) }),
  base_currency: Currency,
  /** How long a quotation is valid. */
  valid_days: z.number().int().min(1).max(365),
}
export const Issuer = z.object({
  ...issuer,
  /** A data URL of a PNG or JPEG; null: none. */
  logo: z.string().nullable(),
  version: Version,
  last_modified_at: Instant,
})
export type Issuer = z.infer<typeof Issuer>
/** `logo`: PNG or JPEG as a data URL, at most 512 KiB. */
export const UpdateIssuer = z
  .strictObject(issuer)
  .partial()
  .extend({ logo: z.string().max(700_000).nullable().optional(), version: Version })

// Imports.

export const ImportQuery = z.object({
  /** Only says what would happen. */
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .transform(text => text === 'true'),
})
/** A CSV file of at most 1 MiB and 5,000 rows. */
export const ImportBody = z.strictObject({ file: z.file() })
/** One problem, and nothing is written. */
export const ImportReply = z.object({
  create: z.number().int(),
  change: z.number().int(),
  same: z.number().int(),
  problems: z.array(z.object({ row: z.number().int(), field: z.string(), code: z.string() })),
})
export type ImportReply = z.infer<typeof ImportReply>
