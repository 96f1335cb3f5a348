import { type Currency, MINOR_UNITS } from '#sandbox/dataset/agency.ts'
import type { Ad } from '#sandbox/dataset/campaigns.ts'
import type { Moment } from '#sandbox/dataset/facts.ts'
import { CV_OF, type LineAccount } from '#sandbox/dataset/line.ts'
import { METRICS, type Metric, slotOf } from '#sandbox/dataset/metrics.ts'
import { noContacts, peopleOf } from '#sandbox/dataset/people.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { adderOf } from '#sandbox/dataset/totals.ts'

/** The values of a row, as numbers; money in the smallest unit. */
export interface Facts {
  counts: Float64Array
  /** What the campaigns are for: conversions, and friends. */
  cv: number
  reach: number
  currency: Currency
}

export interface Days {
  first: number
  last: number
}

interface Wish {
  account: LineAccount
  moment: Moment
  population: number
  slots: number[]
  parts: readonly Part[] | null
}

/** Reads a set of ads, some days at a time: the facts of each part, null where nothing was delivered. */
export function factsReader({ account, moment, population, slots, parts }: Wish) {
  const totalsQuery = { account, moment, slots, ...(parts && { parts }) }
  return (ads: readonly Ad[]) => {
    const groups = [...Map.groupBy(ads, ad => ad.ad_set.campaign.objective)].map(([objective, of]) => ({
      optimized: CV_OF[objective],
      add: adderOf(totalsQuery, of),
    }))
    return (days: Days): (Facts | null)[] => {
      const sums = groups.map(({ optimized, add }) => ({ optimized, of: add(days) }))
      return Array.from({ length: parts?.length ?? 1 }, (_, part) => {
        const facts = noFacts(account)
        const contacts = noContacts()
        let delivered = false
        for (const { optimized, of } of sums) {
          const totals = of[part]
          if (!totals) continue
          delivered = true
          addTo(facts.counts, totals.counts)
          addTo(contacts, totals.contacts)
          facts.cv += countOf(totals.counts, optimized)
        }
        facts.reach = peopleOf(contacts, population).reach
        return delivered ? facts : null
      })
    }
  }
}

export const noFacts = ({ currency }: LineAccount): Facts => ({
  counts: new Float64Array(METRICS.length),
  cv: 0,
  reach: 0,
  currency,
})

export const countOf = (counts: Float64Array, metrics: readonly Metric[]) =>
  metrics.reduce((sum, metric) => sum + (counts[slotOf[metric]] ?? 0), 0)

/** In the main unit of the currency: the printer rounds the whole. */
export const moneyOf = ({ counts, currency }: Facts, metrics: readonly Metric[]) =>
  countOf(counts, metrics) / MINOR_UNITS[currency]

function addTo(sum: Float64Array, more: Float64Array): void {
  for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) + (more[index] ?? 0)
}
