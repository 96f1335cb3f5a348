import { type Account, ADVERTISERS } from './agency.ts'
import { isoOf, knownDay } from './calendar.ts'
import { between, hashOf, mix, pick, unit } from './hash.ts'
import { HURTING_AD_SETS, HURTING_ADS, HURTING_CAMPAIGNS, THEMES, TOO_LONG } from './names.ts'

export type Status = 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED'
export type EffectiveStatus = Status | 'CAMPAIGN_PAUSED' | 'ADSET_PAUSED'
const OBJECTIVES = ['sales', 'leads', 'traffic', 'engagement', 'video', 'app'] as const
export type Objective = (typeof OBJECTIVES)[number]

interface Node {
  id: string
  name: string
  renamed?: { name: string; from: number }
  /** What it is after its last day; until then it is ACTIVE. */
  status: Status
  /** First and last day on which it may deliver; it exists from its first day on. */
  start: number
  end: number | null
}

export interface Campaign extends Node {
  objective: Objective
  ad_sets: AdSet[]
}

export interface AdSet extends Node {
  campaign: Campaign
  /** How its audience lies over the segments of the account's people: four weights with the sum 16. */
  segments: readonly [number, number, number, number]
  /** Stays off at weekends. */
  weekdays_only: boolean
  seed: number
  ads: Ad[]
}

export interface Ad extends Node {
  ad_set: AdSet
  seed: number
  /** Impressions on an ordinary day. */
  daily: number
}

/** The whole tree of an account, past and future; what exists on a day is decided by `existsOn`. */
export function campaignsOf(account: Account, seed: number): Campaign[] {
  const accountSeed = mix(seed, hashOf(account.id))
  return draftsOf(account, accountSeed).map((draft, index) =>
    grow(account, draft, { number: index + 1, seed: mix(accountSeed, index + 1) }),
  )
}

export const existsOn = (node: Node, today: number) => node.start <= today

export const nameOn = (node: Node, today: number) =>
  node.renamed && today >= node.renamed.from ? node.renamed.name : node.name

export const statusOn = (node: Node, today: number): Status =>
  node.end !== null && today > node.end ? node.status : 'ACTIVE'

export function campaignStatus(campaign: Campaign, today: number): EffectiveStatus {
  return statusOn(campaign, today)
}

export function adSetStatus(adSet: AdSet, today: number): EffectiveStatus {
  const above = campaignStatus(adSet.campaign, today)
  if (above === 'ARCHIVED' || above === 'DELETED') return above
  const own = statusOn(adSet, today)
  return own === 'ACTIVE' && above === 'PAUSED' ? 'CAMPAIGN_PAUSED' : own
}

export function adStatus(ad: Ad, today: number): EffectiveStatus {
  const above = adSetStatus(ad.ad_set, today)
  if (above === 'ARCHIVED' || above === 'DELETED') return above
  const own = statusOn(ad, today)
  if (own !== 'ACTIVE') return own
  return above === 'PAUSED' ? 'ADSET_PAUSED' : above
}

interface Draft {
  name: string
  start: number
  end?: number
  status?: Status
  renamed?: { name: string; from: number }
  objective: Objective
  ad_sets: number
  ads: number
  /** Factor on the impressions of its ads. */
  size: number
  first_ad?: string
}

function draftsOf(account: Account, seed: number): Draft[] {
  if (account.traits.includes('empty')) return []
  if (account.traits.includes('large')) return largeDrafts(seed)
  if (account.traits.includes('long_name')) return longNameDrafts()
  return [...steadyDrafts(account, seed), ...hurtingDrafts(account, seed), ...seasonalDrafts(account, seed)]
}

const SHOP_MIX: readonly Objective[] = ['sales', 'traffic', 'sales', 'leads', 'video']
const GAME_MIX: readonly Objective[] = ['app', 'app', 'traffic', 'video', 'app']

function steadyDrafts(account: Account, seed: number): Draft[] {
  return THEMES[account.advertiser].map((name, index) => {
    const hash = mix(seed, 100 + index)
    return {
      name,
      start: knownDay('2023-02-01') + Math.floor(between(hash, 0, 300)),
      objective: (account.advertiser === 'Ember Games' ? GAME_MIX : SHOP_MIX)[index] ?? 'sales',
      ad_sets: 2 + (index % 2),
      ads: 2 + ((hash >>> 8) % 3),
      size: between(mix(hash, 7), 0.6, 1.8),
    }
  })
}

/** Ugly names, twins, a renamed one, one that will be, archived and deleted ones. */
function hurtingDrafts(account: Account, seed: number): Draft[] {
  const ugly = HURTING_CAMPAIGNS.filter(
    (_, index) => account.number === 1 || (index + account.number) % 3 === 0,
  )
  const small = { ad_sets: 2, ads: 2, size: 0.4 }
  const from = knownDay('2024-01-08') + (seed & 63)
  return [
    ...ugly.map((name, index) => ({
      ...small,
      name,
      start: from + index * 20,
      objective: pick(mix(seed, 200 + index), OBJECTIVES),
    })),
    { ...small, name: 'Twin', start: from, objective: 'sales' },
    { ...small, name: 'Twin', start: from + 40, objective: 'traffic' },
    {
      ...small,
      name: 'Working title',
      renamed: { name: 'Brand film "Aurora" (final)', from: knownDay('2026-09-15') },
      start: knownDay('2026-03-02'),
      objective: 'video',
    },
    {
      ...small,
      name: 'New year (name follows)',
      renamed: { name: '🎍 New year 2027', from: knownDay('2027-01-01') },
      start: knownDay('2026-08-03'),
      objective: 'sales',
    },
    {
      ...small,
      name: 'Paused after a test',
      start: from,
      end: knownDay('2026-10-20'),
      status: 'PAUSED',
      objective: 'leads',
    },
    {
      ...small,
      name: 'Old stock',
      start: from,
      end: knownDay('2026-10-05'),
      status: 'ARCHIVED',
      objective: 'sales',
    },
    {
      ...small,
      name: 'Deleted by mistake',
      start: from,
      end: knownDay('2026-11-05'),
      status: 'DELETED',
      objective: 'sales',
    },
  ]
}

