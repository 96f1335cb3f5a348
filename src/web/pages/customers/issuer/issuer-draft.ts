import type { Issuer } from '#shared/api/customers.ts'
import { plainTaxId, taxIdFault } from '#web/pages/customers/tax-id-field.tsx'

/** The issuer while it is being edited: its days may be no number yet. */
export type IssuerDraft = Omit<Issuer, 'terms' | 'valid_days' | 'version' | 'last_modified_at'> & {
  terms_en: string
  terms_zh: string
  valid_days: string
}

export const issuerDraft = (issuer: Issuer): IssuerDraft => ({
  name: issuer.name,
  tax_id: issuer.tax_id,
  jp_tax_id: issuer.jp_tax_id,
  address: issuer.address,
  phone: issuer.phone,
  logo: issuer.logo,
  bank: issuer.bank,
  terms_en: issuer.terms.en,
  terms_zh: issuer.terms['zh-TW'],
  base_currency: issuer.base_currency,
  valid_days: String(issuer.valid_days),
})

/** What is sent of the fields that have changed; null: something in the draft cannot be. */
export function issuerBody(draft: IssuerDraft, changes: Partial<IssuerDraft>) {
  const days = validDays(draft.valid_days)
  if (taxIdFault({ tax_country: 'TW', tax_id: draft.tax_id }) !== null) return null
  if (taxIdFault({ tax_country: 'JP', tax_id: draft.jp_tax_id }) !== null) return null
  if (days === null) return null
  const { terms_en, terms_zh, valid_days, tax_id, jp_tax_id, ...others } = changes
  return {
    ...others,
    ...(tax_id !== undefined && { tax_id: plainTaxId(tax_id) }),
    ...(jp_tax_id !== undefined && { jp_tax_id: plainTaxId(jp_tax_id) }),
    ...(valid_days !== undefined && { valid_days: days }),
    // Both languages are one value on the wire.
    ...((terms_en ?? terms_zh) !== undefined && {
      terms: { en: draft.terms_en, 'zh-TW': draft.terms_zh },
    }),
  }
}

export const MOST_VALID_DAYS = 365

/** null: no number of days that a quotation can be valid for. */
export function validDays(text: string): number | null {
  const plain = text.normalize('NFKC').trim()
  const days = /^\d{1,3}$/.test(plain) ? Number(plain) : 0
  return days >= 1 && days <= MOST_VALID_DAYS ? days : null
}
