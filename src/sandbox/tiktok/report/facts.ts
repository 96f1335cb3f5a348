import type { Ad, Objective } from '#sandbox/dataset/campaigns.ts'
import { METRICS, type Metric, slotOf } from '#sandbox/dataset/metrics.ts'
import { type Contacts, noContacts, peopleOf } from '#sandbox/dataset/people.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { OPTIMIZED_FOR, RESULT_OF, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { adderOf, type Totals } from '#sandbox/dataset/totals.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'

/** The values of a row, as numbers; money in the smallest unit. */
export interface Facts {
  counts: Float64Array
  /**
   * What each ad group was optimized for, together; `click` without those that only saw or watched the ad.
   */
  conversions: number
  click_conversions: number
  results: number
  secondary: number
  /** Booked on the day of the conversion: complete as soon as the day is over. */
  real_time: { conversions: number; results: number; app_installs: number }
  /** Different people; unknown for rows added up (null). */
  reach: number | null
}

export interface Wish {
  slots: number[]
  parts: readonly Part[] | null
  people: boolean
  real_time: boolean
}

interface Days {
  first: number
  last: number
}

/** Everything is booked 28 days after the day. */
const BOOKED = 28
/** People are counted 16 hours after the end of their day. */
const PEOPLE_HOURS = 16

/** The last day whose people are counted, and the last one in audience reports. */
export function countedUntil(dataset: Dataset, account: TikTokAccount): number {
  const { today, day_passed } = dataset.moment(account)
  return day_passed * 24 >= PEOPLE_HOURS ? today - 1 : today - 2
}

/** Reads a set of ads, some days at a time: the facts of each part, null where nothing was delivered. */
export function factsReader(
  dataset: Dataset,
  account: TikTokAccount,
  { slots, parts, people, real_time }: Wish,
) {
  const moment = dataset.moment(account)
  const population = dataset.population(account)
  const counted = countedUntil(dataset, account)
  const totalsQuery = { account, moment, slots, ...(parts && { parts }) }
  const later = {
    ...totalsQuery,
    moment: { today: moment.today + BOOKED, day_passed: 1 },
    without_people: true,
  }

  return (ads: readonly Ad[]) => {
    const groups = [...Map.groupBy(ads, ad => ad.ad_set.campaign.objective)].map(([objective, of]) => ({
      objective,
      add: adderOf({ ...totalsQuery, without_people: true }, of),
      meet: adderOf(totalsQuery, of),
      settle: adderOf(later, of),
    }))
    const read = (group: (typeof groups)[number], days: Days): GroupTotals[] => {
      const met = people ? group.meet({ ...days, last: Math.min(days.last, counted) }) : []
      const final = real_time ? joined(group, days) : []
      return group.add(days).map((totals, part) => ({
        totals,
        contacts: met[part]?.contacts ?? null,
        final: final[part] ?? null,
      }))
    }
    /** Past days as they will be in the end, and today as it is. */
    const joined = ({ settle, add }: (typeof groups)[number], { first, last }: Days) => {
      const past = settle({ first, last: Math.min(last, moment.today - 1) })
      const today = add({ first: Math.max(first, moment.today), last: Math.min(last, moment.today) })
      return past.map((sum, part) => sumOf(sum?.counts ?? null, today[part]?.counts ?? null))
    }

    return (days: Days): (Facts | null)[] => {
      const readGroups = groups.map(group => ({ objective: group.objective, of: read(group, days) }))
      return Array.from({ length: parts?.length ?? 1 }, (_, part) =>
        factsOf(
          readGroups.map(({ objective, of }) => ({ objective, ...(of[part] ?? NOTHING) })),
          { population, people },
        ),
      )
    }
  }
}

interface GroupTotals {
  totals: Totals | null
  contacts: Contacts | null
  final: Float64Array | null
}
const NOTHING: GroupTotals = { totals: null, contacts: null, final: null }

function factsOf(
  groups: ({ objective: Objective } & GroupTotals)[],
  { population, people }: { population: number; people: boolean },
): Facts | null {
  if (groups.every(group => group.totals === null)) return null
  const facts = noFacts()
  const contacts = noContacts()
  for (const { objective, totals, contacts: met, final } of groups) {
    if (!totals) continue
    addTo(facts.counts, totals.counts)
    if (met) addTo(contacts, met)
    const reached = met && people ? peopleOf(met, population).reach : 0
    const optimized = OPTIMIZED_FOR[objective]
    const result = RESULT_OF[objective]
    facts.conversions += countOf(totals.counts, optimized)
    facts.click_conversions += countOf(totals.counts, optimized.filter(isClick))
    facts.results += result === 'people' ? reached : countOf(totals.counts, result)
    if (objective === 'sales') facts.secondary += countOf(totals.counts, ['add_to_cart'])
    if (!final) continue
    facts.real_time.conversions += countOf(final, optimized)
    facts.real_time.results += result === 'people' ? reached : countOf(final, result)
    facts.real_time.app_installs += countOf(final, ['app_installs'])
  }
  facts.reach = people ? peopleOf(contacts, population).reach : 0
  return facts
}

export const noFacts = (): Facts => ({
  counts: new Float64Array(METRICS.length),
  conversions: 0,
  click_conversions: 0,
  results: 0,
  secondary: 0,
  real_time: { conversions: 0, results: 0, app_installs: 0 },
  reach: 0,
})

/** Adds a row to a total, whose people are unknown. */
export function addFacts(total: Facts, facts: Facts): void {
  addTo(total.counts, facts.counts)
  total.conversions += facts.conversions
  total.click_conversions += facts.click_conversions
  total.results += facts.results
  total.secondary += facts.secondary
  total.real_time.conversions += facts.real_time.conversions
  total.real_time.results += facts.real_time.results
  total.real_time.app_installs += facts.real_time.app_installs
  total.reach = null
}

export const countOf = (counts: Float64Array, metrics: readonly Metric[]) =>
  metrics.reduce((sum, metric) => sum + (counts[slotOf[metric]] ?? 0), 0)

const isClick = (metric: Metric) => metric !== 'view_conversions' && metric !== 'engaged_conversions'

function addTo(sum: Float64Array, more: Float64Array): void {
  for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) + (more[index] ?? 0)
}

function sumOf(left: Float64Array | null, right: Float64Array | null): Float64Array | null {
  if (!left || !right) return left ?? right
  const sum = left.slice()
  addTo(sum, right)
  return sum
}
