import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { languages } from '#shared/language.ts'
import { contacts } from './customers.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import {
  Currency,
  MediaBilling,
  Month,
  PaymentTerms,
  SpendChannel,
  TaxCountry,
  TaxKind,
  TotalAmount,
  Version,
} from './money.ts'
import { name, nameOrNothing, textOrNothing } from './names.ts'

const members = z.array(Id).max(500)

const facts = {
  name: name(120),
  legal_name: nameOrNothing(200),
  tax_country: TaxCountry,
  /** TW and JP with their checksums. */
  tax_id: nameOrNothing(30),
  industry: Id.nullable(),
  agent: Id.nullable(),
  website: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(300)]),
  address: nameOrNothing(300),
  contacts,
  /** Of quotations, statements and requests for payment. */
  document_language: z.enum(languages),
  /** null: each account's own. */
  billing_currency: Currency.nullable(),
  tax: TaxKind,
  media_billing: MediaBilling,
  payment_terms: PaymentTerms,
  note: textOrNothing(4000),
}

/**
 * A customer of the agency; `members` are the people who serve it or belong to it, as far as the caller may
 * see them.
 */
export const Advertiser = z.object({
  id: Id,
  version: Version,
  ...facts,
  is_active: z.boolean(),
  members: z.array(Id),
  /** Basis points, where the general agreement of this month is flat; else null. */
  service_fee_rate: z.number().int().nullable(),
  /** How many accounts of each channel are related. */
  accounts: z.partialRecord(z.enum(channelIds), z.number().int()),
  /** Orders that are in force and have not ended. */
  open_orders: z.number().int(),
  /** What is overdue, by currency. */
  overdue: z.array(z.object({ currency: z.string(), amount: TotalAmount, payments: z.number().int() })),
  /** Other customers with the same tax id, as far as the caller may see them: brands of one company. */
  shares_tax_id_with: z.array(z.object({ id: Id, name: z.string() })),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Advertiser = z.infer<typeof Advertiser>

const truth = z.enum(['true', 'false']).transform(text => text === 'true')
export const AdvertiserQuery = listQuery(['id', 'name', 'last_modified_at'], '-id').extend({
  industry: IdText.optional(),
  agent: IdText.optional(),
  member: IdText.optional(),
  is_active: truth.optional(),
  /** Without a fee agreement for this month. */
  no_agreement: truth.optional(),
})
export const AdvertiserList = listOf(Advertiser)

/** A creator who may not see all advertisers becomes a member. */
export const CreateAdvertiser = z.strictObject({
  name: facts.name,
  legal_name: facts.legal_name.default(''),
  tax_country: facts.tax_country.default('TW'),
  tax_id: facts.tax_id.default(''),
  industry: facts.industry.default(null),
  agent: facts.agent.default(null),
  website: facts.website.default(''),
  address: facts.address.default(''),
  contacts: facts.contacts.default([]),
  document_language: facts.document_language.default('zh-TW'),
  billing_currency: facts.billing_currency.default(null),
  tax: facts.tax.default('tw_vat'),
  media_billing: facts.media_billing.default('agency'),
  payment_terms: facts.payment_terms.default({ kind: 'days', days: 30 }),
  note: facts.note.default(''),
  members: members.default([]),
})
export const UpdateAdvertiser = z
  .strictObject({ ...facts, is_active: z.boolean(), members })
  .partial()
  .extend({ version: Version })

/** What an advertiser's ad accounts have cost in this month and the twelve before it. */
export const AdvertiserSpend = z.object({
  /** The oldest first. */
  months: z.array(Month),
  series: z.array(
    z.object({
      channel: SpendChannel,
      currency: z.string(),
      /** Of each month; null: not known. */
      cost: z.array(TotalAmount.nullable()),
      /** Whether the costs of all accounts and days are known. */
      known: z.array(z.enum(['full', 'partial', 'none'])),
    }),
  ),
  as_of: Instant.nullable(),
})
export type AdvertiserSpend = z.infer<typeof AdvertiserSpend>

/** Which accounts are an advertiser's; views and properties of analytics have ids of the same list. */
export const RelatedQuery = z.object({ advertiser: IdText })
const accounts = z.array(Id).min(1).max(500)
export const RelateAdAccounts = z.strictObject({ advertiser: Id, ad_accounts: accounts })
export const RelateGaViews = z.strictObject({ advertiser: Id, ga_views: accounts })
export const RelatedAdAccounts = z.object({ advertiser: Id, ad_accounts: z.array(Id) })
export const RelatedGaViews = z.object({ advertiser: Id, ga_views: z.array(Id) })
