import type { adjustmentReasons, Statement } from '#shared/api/ec-spend.ts'
import type { PaymentTerms } from '#shared/billing/payment-terms.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import type { Language, Text } from '#shared/language.ts'
import { amountText, dayText, monthText } from './amounts.ts'
import type { PdfDocument, PdfRow, PdfTable } from './document.ts'
import { factsOf, headOf, termsText, words, type HeadInput } from './head.ts'
import { sumsOf } from './sums.ts'

/** What an advertiser's advertising of a month costs; as a draft, as far as it is known. */
export interface StatementInput extends HeadInput, Printed {
  payment_terms: PaymentTerms | null
}

type Printed = Pick<
  Statement,
  | 'month'
  | 'media_billing'
  | 'lines'
  | 'adjustments'
  | 'media'
  | 'fee'
  | 'untaxed'
  | 'taxable'
  | 'tax_amount'
  | 'total'
>
type Line = Statement['lines'][number]

export function statementDocument(input: StatementInput): PdfDocument {
  const { language, month } = input
  return {
    kind: 'statement',
    heading: own.heading[language],
    ...headOf(input, own.buyer),
    facts: factsOf([
      [own.month[language], monthText(month, language)],
      [words.issue_on[language], dayText(input.issue_on, language)],
      [words.payment_terms[language], input.payment_terms && termsText(input.payment_terms, language)],
      [words.currency[language], input.currency],
    ]),
    title: { label: own.title[language], value: words.advertising_of[language](monthText(month, language)) },
    table: linesTable(input),
    sums: sumsOf(input, {
      ...input,
      media: { billing: input.media_billing, amount: input.media },
      total: { label: words.total[language], amount: input.total },
    }),
    further_tables: input.adjustments.length === 0 ? [] : [adjustmentsTable(input)],
    sections: [],
    signatures: [],
  }
}

/** The rate has a column where an account has another currency. */
function linesTable(input: StatementInput): PdfTable {
  const { language, lines, currency } = input
  const isConverted = lines.some(line => line.currency !== currency)
  const amount = (label: Text) => ({ label: label[language], width: 'fit', align: 'right' }) as const
  const only = <Value>(isThere: boolean, ...values: Value[]) => (isThere ? values : [])
  return {
    caption: null,
    columns: [
      { label: words.channel[language], width: 'rest', align: 'left' },
      ...only(isConverted, amount(own.spend), amount(own.rate)),
      amount(words.media),
      amount(words.fee),
      amount(own.tax),
      amount(words.total),
    ],
    rows: lines.map((line): PdfRow => [
      { text: channelNames[line.channel][language] },
      ...only(
        isConverted,
        { text: `${line.currency} ${amountText(spentIn(line), line.currency)}` },
        { text: line.rate ?? '' },
      ),
      ...[line.billed, line.fee, line.tax_amount, line.total].map(each => ({
        text: amountText(each, currency),
      })),
    ]),
    empty: own.no_lines[language],
  }
}

function adjustmentsTable({ language, adjustments }: StatementInput): PdfTable {
  return {
    caption: own.adjustments[language],
    columns: [
      { label: words.channel[language], width: 'fit', align: 'left' },
      { label: own.concerns_month[language], width: 'fit', align: 'left' },
      { label: own.reason[language], width: 'rest', align: 'left' },
      { label: words.amount[language], width: 'fit', align: 'right' },
    ],
    rows: adjustments.map(({ channel, concerns_month, reason, note, currency, amount }) => [
      { text: channelNames[channel][language] },
      { text: monthText(concerns_month, language) },
      { text: reasonText(reason, language), detail: note },
      { text: `${currency} ${amountText(amount, currency)}` },
    ]),
    empty: '',
  }
}

/** What was spent by the platforms' invoices, else by their reports, with what was adjusted. */
const spentIn = ({ invoiced, spend, adjusted }: Line) =>
  invoiced === null && spend === null ? null : (invoiced ?? spend ?? 0) + adjusted

const reasonText = (reason: string, language: Language) =>
  new Map<string, Text>(Object.entries(reasons)).get(reason)?.[language] ?? reason

const reasons: Record<(typeof adjustmentReasons)[number], Text> = {
  credit: { en: 'Credit', 'zh-TW': '退款折抵' },
  invalid_traffic: { en: 'Invalid traffic', 'zh-TW': '無效流量' },
  make_good: { en: 'Make-good', 'zh-TW': '補償' },
  coupon: { en: 'Coupon', 'zh-TW': '優惠券' },
  drift: { en: 'Later correction by the platform', 'zh-TW': '平台事後更正' },
  other: { en: 'Other', 'zh-TW': '其他' },
}

const own = {
  heading: { en: 'Monthly statement', 'zh-TW': '月結對帳單' },
  buyer: { en: 'Client', 'zh-TW': '客戶' },
  title: { en: 'Subject', 'zh-TW': '主旨' },
  month: { en: 'Month', 'zh-TW': '月份' },
  spend: { en: 'Spend', 'zh-TW': '花費' },
  rate: { en: 'Rate', 'zh-TW': '匯率' },
  tax: { en: 'Tax', 'zh-TW': '稅額' },
  no_lines: { en: 'No spending in this month', 'zh-TW': '本月無花費' },
  adjustments: { en: 'Adjustments, included above', 'zh-TW': '調整明細（已含於上表）' },
  concerns_month: { en: 'Of month', 'zh-TW': '所屬月份' },
  reason: { en: 'Reason', 'zh-TW': '原因' },
} satisfies Record<string, Record<Language, unknown>>
