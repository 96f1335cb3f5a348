import type { MediaBilling } from '#shared/billing/media-billing.ts'
import { taxRate, type Tax } from '#shared/billing/tax.ts'
import type { Text } from '#shared/language.ts'
import { amountText, rateText } from './amounts.ts'
import type { PdfSum } from './document.ts'
import { words, type HeadInput } from './head.ts'

interface Charged {
  /** What the rows add up to, where they are media. */
  media?: { billing: MediaBilling; amount: number | null }
  fee?: number | null
  discount?: number
  taxable: number | null
  untaxed: number | null
  tax_amount: number | null
  total: { label: string; amount: number | null }
}

/** From what the rows add up to, over the tax by its rate, to what is to be paid. */
export function sumsOf(head: HeadInput, charged: Charged): PdfSum[] {
  const { language, currency, tax } = head
  const { fee, discount = 0, taxable, untaxed, tax_amount, total } = charged
  const sum = (label: Text, amount: number | null): PdfSum => ({
    label: label[language],
    amount: amountText(amount, currency),
    weight: 'plain',
  })
  return [
    ...mediaSums(charged, sum),
    ...(fee === undefined || fee === 0 ? [] : [sum(words.fee, fee)]),
    ...(discount === 0 ? [] : [sum(own.discount, -discount)]),
    sum(tax === 'zero_rated' || tax === 'exempt' ? own.net : own.taxable, taxable),
    { ...sum(own.net, tax_amount), label: taxLabel(head) },
    ...(untaxed === 0 ? [] : [sum(words.untaxed, untaxed)]),
    { label: total.label, amount: `${currency} ${amountText(total.amount, currency)}`, weight: 'total' },
  ]
}

/** Media that are charged untaxed have their place after the tax. */
function mediaSums({ media }: Charged, sum: (label: Text, amount: number | null) => PdfSum): PdfSum[] {
  if (media === undefined || media.billing === 'advance') return []
  if (media.billing === 'agency') return [sum(words.media, media.amount)]
  return [{ ...sum(own.clients_media, media.amount), weight: 'aside' }]
}

/** 營業稅 5 %, the rate of the document's day. */
function taxLabel({ tax, issue_on, language }: HeadInput): string {
  const name = taxNames[tax][language]
  const rate = taxRate(tax, issue_on)
  return rate === 0 ? name : `${name} ${rateText(rate)}`
}

const taxNames: Record<Tax, Text> = {
  tw_vat: { en: 'VAT', 'zh-TW': '營業稅' },
  jp_ct: { en: 'Consumption tax (Japan)', 'zh-TW': '消費稅（日本）' },
  zero_rated: { en: 'VAT (zero-rated)', 'zh-TW': '營業稅（零稅率）' },
  exempt: { en: 'VAT (exempt)', 'zh-TW': '營業稅（免稅）' },
}

const own = {
  clients_media: { en: 'Media, paid by you directly', 'zh-TW': '媒體費用（客戶自付，不計入）' },
  discount: { en: 'Discount', 'zh-TW': '折扣' },
  taxable: { en: 'Taxable amount', 'zh-TW': '應稅金額' },
  net: { en: 'Net amount', 'zh-TW': '未稅金額' },
} satisfies Record<string, Text>