/** One campaign a quarter, sixty days each, 2023 to 2031. */
function seasonalDrafts(account: Account, seed: number): Draft[] {
  return Array.from({ length: 36 }, (_, quarter) => {
    const year = 2023 + Math.floor(quarter / 4)
    const season = ['Spring', 'Summer', 'Autumn', 'Winter'][quarter % 4]
    const start = knownDay(`${year}-${['02', '05', '08', '11'][quarter % 4]}-10`) + (account.number % 10)
    return {
      name: `${season} ${year}`,
      start,
      end: start + 59,
      objective: 'sales' as const,
      ad_sets: 2,
      ads: 3,
      size: between(mix(seed, 300 + quarter), 0.8, 2.2),
    }
  })
}

function largeDrafts(seed: number): Draft[] {
  return Array.from({ length: 20 }, (_, index) => ({
    name: `Worldwide ${ADVERTISERS.length * 100 + index} ${isoOf(knownDay('2023-01-01') + index * 7)}`,
    start: knownDay('2023-06-01'),
    objective: pick(mix(seed, index), OBJECTIVES),
    ad_sets: 10,
    ads: 6,
    size: 0.8,
  }))
}

const longNameDrafts = (): Draft[] => [
  { name: 'Ordinary', start: knownDay('2025-01-06'), objective: 'sales', ad_sets: 1, ads: 2, size: 1 },
  {
    name: 'With a long ad name',
    start: knownDay('2025-01-06'),
    objective: 'traffic',
    ad_sets: 1,
    ads: 2,
    size: 1,
    first_ad: TOO_LONG,
  },
]

function grow(account: Account, draft: Draft, at: { number: number; seed: number }): Campaign {
  const id = (level: number, adSet: number, ad: number) =>
    `12021${pad(account.number, 3)}${level}${pad(at.number, 4)}${pad(adSet, 2)}${pad(ad, 3)}`
  const campaign: Campaign = {
    id: id(1, 0, 0),
    name: draft.name,
    ...(draft.renamed && { renamed: draft.renamed }),
    status: draft.status ?? 'ACTIVE',
    start: draft.start,
    end: draft.end ?? null,
    objective: draft.objective,
    ad_sets: [],
  }
  for (let number = 1; number <= draft.ad_sets; number++) {
    campaign.ad_sets.push(growAdSet({ campaign, draft, number, id, seed: mix(at.seed, number) }))
  }
  return campaign
}

interface Growth {
  campaign: Campaign
  draft: Draft
  number: number
  id: (level: number, adSet: number, ad: number) => string
  seed: number
}

function growAdSet({ campaign, draft, number, id, seed }: Growth): AdSet {
  const start = campaign.start + (number - 1) * ((seed >>> 4) % 8)
  const ad_set: AdSet = {
    id: id(2, number, 0),
    name: HURTING_AD_SETS[(seed >>> 3) % HURTING_AD_SETS.length] ?? '',
    status: 'ACTIVE',
    start,
    end: campaign.end,
    campaign,
    segments: pick(seed, SEGMENTS),
    weekdays_only: unit(mix(seed, 1)) < 0.1,
    seed,
    ads: [],
  }
  for (let ad = 1; ad <= draft.ads; ad++) {
    const adSeed = mix(seed, 1000 + ad)
    ad_set.ads.push({
      id: id(3, number, ad),
      name:
        ad === 1 && draft.first_ad !== undefined
          ? draft.first_ad
          : `${HURTING_ADS[(adSeed >>> 3) % HURTING_ADS.length]} ${String.fromCharCode(64 + ad)}`,
      ...lifeOf(ad_set, ad, adSeed),
      ad_set,
      seed: adSeed,
      daily: draft.size * between(mix(adSeed, 2), 300, 2400),
    })
  }
  return ad_set
}

const SEGMENTS: readonly [Segments, ...Segments[]] = [
  [4, 4, 4, 4],
  [10, 4, 1, 1],
  [1, 10, 4, 1],
  [1, 1, 4, 10],
  [8, 0, 8, 0],
]

type Segments = AdSet['segments']

/**
 * The first ad of a set lives as long as the set; every fifth of the others was switched off, some of them
 * deleted.
 */
function lifeOf(adSet: AdSet, number: number, seed: number): Pick<Ad, 'start' | 'end' | 'status'> {
  const start = adSet.start + (number === 1 ? 0 : (seed >>> 5) % 12)
  if (number === 1 || unit(mix(seed, 3)) < 0.8) return { start, end: adSet.end, status: 'ACTIVE' }
  const last = start + 30 + Math.floor(between(mix(seed, 4), 0, 700))
  const end = adSet.end === null ? last : Math.min(last, adSet.end)
  return { start, end, status: pick(mix(seed, 5), ['PAUSED', 'DELETED', 'ARCHIVED']) }
}

const pad = (number: number, length: number) => String(number).padStart(length, '0')
