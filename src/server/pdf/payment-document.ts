import type { Payment } from '#shared/api/payments.ts'
import { amountText, dayText, monthText, rateText } from './amounts.ts'
import type { PdfDocument, PdfRow } from './document.ts'
import { factsOf, headOf, words, type HeadInput } from './head.ts'
import { sumsOf } from './sums.ts'

/** A request for payment, of an order or of a month's statement. */
export interface PaymentInput extends HeadInput, Printed {
  /** Of the order; of a statement, none is needed. */
  title: string
  client_po: string
  /** Which part of the order; null: not a part. */
  part: { index: number; count: number; share: number } | null
}

type Printed = Pick<
  Payment,
  | 'quotation_label'
  | 'month'
  | 'due_on'
  | 'untaxed'
  | 'taxable'
  | 'tax_amount'
  | 'amount'
  | 'invoice_number'
  | 'invoice_on'
  | 'note'
>

export function paymentDocument(input: PaymentInput): PdfDocument {
  const { language } = input
  return {
    kind: 'payment',
    heading: own.heading[language],
    ...headOf(input, own.buyer),
    facts: factsOf([
      [words.issue_on[language], dayText(input.issue_on, language)],
      [words.due_on[language], dayText(input.due_on, language)],
      [own.quotation_number[language], input.quotation_label],
      [words.client_po[language], input.client_po],
      [own.invoice_number[language], input.invoice_number],
      [own.invoice_on[language], input.invoice_on && dayText(input.invoice_on, language)],
      [words.currency[language], input.currency],
    ]),
    title: { label: own.title[language], value: titleOf(input) },
    table: {
      caption: null,
      columns: [
        { label: words.item[language], width: 'rest', align: 'left' },
        { label: words.amount[language], width: 'fit', align: 'right' },
      ],
      rows: rowsOf(input),
      empty: '',
    },
    sums: sumsOf(input, {
      ...input,
      total: { label: own.amount[language](dayText(input.due_on, language)), amount: input.amount },
    }),
    further_tables: [],
    sections: [
      { label: own.bank[language], text: input.issuer.bank, size: 'normal' as const },
      { label: own.note[language], text: input.note, size: 'normal' as const },
    ].filter(({ text }) => text.trim() !== ''),
    signatures: [],
  }
}

const titleOf = ({ title, month, language }: PaymentInput) =>
  month === null ? title : words.advertising_of[language](monthText(month, language))

/** What is paid, one line for each way of taxation. */
function rowsOf(input: PaymentInput): PdfRow[] {
  const { part, taxable, untaxed, currency, language } = input
  const detail = part === null ? '' : own.part[language](part.index, part.count, rateText(part.share))
  return [
    ...(taxable === 0 && untaxed !== 0
      ? []
      : [[{ text: titleOf(input), detail }, { text: amountText(taxable, currency) }]]),
    ...(untaxed === 0
      ? []
      : [[{ text: words.untaxed[language], detail }, { text: amountText(untaxed, currency) }]]),
  ]
}

const own = {
  heading: { en: 'Payment request', 'zh-TW': '請款單' },
  buyer: { en: 'Bill to', 'zh-TW': '付款單位' },
  title: { en: 'Subject', 'zh-TW': '請款事由' },
  quotation_number: { en: 'Insertion order', 'zh-TW': '委刊單號' },
  invoice_number: { en: 'Invoice number', 'zh-TW': '發票號碼' },
  invoice_on: { en: 'Invoice date', 'zh-TW': '發票日期' },
  amount: {
    en: (day: string) => `Amount due by ${day}`,
    'zh-TW': (day: string) => `應付總額（${day} 前）`,
  },
  bank: { en: 'Bank account', 'zh-TW': '匯款帳號' },
  note: { en: 'Note', 'zh-TW': '備註' },
  part: {
    en: (index: number, count: number, share: string) => `Part ${index} of ${count}, ${share}`,
    'zh-TW': (index: number, count: number, share: string) => `第 ${index} 期，共 ${count} 期，${share}`,
  },
}
