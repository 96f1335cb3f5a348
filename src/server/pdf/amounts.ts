import { stepOf } from '#shared/billing/step.ts'
import { MILLIONTHS } from '#shared/money.ts'
import type { Language } from '#shared/language.ts'

/** 1,234,567 or −351.50, with all digits that the amount has; — while it is not known. */
export function amountText(millionths: number | null, currency: string): string {
  if (millionths === null) return '—'
  const amount = BigInt(millionths)
  const size = amount < 0n ? -amount : amount
  const whole = (size / PER_UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const digits = (size % PER_UNIT).toString().padStart(6, '0')
  const needed = digits.replace(/0+$/, '').length
  const decimals = Math.max(documentDecimals(currency), needed === 1 ? 2 : needed)
  return `${amount < 0n ? '−' : ''}${whole}${decimals > 0 ? `.${digits.slice(0, decimals)}` : ''}`
}

const documentDecimals = (currency: string) => 6 - (stepOf(currency).toString().length - 1)

/** 1500 → 15 %. */
export const rateText = (basisPoints: number) => `${Number((basisPoints / 100).toFixed(2))} %`

/** 833,333. */
export const quantityText = (quantity: number) =>
  new Intl.NumberFormat('en', { maximumFractionDigits: 6 }).format(quantity)

/** 2026/11/05, or 5 Nov 2026. */
export function dayText(day: string, language: Language): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return language === 'zh-TW'
    ? `${year}/${month}/${date}`
    : `${Number(date)} ${MONTHS[Number(month) - 1]?.slice(0, 3)} ${year}`
}

/** 2026 年 11 月, or November 2026. */
export function monthText(month: string, language: Language): string {
  const [year = '', number = ''] = month.split('-')
  return language === 'zh-TW' ? `${year} 年 ${Number(number)} 月` : `${MONTHS[Number(number) - 1]} ${year}`
}

const PER_UNIT = BigInt(MILLIONTHS)
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
