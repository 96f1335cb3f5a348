import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'
import { paymentParts } from '#shared/billing/payment-schedule.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import type { Language, Text } from '#shared/language.ts'
import { amountText, dayText, quantityText, rateText } from './amounts.ts'
import type { PdfCell, PdfColumn, PdfDocument, PdfRow, PdfTable } from './document.ts'
import { factsOf, headOf, termsText, words, type HeadInput } from './head.ts'
import { sumsOf } from './sums.ts'

/** A quotation with its frozen texts; commission and internal note are not in it, since they never print. */
export interface QuotationInput extends HeadInput, Printed {
  lines: readonly Line[]
  /** Whose it is, where an agent is billed. */
  advertiser: string
}

type Printed = Pick<
  Quotation,
  | 'title'
  | 'valid_until'
  | 'payment_terms'
  | 'client_po'
  | 'terms'
  | 'media_billing'
  | 'schedule'
  | 'subtotal'
  | 'service_fee'
  | 'minimum_fee'
  | 'discount'
  | 'taxable'
  | 'untaxed'
  | 'tax_amount'
  | 'total'
>

type Line = Omit<QuotationLine, 'id' | 'accounts' | 'typed_spent' | 'media'>

export function quotationDocument(input: QuotationInput): PdfDocument {
  const { language } = input
  return {
    kind: 'quotation',
    heading: own.heading[language],
    ...headOf(input, own.buyer),
    facts: factsOf([
      [words.advertiser[language], input.advertiser === input.buyer.name ? '' : input.advertiser],
      [words.issue_on[language], dayText(input.issue_on, language)],
      [own.valid_until[language], input.valid_until && dayText(input.valid_until, language)],
      [words.payment_terms[language], termsText(input.payment_terms, language)],
      [words.client_po[language], input.client_po],
      [words.currency[language], input.currency],
    ]),
    title: { label: own.title[language], value: input.title },
    table: linesTable(input),
    sums: sumsOf(input, {
      ...input,
      media: { billing: input.media_billing, amount: input.subtotal },
      fee: input.service_fee,
      total: { label: words.total[language], amount: input.total },
    }),
    further_tables: [],
    sections: [
      ...scheduleSection(input),
      { label: own.terms[language], text: input.terms, size: 'small' as const },
    ].filter(({ text }) => text.trim() !== ''),
    signatures: [
      { label: own.buyer_signature[language], name: input.buyer.name, date: own.signed_on[language] },
      { label: own.issuer_signature[language], name: input.issuer.name, date: own.signed_on[language] },
    ],
  }
}

/** Columns that would be empty in every row are left out. */
function linesTable(input: QuotationInput): PdfTable {
  const { language, lines, currency, minimum_fee } = input
  const hasPrices = lines.some(({ pricing }) => pricing !== 'budget')
  const hasFees = input.service_fee !== 0 || lines.some(({ fee_rate }) => fee_rate !== 0)
  const columns: LineColumn[] = [
    { label: '#', width: 'fit', align: 'left', cell: (_, index) => ({ text: String(index + 1) }) },
    {
      label: words.item[language],
      width: 'rest',
      align: 'left',
      cell: line => ({ text: itemText(line, language), detail: line.description }),
      gap: own.fee_minimum[language],
    },
    amountColumn(own.period[language], line => ({ text: '', detail: periodText(line, language) }), 'left'),
    ...(hasPrices ? [amountColumn(own.pricing[language], line => pricingCell(line, input))] : []),
    amountColumn(own.budget[language], ({ budget }) => ({ text: amountText(budget, currency) })),
    ...(hasFees
      ? [
          {
            ...amountColumn(words.fee[language], line => feeCell(line, input)),
            gap: amountText(minimum_fee, currency),
          },
        ]
      : []),
  ]
  const rows = lines.map((line, index): PdfRow => columns.map(({ cell }) => cell(line, index)))
  const gapRow = columns.map(({ gap = '' }) => ({ text: gap }))
  return {
    caption: null,
    // Functions do not go to another thread.
    columns: columns.map(({ label, width, align }) => ({ label, width, align })),
    rows: minimum_fee === 0 ? rows : [...rows, gapRow],
    empty: own.no_lines[language],
  }
}

interface LineColumn extends PdfColumn {
  cell(line: Line, index: number): PdfCell
  /** In the row of what is missing to the least fee. */
  gap?: string
}

