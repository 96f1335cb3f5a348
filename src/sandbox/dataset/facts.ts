import { type Account, MINOR_UNITS } from './agency.ts'
import { knownDay, seasonOf, weekdayOf } from './calendar.ts'
import type { Ad } from './campaigns.ts'
import { between, mix, unit } from './hash.ts'
import { METRICS, RULES, slotOf } from './metrics.ts'

/** The instant as of which the facts are computed, in the account's time zone. */
export interface Moment {
  today: number
  /** 0 … 1 of today. */
  day_passed: number
}

/**
 * Writes the counts of one day into `into` (indexed by slotOf); false when the ad did not deliver that day.
 */
export type DayReader = (day: number, into: Float64Array) => boolean

/**
 * The metrics of an ad, for the requested slots (in the order of METRICS, parents included). The same ad, day
 * and moment give the same counts to every caller.
 */
export function dayReader(
  account: Account,
  ad: Ad,
  { slots, moment }: { slots: number[]; moment: Moment },
): DayReader {
  const parts = slots.filter(slot => slot !== IMPRESSIONS)
  const rates = ratesOf(account, ad, parts)
  const final = new Float64Array(METRICS.length)

  return (day, into) => {
    const impressions = impressionsOf(ad, day, moment)
    if (impressions === 0) return false
    into[IMPRESSIONS] = impressions
    final[IMPRESSIONS] = impressions
    const daySeed = mix(ad.seed, day)
    const booked = bookedShare(moment.today - day)
    // One for all slots of the day: so that the booked part of a funnel is a funnel, too.
    const patience = unit(mix(daySeed, 999))
    for (const slot of parts) {
      const whole = PARENT[slot] ?? IMPRESSIONS
      const rate = rates[slot] ?? 0
      const hash = mix(daySeed, slot)
      if (IS_VALUE[slot]) {
        into[slot] = Math.round((into[whole] ?? 0) * rate * between(hash, 0.8, 1.2))
        continue
      }
      const of = final[whole] ?? 0
      // The hash rounds up as often as the fraction says, so that rare events of small ads are not lost.
      const count = of === 0 || rate === 0 ? 0 : Math.floor(of * rate + unit(hash))
      final[slot] = count
      into[slot] = IS_LATE[slot] ? Math.min(count, Math.floor(count * booked + patience)) : count
    }
    return true
  }
}

/** The average number of impressions a day, for the size of the account's people. */
export const usualDay = (ads: Ad[]) => ads.reduce((sum, ad) => sum + ad.daily, 0)

function impressionsOf(ad: Ad, day: number, { today, day_passed }: Moment): number {
  if (day > today || day < ad.start || (ad.end !== null && day > ad.end)) return 0
  if (ad.ad_set.weekdays_only && weekdayOf(day) > 4) return 0
  if (isPause(ad.ad_set.seed, day)) return 0
  const hash = mix(mix(ad.seed, 77), day)
  if (unit(hash) < 0.04) return 0
  const noise = between(mix(hash, 1), 0.7, 1.3)
  const passed = day === today ? day_passed : 1
  return Math.floor(ad.daily * (DEMAND[day - FIRST_DAY] ?? 1) * noise * passed)
}

/** Half of the ad sets pause for six days within a block of ninety. */
function isPause(seed: number, day: number): boolean {
  const block = Math.floor(day / 90)
  const hash = mix(mix(seed, 88), block)
  if (unit(hash) < 0.5) return false
  const from = (hash >>> 7) % 84
  const intoBlock = day - block * 90
  return intoBlock >= from && intoBlock < from + 6
}

const FIRST_DAY = knownDay('2022-01-01')
const WEEKDAY = [1, 0.97, 0.98, 1.02, 1.12, 1.2, 1.1]

/** Weekday and season as one factor, 2022 to 2035. */
const DEMAND = Float64Array.from({ length: 14 * 366 }, (_, index) => {
  const day = FIRST_DAY + index
  const season = seasonOf(day)
  const holidays = season > 0.86 ? 0.35 : 0
  return (WEEKDAY[weekdayOf(day)] ?? 1) * (1 + 0.2 * Math.sin(2 * Math.PI * (season - 0.15)) + holidays)
})

/** Conversions are reported for 28 days after the ad was seen; then the day is frozen. */
function bookedShare(age: number): number {
  if (age >= 28) return 1
  return 0.55 + (0.45 * (1 - Math.exp(-age / 6))) / (1 - Math.exp(-28 / 6))
}

const IMPRESSIONS = slotOf.impressions
const ruleOf = (slot: number) => {
  const metric = METRICS[slot]
  return metric === undefined || metric === 'impressions' ? null : RULES[metric]
}
const PARENT = METRICS.map((_, slot) => slotOf[ruleOf(slot)?.of ?? 'impressions'])
const IS_LATE = METRICS.map((_, slot) => ruleOf(slot)?.late === true)
/** The value of purchases: priced from those that are booked. */
const IS_VALUE = METRICS.map((_, slot) => ruleOf(slot)?.late === true && ruleOf(slot)?.money === true)

const IN_DOLLARS = { USD: 1, TWD: 32, JPY: 150 } as const

/** By slot; those that were not requested stay 0. */
function ratesOf(account: Account, ad: Ad, slots: readonly number[]): Float64Array {
  const money = IN_DOLLARS[account.currency] * MINOR_UNITS[account.currency]
  const rates = new Float64Array(METRICS.length)
  for (const slot of slots) rates[slot] = rateOf(slot, ad, money)
  return rates
}

function rateOf(slot: number, ad: Ad, money: number): number {
  const rule = ruleOf(slot)
  if (!rule) return 1
  const usual = rule.by_objective?.[ad.ad_set.campaign.objective] ?? rule.rate
  const own = usual * between(mix(ad.seed, 500 + slot), 0.7, 1.3)
  if (rule.money) return own * money
  return usual <= 1 ? Math.min(own, 0.98) : own
}
