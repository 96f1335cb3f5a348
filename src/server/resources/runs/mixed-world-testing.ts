import { ACCOUNTS, MINOR_UNITS, type Account, type Channel } from '#sandbox/world/agency.ts'
import { isoOf, knownDay } from '#sandbox/world/calendar.ts'
import { nameOn, type Campaign } from '#sandbox/world/campaigns.ts'
import { slotOf } from '#sandbox/world/metrics.ts'
import { adderOf } from '#sandbox/world/totals.ts'
import { adsOf, createWorld } from '#sandbox/world/world.ts'

// What really happened in an ad account, straight from the facts behind the emulated platforms: no wire, no report, no line of the product.

export interface Happened {
  date: string
  campaign_id: string
  campaign: string
  impressions: number
  clicks: number
  /** In currency units. */
  cost: number
}

export function openWorld(now: string) {
  const world = createWorld({ clock: { now: () => Date.parse(now) } })
  // TikTok's clicks are those that lead on from the ad; the others count every click.
  const clicksOf = (channel: Channel) => (channel === 'tt' ? slotOf.link_clicks : slotOf.clicks)
  return {
    /** Each campaign on each day on which it delivered. */
    happened(channel: Channel, name: string, range: { start: string; end: string }): Happened[] {
      const account = accountCalled(channel, name)
      const moment = world.moment(account)
      const clicks = clicksOf(channel)
      const slots = [slotOf.impressions, slotOf.spend, slotOf.clicks, slotOf.link_clicks]
      const rowsOf = (campaign: Campaign) => {
        const add = adderOf({ account, moment, slots, without_people: true }, adsOf([campaign]))
        return daysOf(range).flatMap((day): Happened[] => {
          const [sum] = add({ first: day, last: day })
          if (!sum) return []
          const of = (slot: number) => sum.counts[slot] ?? 0
          return [
            {
              date: isoOf(day),
              campaign_id: campaign.id,
              campaign: nameOn(campaign, moment.today),
              impressions: of(slotOf.impressions),
              clicks: of(clicks),
              cost: of(slotOf.spend) / MINOR_UNITS[account.currency],
            },
          ]
        })
      }
      return world.campaigns(account).flatMap(rowsOf)
    },
  }
}

function accountCalled(channel: Channel, name: string): Account {
  const account = ACCOUNTS.find(each => each.channel === channel && each.name === name)
  if (!account) throw new Error(`the agency has no ${channel} account ${name}`)
  return account
}

function daysOf({ start, end }: { start: string; end: string }): number[] {
  const [first, last] = [knownDay(start), knownDay(end)]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
