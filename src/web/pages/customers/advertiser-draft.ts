import type { Advertiser } from '#shared/api/advertisers.ts'
import { filledIn } from '#web/ui/contact-list.tsx'
import type { TypedTerms } from '#web/ui/terms-input.tsx'
import { plainTaxId, taxIdFault } from './tax-id-field.tsx'

/** The facts about an advertiser while they are being edited: its terms may be none yet. */
export type AdvertiserDraft = Pick<
  Advertiser,
  | 'name'
  | 'legal_name'
  | 'tax_country'
  | 'tax_id'
  | 'industry'
  | 'agent'
  | 'website'
  | 'address'
  | 'contacts'
  | 'document_language'
  | 'billing_currency'
  | 'tax'
  | 'media_billing'
  | 'note'
> & { payment_terms: TypedTerms }

export const EMPTY_ADVERTISER: AdvertiserDraft = {
  name: '',
  legal_name: '',
  tax_country: 'TW',
  tax_id: '',
  industry: null,
  agent: null,
  website: '',
  address: '',
  contacts: [],
  document_language: 'zh-TW',
  billing_currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  payment_terms: { kind: 'month_end', days: 30 },
  note: '',
}

export const advertiserDraft = (row: Advertiser): AdvertiserDraft => ({
  name: row.name,
  legal_name: row.legal_name,
  tax_country: row.tax_country,
  tax_id: row.tax_id,
  industry: row.industry,
  agent: row.agent,
  website: row.website,
  address: row.address,
  contacts: row.contacts,
  document_language: row.document_language,
  billing_currency: row.billing_currency,
  tax: row.tax,
  media_billing: row.media_billing,
  note: row.note,
  payment_terms: row.payment_terms,
})

/** What is sent; null: something in the draft cannot be. */
export function advertiserBody(draft: AdvertiserDraft) {
  const { payment_terms } = draft
  if (draft.name.trim() === '' || taxIdFault(draft) !== null || payment_terms === 'invalid') return null
  return {
    ...draft,
    name: draft.name.trim(),
    tax_id: plainTaxId(draft.tax_id),
    website: withScheme(draft.website.trim()),
    contacts: filledIn(draft.contacts),
    payment_terms,
  }
}

/** "www.example.com" is what people write. */
const withScheme = (address: string) =>
  address === '' || /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`
