import type { Clock } from '#sandbox/clock.ts'
import { type Account, ACCOUNTS, type Channel } from './agency.ts'
import { localTime } from './calendar.ts'
import { type Ad, type Campaign, campaignsOf } from './campaigns.ts'
import { usualDay } from './facts.ts'

/** The agency as it is at the clock's instant: accounts, their campaigns, and what day it is for them. */
export interface Dataset {
  accounts(channel: Channel): Account[]
  account(channel: Channel, id: string): Account | null
  campaigns(account: Account): Campaign[]
  /** How many people the ads of the account can meet. */
  population(account: Account): number
  moment(account: Account): ReturnType<typeof localTime>
}

const SEED = 20_260_229

export function createDataset({ clock, seed = SEED }: { clock: Clock; seed?: number }): Dataset {
  const trees = new Map<string, Campaign[]>()
  const campaigns = (account: Account) => {
    const key = `${account.channel} ${account.id}`
    const tree = trees.get(key) ?? campaignsOf(account, seed)
    trees.set(key, tree)
    return tree
  }
  return {
    accounts: channel => ACCOUNTS.filter(account => account.channel === channel),
    account: (channel, id) =>
      ACCOUNTS.find(account => account.channel === channel && account.id === id) ?? null,
    campaigns,
    population: account => Math.max(2000, Math.round(usualDay(adsOf(campaigns(account))) * 4)),
    moment: account => localTime(clock.now(), account.time_zone),
  }
}

export const adsOf = (campaigns: readonly Campaign[]): Ad[] =>
  campaigns.flatMap(campaign => campaign.ad_sets.flatMap(adSet => adSet.ads))
