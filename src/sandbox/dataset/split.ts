import type { AdSet } from './campaigns.ts'
import { between, hashOf, mix, unit } from './hash.ts'
import { METRICS, RULES, slotOf } from './metrics.ts'

/** One value of a breakdown: its keys as they appear on a row, and its usual share of the impressions. */
export interface Part {
  keys: Readonly<Record<string, string>>
  share: number
  /** Parts of one group (the positions of one platform, the genders of one age) vary together. */
  group: string
}

/** Cuts the counts of an ad and day, whose own seed is given, into parts that add up exactly. */
export type Cut = (counts: Float64Array, into: Float64Array[], seed: number) => void

export function cutOf(parts: readonly Part[], adSet: AdSet, slots: number[]): Cut {
  const shares = parts.map(part => part.share * between(mix(adSet.seed, hashOf(part.group)), 0.6, 1.4))
  const tilts = parts.map(part => between(mix(adSet.seed, hashOf(`tilt ${part.group}`)), 0.7, 1.4))
  const total = shares.reduce((sum, share) => sum + share, 0)

  return (counts, into, seed) => {
    const rounding = unit(mix(seed, 71))
    let passed = 0
    let before = 0
    const whole = counts[IMPRESSIONS] ?? 0
    for (let index = 0; index < parts.length; index++) {
      passed += (shares[index] ?? 0) / total
      const isLast = index === parts.length - 1
      const upTo = isLast ? whole : Math.min(whole, Math.floor(whole * passed + rounding))
      const part = into[index]
      if (part) part[IMPRESSIONS] = upTo - before
      before = upTo
    }
    for (const slot of slots)
      if (slot !== IMPRESSIONS) cutOne(counts, into, { slot, tilts, rounding: unit(mix(seed, slot + 72)) })
  }
}

const IMPRESSIONS = slotOf.impressions
const PARENT = METRICS.map(metric => (metric === 'impressions' ? IMPRESSIONS : slotOf[RULES[metric].of]))

/**
 * Cuts one metric along the parts of the metric it belongs to, so that no part has clicks without
 * impressions. The rounding (0 … 1, drawn for the day) spares the last part from getting all that is left of
 * small counts. Tilted (a device with a better rate) where the metric is rare enough that no part can exceed
 * its whole.
 */
function cutOne(
  counts: Float64Array,
  into: Float64Array[],
  { slot, tilts, rounding }: { slot: number; tilts: number[]; rounding: number },
): void {
  const count = counts[slot] ?? 0
  const of = PARENT[slot] ?? IMPRESSIONS
  const tilted = count * 2 <= (counts[of] ?? 0) || slot === slotOf.spend
  const weightOf = (part: Float64Array, index: number) => (part[of] ?? 0) * (tilted ? (tilts[index] ?? 1) : 1)
  let total = 0
  for (let index = 0; index < into.length; index++) total += weightOf(into[index] ?? NONE, index)
  let passed = 0
  let before = 0
  for (let index = 0; index < into.length; index++) {
    const part = into[index] ?? NONE
    passed += weightOf(part, index)
    const upTo = total === 0 ? 0 : Math.min(count, Math.floor(count * (passed / total) + rounding))
    part[slot] = upTo - before
    before = upTo
  }
}

const NONE = new Float64Array(METRICS.length)
