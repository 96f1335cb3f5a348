import { describe, expect, it } from 'vitest'
import { ageOf, paymentStatus, receivedOf, whyNotInvoiceNumber, whyNotReceipt } from './receivable.ts'

const UNIT = 1_000_000n
const today = '2026-11-26'
const receipt = (amount: bigint, bank_fee = 0n) => ({ amount: amount * UNIT, bank_fee: bank_fee * UNIT })
const payment = { amount: 88_988n * UNIT, receipts: [], due_on: today, is_void: false }

describe('a payment', () => {
  it('is paid when receipts with their bank fees reach its amount (B8)', () => {
    expect(paymentStatus({ ...payment, receipts: [receipt(88_958n, 30n)] }, today)).toBe('paid')
    expect(paymentStatus({ ...payment, receipts: [receipt(88_958n)] }, today)).toBe('due')
    expect(paymentStatus({ ...payment, receipts: [receipt(40_000n), receipt(48_988n)] }, today)).toBe('paid')
    expect(receivedOf([receipt(40_000n), receipt(48_958n, 30n)])).toBe(88_988n * UNIT)
  })

  it('is overdue from the day after it was due, unless it is paid or void', () => {
    const late = { ...payment, due_on: '2026-11-25' }
    expect(paymentStatus(payment, today)).toBe('due')
    expect(paymentStatus(late, today)).toBe('overdue')
    expect(paymentStatus({ ...late, receipts: [receipt(88_988n)] }, today)).toBe('paid')
    expect(paymentStatus({ ...late, is_void: true }, today)).toBe('void')
  })

  it('refuses a receipt that exceeds what is to be paid (B8)', () => {
    expect(whyNotReceipt(receipt(88_958n, 30n), payment)).toBeNull()
    expect(whyNotReceipt(receipt(88_959n, 30n), payment)).toBe('receipt_too_large')
    const half = { ...payment, receipts: [receipt(44_494n)] }
    expect(whyNotReceipt(receipt(44_494n), half)).toBeNull()
    expect(whyNotReceipt(receipt(44_494n, 1n), half)).toBe('receipt_too_large')
  })

  it('has an age from the day on which it was due', () => {
    const ages = [
      '2026-11-27',
      '2026-11-26',
      '2026-10-27',
      '2026-10-26',
      '2026-09-27',
      '2026-09-26',
      '2026-08-28',
      '2026-08-27',
    ]
    expect(ages.map(day => ageOf(day, today))).toEqual([
      'not_due',
      '0_30',
      '0_30',
      '31_60',
      '31_60',
      '61_90',
      '61_90',
      'over_90',
    ])
  })
})

describe('the number of an invoice', () => {
  it('has two letters and eight digits in Taiwan', () => {
    expect(whyNotInvoiceNumber('TW', 'AB12345678')).toBeNull()
    for (const number of ['ab12345678', 'AB1234567', 'AB-12345678', 'ABC2345678', ''])
      expect(whyNotInvoiceNumber('TW', number), number).toBe('field_invalid')
  })

  it('has up to 30 characters elsewhere', () => {
    for (const country of ['JP', 'other'] as const) {
      expect(whyNotInvoiceNumber(country, '請求書 2026-11')).toBeNull()
      for (const number of ['', ' ', '1'.repeat(31)])
        expect(whyNotInvoiceNumber(country, number)).toBe('field_invalid')
    }
  })
})
