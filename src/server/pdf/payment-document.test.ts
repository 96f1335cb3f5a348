import { expect, it } from 'vitest'
import { paymentDocument } from './payment-document.ts'
import { payment } from './testing/samples.ts'

const M = 1_000_000

it('prints the second part of B4, when and where to pay it', () => {
  const document = paymentDocument(payment())
  expect(document.sums.map(({ amount }) => amount)).toEqual(['112,999', '5,649', 'TWD 118,648'])
  expect(document.table.rows).toEqual([
    [{ text: '2026 雙 11 全通路檔期', detail: '第 2 期，共 3 期，40 %' }, { text: '112,999' }],
  ])
  expect(document.facts).toContainEqual({ label: '付款期限', value: '2026/12/30' })
  expect(document.facts).toContainEqual({ label: '發票號碼', value: 'AB12345678' })
  expect(document.sections[0]).toEqual({
    label: '匯款帳號',
    size: 'normal',
    text: '玉山銀行（808）信義分行\n戶名：晨光整合行銷股份有限公司\n帳號：0123-940-567890',
  })
})

it('has the T number beside the tax of Japan, and only there', () => {
  const issuer = { ...payment().issuer, jp_tax_id: 'T7000012050002', phone: '' }
  const document = paymentDocument(payment({ issuer, currency: 'JPY', tax: 'jp_ct', language: 'en' }))
  expect(document.issuer.lines).toEqual([
    'Tax ID 04595252',
    'Registration number T7000012050002',
    '臺北市信義區松仁路 100 號 21 樓',
  ])
  expect(document.sums[1]?.label).toBe('Consumption tax (Japan) 10 %')
  expect(paymentDocument(payment({ issuer })).issuer.lines.join()).not.toContain('T7000012050002')
})

it('says of which month it is, where it is of a statement', () => {
  const { title } = paymentDocument(
    payment({ title: '', month: '2026-11', quotation_label: null, part: null }),
  )
  expect(title.value).toBe('2026 年 11 月廣告費用')
})

it('has media at cost on a line of their own', () => {
  const document = paymentDocument(payment({ untaxed: 50_000 * M, part: null, language: 'en' }))
  expect(document.table.rows.map(row => row.map(({ text }) => text))).toEqual([
    ['2026 雙 11 全通路檔期', '112,999'],
    ['Media at cost, untaxed', '50,000'],
  ])
})

it('leaves out what it has not: invoice, order, bank', () => {
  const issuer = { ...payment().issuer, bank: '' }
  const none = { invoice_number: null, invoice_on: null, quotation_label: null, client_po: '', note: '' }
  const document = paymentDocument(payment({ issuer, ...none }))
  expect(document.facts.map(({ label }) => label)).toEqual(['日期', '付款期限', '幣別'])
  expect(document.sections).toEqual([])
})