const amountColumn = (
  label: string,
  cell: (line: Line) => PdfCell,
  align: PdfColumn['align'] = 'right',
): LineColumn => ({ label, width: 'fit', align, cell })

/** Its channel or publisher, and its title. */
const itemText = ({ channel, publisher, title }: Line, language: Language) =>
  [channel === null ? publisher : channelNames[channel][language], title].filter(Boolean).join(' – ')

const periodText = ({ start, end }: Line, language: Language) =>
  start === end ? dayText(start, language) : `${dayText(start, language)} –\n${dayText(end, language)}`

function pricingCell({ pricing, quantity, unit_price }: Line, { language, currency }: QuotationInput) {
  const text = pricingNames[pricing][language]
  if (pricing === 'budget') return { text }
  return { text, detail: `${quantityText(quantity)} × ${amountText(unit_price, currency)}` }
}

function feeCell({ fee, fee_rate, fee_basis }: Line, { language, currency }: QuotationInput) {
  const rate = rateText(fee_rate)
  return {
    text: amountText(fee, currency),
    detail: fee_basis === 'within' ? `${own.within[language]} ${rate}` : rate,
  }
}

/**
 * Which part is to be paid when, with the amounts of the payments that will ask for it. The payments of a
 * revision cover what those of earlier ones have left, so that it says shares alone.
 */
function scheduleSection(input: QuotationInput) {
  const { schedule, language, number } = input
  if (schedule.length === 0) return []
  const amounts = number !== null && REVISION.test(number) ? [] : partAmounts(input)
  const lines = schedule.map((part, index) => {
    const due = 'due_on' in part ? dayText(part.due_on, language) : own.after_acceptance[language](part.after)
    const texts = [rateText(part.share), amounts[index], due].filter(text => text !== undefined)
    return `${index + 1}. ${texts.join(language === 'en' ? ', ' : '，')}`
  })
  return [{ label: own.schedule[language], text: lines.join('\n'), size: 'small' as const }]
}

function partAmounts({ untaxed, taxable, tax, issue_on, currency, schedule }: QuotationInput): string[] {
  const parts = paymentParts({
    untaxed: BigInt(untaxed),
    taxable: BigInt(taxable),
    tax,
    day: issue_on,
    currency,
    shares: schedule.map(({ share }) => share),
  })
  return parts.map(({ amount }) => `${currency} ${amountText(Number(amount), currency)}`)
}

/** Q2026-0007-2. */
const REVISION = /-\d+-\d+$/

const pricingNames: Record<Line['pricing'], Text> = {
  budget: { en: 'Budget', 'zh-TW': '預算' },
  cpm: { en: 'CPM', 'zh-TW': 'CPM' },
  cpc: { en: 'CPC', 'zh-TW': 'CPC' },
  cpv: { en: 'CPV', 'zh-TW': 'CPV' },
  day: { en: 'Days', 'zh-TW': '天數' },
}

const own = {
  heading: { en: 'Insertion order', 'zh-TW': '委刊單' },
  buyer: { en: 'Client', 'zh-TW': '委刊單位' },
  title: { en: 'Campaign', 'zh-TW': '案名' },
  valid_until: { en: 'Valid until', 'zh-TW': '有效期限' },
  period: { en: 'Period', 'zh-TW': '走期' },
  pricing: { en: 'Pricing', 'zh-TW': '計價方式' },
  budget: { en: 'Budget', 'zh-TW': '預算' },
  within: { en: 'included', 'zh-TW': '內含' },
  fee_minimum: { en: 'Difference to the minimum service fee', 'zh-TW': '最低服務費差額' },
  no_lines: { en: 'No lines', 'zh-TW': '無項目' },
  terms: { en: 'Terms', 'zh-TW': '條款' },
  schedule: { en: 'Payment schedule', 'zh-TW': '付款時程' },
  after_acceptance: {
    en: (days: number) =>
      days === 0 ? 'on acceptance' : `${days === 1 ? '1 day' : `${days} days`} after acceptance`,
    'zh-TW': (days: number) => (days === 0 ? '簽回當日' : `簽回後 ${days} 天`),
  },
  buyer_signature: { en: 'Signature of the client', 'zh-TW': '委刊單位簽章' },
  issuer_signature: { en: 'Signature of the agency', 'zh-TW': '代理商簽章' },
  signed_on: { en: 'Date', 'zh-TW': '日期' },
} satisfies Record<string, Record<Language, unknown>>
