import { isOnStep, MAX_DOCUMENT, sizeOf, stepOf } from '#shared/billing/step.ts'
import type { Language } from '#shared/language.ts'

/** What a field for money holds: millionths, nothing, or a text that is no amount of the currency. */
export type TypedAmount = number | null | 'invalid'

export type AmountFault = 'not_an_amount' | 'off_step' | 'too_large' | 'negative'

/**
 * "NT$1,234", "US$1,234.50": an amount of millionths as a document shows it. By way of decimal text, since
 * large amounts are no exact fractions.
 */
export const formatMoney = (amount: number | bigint, currency: string, language: Language) =>
  format(amount, currency, { language, style: 'currency', decimals: stepDecimals(currency) })

/** "1,234.50": the same without the currency, for fields and columns that name it elsewhere. */
export const formatAmount = (amount: number | bigint, currency: string, language: Language) =>
  format(amount, currency, {
    language,
    style: 'decimal',
    // What is off the step is shown whole, so that its error can be understood.
    decimals: isOnStep(BigInt(amount), currency) ? stepDecimals(currency) : DECIMALS,
  })

interface Format {
  language: Language
  style: 'currency' | 'decimal'
  decimals: number
}

const format = (amount: number | bigint, currency: string, { language, style, decimals }: Format) =>
  new Intl.NumberFormat(language, {
    style,
    ...(style === 'currency' && { currency }),
    minimumFractionDigits: Math.min(decimals, stepDecimals(currency)),
    maximumFractionDigits: decimals,
  }).format(decimalOf(BigInt(amount)))

/** Digits after the point of the least amount that is billed. */
export const stepDecimals = (currency: string) => DECIMALS - (String(stepOf(currency)).length - 1)

const DECIMALS = 6
const UNIT = 10n ** BigInt(DECIMALS)

function decimalOf(amount: bigint): `${number}` {
  const size = sizeOf(amount)
  const sign = amount < 0n ? '-' : ''
  return `${sign}${size / UNIT}.${String(size % UNIT).padStart(DECIMALS, '0')}` as `${number}`
}

type Parsed = { amount: number | null; fault: null } | { amount: null; fault: AmountFault }

interface Allowed {
  /** Below zero. */
  signed?: boolean
  /** Between what can be billed: a price of which a multiple is. */
  offStep?: boolean
}

/**
 * Reads what people type or paste: "1234.5", "1,234.50", "NT$ 1,234", "１，２３４", and where amounts may be
 * negative "-5", "−5" or "(5)". A comma that does not separate thousands may be the decimal point of another
 * country: that is refused rather than guessed.
 */
export function parseMoney(text: string, currency: string, allowed: Allowed = {}): Parsed {
  const plain = text.normalize('NFKC').replaceAll(/[\s']/g, '').replaceAll('−', '-')
  if (plain === '') return { amount: null, fault: null }
  const match = AMOUNT.exec(plain)
  const [, minus, bracket, thousands = '', fraction = '', closing] = match ?? []
  if (!match || (thousands === '' && fraction === '') || Boolean(bracket) !== Boolean(closing))
    return refused('not_an_amount')
  if (/[1-9]/.test(fraction.slice(DECIMALS))) return refused('off_step')
  const size = BigInt(thousands.replaceAll(',', '') + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  const amount = minus || bracket ? -size : size
  const fault = whyNotAmount(amount, currency, allowed)
  return fault === null ? { amount: Number(amount), fault } : refused(fault)
}

const AMOUNT =
  /^(-?)(\(?)(?:[A-Z]{3}|NT\$|US\$|[$¥€₩₫])?(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?(\)?)(?:[A-Z]{3}|元)?$/i

const refused = (fault: AmountFault) => ({ amount: null, fault })

function whyNotAmount(
  amount: bigint,
  currency: string,
  { signed = false, offStep = false }: Allowed,
): AmountFault | null {
  if (amount < 0n && !signed) return 'negative'
  if (sizeOf(amount) > MAX_DOCUMENT) return 'too_large'
  return offStep || isOnStep(amount, currency) ? null : 'off_step'
}
