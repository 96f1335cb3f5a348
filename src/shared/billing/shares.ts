import { sizeOf, sumOf } from './step.ts'

/**
 * Divides a total in the ratio of the weights so that the shares are multiples of the step and add up to it:
 * by largest remainder, of equal ones the earlier. A total below zero has the mirrored shares of that above.
 */
export function shareOut(total: bigint, weights: readonly bigint[], step: bigint): bigint[] {
  if (total < 0n) return shareOut(-total, weights, step).map(share => -share)
  const ratio = ratioOf(total, weights)
  const whole = sumOf(ratio)
  const quotas = ratio.map((weight, index) => {
    const share = floor(total * weight, whole * step) * step
    return { index, share, remainder: total * weight - share * whole }
  })
  let rest = total - sumOf(quotas.map(({ share }) => share))
  for (const quota of quotas.toSorted((one, other) => compare(other.remainder, one.remainder))) {
    const extra = rest < step ? rest : step
    quota.share += extra
    rest -= extra
  }
  return quotas.map(({ share }) => share)
}

/**
 * The weights with a sum above zero. Where some of them are below zero, such as a channel with more credit
 * than spend, their sum may be so near zero that a share would be many times its weight: then their sizes
 * count.
 */
function ratioOf(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = sumOf(weights)
  const sizes = weights.map(sizeOf)
  if (sizes.every(size => size === 0n)) return weights.map(() => 1n)
  if (sumOf(sizes) === sizeOf(sum)) return sizes
  if (total > sizeOf(sum) || sum === 0n) return sizes
  return sum < 0n ? weights.map(weight => -weight) : [...weights]
}

const floor = (numerator: bigint, denominator: bigint) => {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

const compare = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)
