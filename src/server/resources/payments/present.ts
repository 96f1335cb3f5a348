import type { Payment, PaymentState, Receipt } from '#shared/api/payments.ts'
import { ageOf, ages, type Age } from '#shared/billing/receivable.ts'
import type { Text } from '#shared/language.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import type { CsvColumn } from '#server/http/csv.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { PaymentRow } from './queries.ts'
import { listReceipts, type ReceiptFields } from './receipt-queries.ts'
import { actionsOf, stateOf } from './rules.ts'

interface Reading {
  user: SignedInUser
  /** In the organisation's zone. */
  today: string
}

export async function presentPayments(
  db: Db,
  rows: readonly PaymentRow[],
  { user, today }: Reading,
): Promise<Payment[]> {
  const receipts = await listReceipts(
    db,
    rows.map(({ id }) => id),
  )
  const ofPayment = Map.groupBy(receipts, ({ payment }) => payment)
  return rows.map(({ quotation_number, quotation_revision, ...row }) => ({
    ...row,
    quotation_label: orderLabel({ number: quotation_number, revision: quotation_revision ?? 1 }),
    status: stateOf(row, today),
    receipts: (ofPayment.get(row.id) ?? []).map(presentReceipt),
    may: actionsOf(user, row),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }))
}

const presentReceipt = ({
  payment: _payment,
  reversed_by: _by,
  created_at,
  reversed_at,
  ...receipt
}: ReceiptFields): Receipt => ({
  ...receipt,
  created_at: created_at.toISOString(),
  reversed_at: reversed_at?.toISOString() ?? null,
})

/** Open amounts by how long they have been due. */
export function byAge(
  sums: readonly { due_on: string; currency: string; count: number; open: string }[],
  today: string,
): { age: Age; currency: string; count: number; open: number }[] {
  const groups = Map.groupBy(sums, ({ due_on, currency }) => `${ageOf(due_on, today)} ${currency}`)
  const currencies = [...new Set(sums.map(({ currency }) => currency))].toSorted()
  return ages.flatMap(age =>
    currencies.flatMap(currency => {
      const group = groups.get(`${age} ${currency}`)
      if (!group) return []
      const count = group.reduce((sum, each) => sum + each.count, 0)
      const open = group.reduce((sum, each) => sum + BigInt(each.open), 0n)
      return [{ age, currency, count, open: Number(open) }]
    }),
  )
}

export const csvTitle: Text = { en: 'Payments', 'zh-TW': '請款' }

type CsvPayment = Omit<Payment, 'receipts' | 'may'>

/** For whoever keeps the books. */
export const csvColumns: readonly CsvColumn<CsvPayment>[] = [
  { header: { en: 'Number', 'zh-TW': '編號' }, cell: ({ number }) => number },
  { header: { en: 'Insertion order', 'zh-TW': '委刊單' }, cell: row => row.quotation_label },
  { header: { en: 'Month', 'zh-TW': '月份' }, cell: ({ month }) => month },
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  { header: { en: 'State', 'zh-TW': '狀態' }, cell: ({ status }, language) => stateNames[status][language] },
  { header: { en: 'Currency', 'zh-TW': '幣別' }, cell: ({ currency }) => currency },
  { header: { en: 'Untaxed', 'zh-TW': '不計稅金額' }, cell: row => row.untaxed / MILLIONTHS },
  { header: { en: 'Taxable', 'zh-TW': '應稅金額' }, cell: row => row.taxable / MILLIONTHS },
  { header: { en: 'Tax', 'zh-TW': '稅額' }, cell: row => row.tax_amount / MILLIONTHS },
  { header: { en: 'Amount', 'zh-TW': '總額' }, cell: row => row.amount / MILLIONTHS },
  { header: { en: 'Received', 'zh-TW': '已收' }, cell: row => row.received / MILLIONTHS },
  { header: { en: 'Issued on', 'zh-TW': '開立日期' }, cell: row => row.issue_on },
  { header: { en: 'Due on', 'zh-TW': '到期日' }, cell: row => row.due_on },
  { header: { en: 'Paid on', 'zh-TW': '收訖日期' }, cell: row => row.paid_on },
  { header: { en: 'Invoice number', 'zh-TW': '發票號碼' }, cell: row => row.invoice_number },
  { header: { en: 'Invoiced on', 'zh-TW': '發票日期' }, cell: row => row.invoice_on },
  { header: { en: 'Note', 'zh-TW': '備註' }, cell: ({ note }) => note },
]

const stateNames: Record<PaymentState, Text> = {
  due: { en: 'Due', 'zh-TW': '待收' },
  overdue: { en: 'Overdue', 'zh-TW': '逾期' },
  paid: { en: 'Paid', 'zh-TW': '已收' },
  void: { en: 'Void', 'zh-TW': '作廢' },
}

export const csvRow = (
  { quotation_number, quotation_revision, ...row }: PaymentRow,
  today: string,
): CsvPayment => ({
  ...row,
  quotation_label: orderLabel({ number: quotation_number, revision: quotation_revision ?? 1 }),
  status: stateOf(row, today),
  created_at: row.created_at.toISOString(),
  last_modified_at: row.last_modified_at.toISOString(),
})
