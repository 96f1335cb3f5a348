import { round } from './step.ts'

/** Units of the base currency for one of another, as decimal text: a rate is never a float. */
const RATE = /^(\d{1,12})(?:\.(\d{1,10}))?$/
const DECIMALS = 10

/** Whether a text is a rate: more than zero, at most ten decimals. */
export const isRate = (text: string): boolean => (parse(text) ?? 0n) > 0n

/** An amount in another currency: times its own rate, by that of the other, rounded once. */
export function convert(amount: bigint, { from, to, step }: Conversion): bigint {
  return round(amount * rateOf(from), rateOf(to), { step })
}

interface Conversion {
  from: string
  to: string
  step: bigint
}

/** Units of one currency for one of another, to ten decimals. */
export function crossRate(from: string, to: string): string {
  return written(round(rateOf(from) * 10n ** BigInt(DECIMALS), rateOf(to), { step: 1n }))
}

/** Between what a bank buys and sells for, to ten decimals. */
export const middleRate = (buy: string, sell: string): string =>
  written(round(rateOf(buy) + rateOf(sell), 2n, { step: 1n }))

function written(scaled: bigint): string {
  const digits = scaled.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}

/** A rate as a whole number of its smallest decimal. */
export function rateOf(text: string): bigint {
  const rate = parse(text)
  if (rate === null || rate === 0n) throw new RangeError(`not a rate: ${text}`)
  return rate
}

function parse(text: string): bigint | null {
  const match = RATE.exec(text)
  return match && BigInt(`${match[1]}${(match[2] ?? '').padEnd(DECIMALS, '0')}`)
}
