// Money that is converted, or charged with a fee, row by row: times a factor that each month has.

import { textAt, type TextColumn } from '#server/connectors/text-column.ts'

/** By month, yyyy-MM: a fraction of two whole numbers, as text since they may be beyond 2^53. */
export type MonthFactors = Record<string, [numerator: string, denominator: string]>

/** Multiplies a column of millionths by the factors of its rows' months, rounding each to the millionth. */
export function multiply(
  values: Float64Array,
  { dates, length, factors }: { dates: TextColumn; length: number; factors: MonthFactors },
): Float64Array {
  const known = new Map<string, Factor | null>()
  const out = new Float64Array(length)
  let last: string | undefined
  let factor: Factor | null = null
  for (let row = 0; row < length; row++) {
    const date = textAt(dates, row)
    if (date !== last) {
      factor = factorOf(date.slice(0, 7), factors, known)
      last = date
    }
    out[row] = factor ? times(values[row] ?? Number.NaN, factor) : Number.NaN
  }
  return out
}

interface Factor {
  numerator: bigint
  denominator: bigint
  /** The same as a number, off by less than a trillionth. */
  about: number
}

function factorOf(month: string, factors: MonthFactors, known: Map<string, Factor | null>): Factor | null {
  const found = known.get(month)
  if (found !== undefined) return found
  const pair = Object.hasOwn(factors, month) ? factors[month] : undefined
  const factor = pair
    ? {
        numerator: BigInt(pair[0]),
        denominator: BigInt(pair[1]),
        about: Number(pair[0]) / Number(pair[1]),
      }
    : null
  known.set(month, factor)
  return factor
}

/** How far a product of numbers may be off, as a part of it. */
const PRECISION = 2 ** -50

/** Half a millionth is rounded away from zero. */
function times(value: number, { numerator, denominator, about }: Factor): number {
  if (!Number.isFinite(value)) return value
  const whole = Math.round(value)
  const product = Math.abs(whole * about)
  const down = Math.floor(product)
  const fromHalf = Math.abs(product - down - 0.5)
  // Far enough from a half (and from 2^53) a number is as good as the fraction.
  const rounded =
    product < 2 ** 51 && fromHalf > product * PRECISION + 2 ** -40
      ? Math.round(product)
      : Number(exactly(Math.abs(whole), numerator, denominator))
  return whole < 0 ? -rounded : rounded
}

const exactly = (value: number, numerator: bigint, denominator: bigint): bigint =>
  (2n * BigInt(value) * numerator + denominator) / (2n * denominator)
