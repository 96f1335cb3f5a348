/**
 * Exact numbers as quotients, in units of a currency: nothing in common with the integers of a millionth that
 * the product counts by.
 */
export interface Fraction {
  readonly over: bigint
  /** Above zero, without a common factor. */
  readonly under: bigint
}

export const ZERO: Fraction = { over: 0n, under: 1n }
export const ONE: Fraction = { over: 1n, under: 1n }

/** From decimal text, such as -12.50. */
export function fraction(text: string | number): Fraction {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === undefined) throw new Error(`no decimal text: ${text}`)
  const size = reduced(BigInt(whole + decimals), BigInt(`1${'0'.repeat(decimals.length)}`))
  return sign === '-' ? minus(ZERO, size) : size
}

export const plus = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.under + other.over * one.under, one.under * other.under)
export const minus = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.under - other.over * one.under, one.under * other.under)
export const times = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.over, one.under * other.under)
export const by = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.under, one.under * other.over)
export const total = (all: readonly Fraction[]): Fraction => all.reduce(plus, ZERO)
export const size = (one: Fraction): Fraction => (isBelow(one, ZERO) ? minus(ZERO, one) : one)
export const isBelow = (one: Fraction, other: Fraction): boolean =>
  one.over * other.under < other.over * one.under
export const isEqual = (one: Fraction, other: Fraction): boolean =>
  one.over === other.over && one.under === other.under

/** Without what is behind the point. */
export const cut = ({ over, under }: Fraction): Fraction => ({ over: over / under, under: 1n })

/** Decimal text with at most six decimals. */
export function textOf(one: Fraction): string {
  const { over, under } = times(size(one), fraction('1000000'))
  if (under !== 1n) throw new Error('more than six decimals')
  const digits = String(over).padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0+$/, '')
  const text = digits.slice(0, -6) + (decimals && `.${decimals}`)
  return isBelow(one, ZERO) ? `-${text}` : text
}

function reduced(over: bigint, under: bigint): Fraction {
  const sign = under < 0n ? -1n : 1n
  let [factor, rest] = [over < 0n ? -over : over, under * sign]
  while (rest > 0n) [factor, rest] = [rest, factor % rest]
  return { over: (over / factor) * sign, under: (under / factor) * sign }
}
