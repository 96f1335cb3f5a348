import type { Parties } from '#shared/api/quotations.ts'
import type { PaymentTerms } from '#shared/billing/payment-terms.ts'
import type { Tax } from '#shared/billing/tax.ts'
import type { Language, Text } from '#shared/language.ts'
import type { PdfDocument, PdfFact } from './document.ts'

/** What all three kinds of documents begin with. Amounts are millionths of `currency`. */
export interface HeadInput {
  /** A draft says so across its pages. */
  is_draft: boolean
  language: Language
  /** As printed: Q2026-0007-2. */
  number: string | null
  /** yyyy-mm-dd; of a draft the day on which it is printed. */
  issue_on: string
  /** As it was when the document was sent, with its logo: PNG or JPEG. */
  issuer: Parties['issuer'] & { logo: Uint8Array | null }
  buyer: Parties['buyer']
  currency: string
  tax: Tax
}

export function headOf(
  input: HeadInput,
  buyerLabel: Text,
): Pick<PdfDocument, 'language' | 'number' | 'watermark' | 'issue_on' | 'issuer' | 'buyer'> {
  const { language, number, issue_on, issuer, buyer } = input
  return {
    language,
    number,
    watermark: input.is_draft ? words.draft[language] : null,
    issue_on,
    issuer: { name: issuer.name, lines: issuerLines(input), logo: issuer.logo },
    buyer: { name: buyer.name, lines: partyLines(buyer, language), label: buyerLabel[language] },
  }
}

function issuerLines({ issuer, tax, language }: HeadInput): string[] {
  const { tax_id, jp_tax_id, phone, address } = issuer
  const labelled = (label: Text, value: string) => (value === '' ? [] : [`${label[language]} ${value}`])
  // Without it a document with Japan's tax is no qualified invoice.
  const registration = tax === 'jp_ct' && jp_tax_id !== tax_id ? jp_tax_id : ''
  return [
    [...taxIdLines(tax_id, language), ...labelled(words.phone, phone)].join('    '),
    ...labelled(words.registration_number, registration),
    address,
  ].filter(Boolean)
}

const partyLines = ({ tax_id, address }: Parties['buyer'], language: Language) =>
  [...taxIdLines(tax_id, language), address].filter(Boolean)

function taxIdLines(id: string, language: Language): string[] {
  const label = JP_TAX_ID.test(id) ? words.registration_number : words.tax_id
  return id === '' ? [] : [`${label[language]} ${id}`]
}

/** The number of an issuer of qualified invoices. */
const JP_TAX_ID = /^T\d{13}$/

export function termsText({ kind, days }: PaymentTerms, language: Language): string {
  if (kind === 'month_end') {
    if (days === 0) return { en: 'End of the month', 'zh-TW': '月結' }[language]
    return { en: `${daysEn(days)} after the end of the month`, 'zh-TW': `月結 ${days} 天` }[language]
  }
  if (days === 0) return { en: 'On issue', 'zh-TW': '開立當日' }[language]
  return { en: `${daysEn(days)} after issue`, 'zh-TW': `開立後 ${days} 天` }[language]
}

const daysEn = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Those that have a value. */
export const factsOf = (facts: readonly [string, string | null][]): PdfFact[] =>
  facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))

/** Of several kinds of documents. */
export const words = {
  draft: { en: 'DRAFT', 'zh-TW': '草稿' },
  tax_id: { en: 'Tax ID', 'zh-TW': '統一編號' },
  registration_number: { en: 'Registration number', 'zh-TW': '登記編號' },
  phone: { en: 'Phone', 'zh-TW': '電話' },
  issue_on: { en: 'Date', 'zh-TW': '日期' },
  due_on: { en: 'Due date', 'zh-TW': '付款期限' },
  payment_terms: { en: 'Payment terms', 'zh-TW': '付款條件' },
  client_po: { en: 'Your order number', 'zh-TW': '客戶單號' },
  currency: { en: 'Currency', 'zh-TW': '幣別' },
  channel: { en: 'Channel', 'zh-TW': '管道' },
  advertiser: { en: 'Advertiser', 'zh-TW': '廣告主' },
  item: { en: 'Item', 'zh-TW': '項目' },
  amount: { en: 'Amount', 'zh-TW': '金額' },
  fee: { en: 'Service fee', 'zh-TW': '服務費' },
  media: { en: 'Media', 'zh-TW': '媒體費用' },
  untaxed: { en: 'Media at cost, untaxed', 'zh-TW': '代墊媒體費用（不計稅）' },
  advertising_of: {
    en: (month: string) => `Advertising in ${month}`,
    'zh-TW': (month: string) => `${month}廣告費用`,
  },
  total: { en: 'Total', 'zh-TW': '總計' },
} satisfies Record<string, Record<Language, unknown>>
