import { currencyDecimals } from '#shared/money.ts'

/**
 * Amounts here are millionths of the currency's unit, as in money.ts; `bigint`, since their products are
 * large.
 */
const UNIT = 1_000_000n

/** What one document may amount to: above it a sum in millionths is no exact number in JSON any more. */
export const MAX_DOCUMENT = 9_000_000_000n * UNIT

/**
 * Rates of fees, taxes and commissions, and shares of a schedule, are basis points: 1500 of these are 15 %.
 */
export const BASIS_POINTS = 10_000n

/** Currencies whose documents have fewer decimals than ISO 4217 gives them. */
const wholeOnDocuments = new Set(['TWD'])

/** The least amount that is billed in a currency. */
export const stepOf = (currency: string): bigint =>
  stepsByDecimals[wholeOnDocuments.has(currency) ? 0 : currencyDecimals(currency)] ?? 1n

const stepsByDecimals = [1_000_000n, 100_000n, 10_000n, 1000n, 100n, 10n, 1n]

/** Whether an amount may stand on a document. */
export const isOnStep = (amount: bigint, currency: string): boolean => amount % stepOf(currency) === 0n

export interface Rounding {
  step: bigint
  /** half: to the nearest step, half a step away from zero; down: towards zero. */
  mode?: 'half' | 'down'
}

/**
 * A quotient as a multiple of the step. Below zero it is the mirror of above: a credit undoes what it
 * credits.
 */
export function round(numerator: bigint, denominator: bigint, { step, mode = 'half' }: Rounding): bigint {
  const divisor = sizeOf(denominator * step)
  const steps =
    mode === 'half' ? (2n * sizeOf(numerator) + divisor) / (2n * divisor) : sizeOf(numerator) / divisor
  return (numerator < 0n === denominator < 0n ? steps : -steps) * step
}

export const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
