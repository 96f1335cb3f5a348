import { ACCOUNTS, MINOR_UNITS, type Account, type Channel } from '#sandbox/dataset/agency.ts'
import { isoOf, knownDay } from '#sandbox/dataset/calendar.ts'
import { nameOn, type AdSet } from '#sandbox/dataset/campaigns.ts'
import { channelTypeOf } from '#sandbox/dataset/google-ads.ts'
import { slotOf, withParents, type Metric } from '#sandbox/dataset/metrics.ts'
import { adderOf } from '#sandbox/dataset/totals.ts'
import { createDataset } from '#sandbox/dataset/dataset.ts'

// The true numbers of an ad account, straight from the dataset of the emulated platforms: no API, no report,
// no code of the product.

export interface Delivery {
  date: string
  campaign_id: string
  campaign: string
  /** null where the platform has campaigns without ad groups. */
  ad_group: { id: string; name: string } | null
  impressions: number
  clicks: number
  /** In currency units. */
  cost: number
  /** Of the actions that reports' definitions count, and their value in currency units. */
  conversions: number
  conversion_value: number
}

export function openDataset(now: string) {
  const dataset = createDataset({ clock: { now: () => Date.parse(now) } })
  // TikTok's clicks are those that lead to the advertiser's page; the others count every click.
  const clicksOf = (channel: Channel) => (channel === 'tt' ? slotOf.link_clicks : slotOf.clicks)
  return {
    /** Each ad group of each campaign on each day on which it delivered. */
    deliveries(channel: Channel, name: string, range: { start: string; end: string }): Delivery[] {
      const account = accountCalled(channel, name)
      const moment = dataset.moment(account)
      const clicks = clicksOf(channel)
      const counted = countedIn(account)
      const slots = withParents([
        'spend',
        'clicks',
        'link_clicks',
        ...counted.flatMap(({ of, value }) => [...of, ...value]),
      ])
      const rowsOf = (ad_set: AdSet) => {
        const { campaign } = ad_set
        const add = adderOf({ account, moment, slots, without_people: true }, ad_set.ads)
        const has_groups = channel !== 'aw' || channelTypeOf(campaign) !== 'PERFORMANCE_MAX'
        const ad_group = has_groups ? { id: ad_set.id, name: nameOn(ad_set, moment.today) } : null
        return daysOf(range).flatMap((day): Delivery[] => {
          const [sum] = add({ first: day, last: day })
          if (!sum) return []
          const of = (slot: number) => sum.counts[slot] ?? 0
          return [
            {
              date: isoOf(day),
              campaign_id: campaign.id,
              campaign: nameOn(campaign, moment.today),
              ad_group,
              impressions: of(slotOf.impressions),
              clicks: of(clicks),
              conversions: total(counted, each => each.of, of),
              conversion_value: total(counted, each => each.value, of) / MINOR_UNITS[account.currency],
              cost: of(slotOf.spend) / MINOR_UNITS[account.currency] + of(clicks) * feeOf(account),
            },
          ]
        })
      }
      return dataset.campaigns(account).flatMap(({ ad_sets }) => ad_sets.flatMap(rowsOf))
    },
  }
}

/** What is counted of an action, by the part of it that is credited to ads. */
interface Counted {
  of: Metric[]
  value: Metric[]
  credit: number
}

/** The actions of `countedActions` as the dataset counts them. */
function countedIn({ provider, channel }: Account): Counted[] {
  const signUps = { of: ['complete_registration' as const], value: [] }
  const purchases = { of: ['web_purchases' as const], value: ['web_purchase_value' as const] }
  if (channel === 'fb')
    return [
      { of: ['web_leads', 'onsite_leads'], value: [], credit: 1 },
      { ...purchases, credit: 1 },
    ]
  // Google credits sixteenths.
  if (channel === 'aw')
    return [
      { ...purchases, credit: 15 / 16 },
      { ...signUps, credit: 14 / 16 },
    ]
  // LY's search ads credit half of a sign-up.
  if (provider === 'ly_search') return [{ ...signUps, credit: 1 / 2 }]
  return provider === 'ly_display' ? [{ of: ['web_leads'], value: [], credit: 1 }] : []
}

const total = (counted: Counted[], metrics: (each: Counted) => Metric[], of: (slot: number) => number) =>
  counted.reduce(
    (sum, each) => sum + each.credit * metrics(each).reduce((parts, metric) => parts + of(slotOf[metric]), 0),
    0,
  )

/** LY's display ads cost fractions of yen, which whole units cannot represent: each click a quarter more. */
const feeOf = ({ provider }: Account) => (provider === 'ly_display' ? 0.25 : 0)

function accountCalled(channel: Channel, name: string): Account {
  const account = ACCOUNTS.find(one => one.channel === channel && one.name === name)
  if (!account) throw new Error(`the agency has no ${channel} account ${name}`)
  return account
}

function daysOf({ start, end }: { start: string; end: string }): number[] {
  const [first, last] = [knownDay(start), knownDay(end)]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
