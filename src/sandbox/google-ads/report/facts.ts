import type { Ad, AdSet } from '#sandbox/dataset/campaigns.ts'
import { dayReader } from '#sandbox/dataset/facts.ts'
import {
  type ChannelType,
  channelTypeOf,
  type GoogleCustomer,
  type Keyword,
} from '#sandbox/dataset/google-ads.ts'
import { mix } from '#sandbox/dataset/hash.ts'
import { METRICS, slotOf } from '#sandbox/dataset/metrics.ts'
import { addContacts, type Contacts, meetingOf, noContacts } from '#sandbox/dataset/people.ts'
import { cutOf, type Part } from '#sandbox/dataset/split.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { Scope } from '#sandbox/google-ads/fields/metrics.ts'

/** A part of what an ad did on a day. */
export interface Label {
  device?: string
  network?: string
  hour?: number
  keyword?: Keyword
}

/** What was added up for a slice of time and a part of it. */
export interface Sums {
  slice: number
  label: Label
  counts: Record<Scope, Float64Array | null>
  /** The day before each of its days; null when nothing was delivered, or it was not requested. */
  before: Float64Array | null
  contacts: Contacts | null
}

export interface Gathering {
  customer: GoogleCustomer
  dataset: Dataset
  slots: number[]
  scopes: ReadonlySet<Scope>
  needs_day_before: boolean
  /** Which labels rows have. */
  by: Record<keyof Label, boolean>
  /** The slice of each day from `first` on; -1 for days that were not requested. */
  first: number
  slices: Int32Array
}

/** Adds up what the ads did: one entry for each slice and label in which something was delivered. */
export function gather(
  gathering: Gathering,
  ads: readonly Ad[],
  keywords: readonly Keyword[] | null,
): Sums[] {
  const { customer, dataset, slots, first, slices, needs_day_before } = gathering
  const moment = dataset.moment(customer)
  const counts = new Float64Array(METRICS.length)
  const found = new Map<string, Sums>()
  for (const ad of ads) {
    const read = dayReader(customer, ad, { slots, moment })
    const cutter = cutterOf(gathering, ad.ad_set, keywords)
    const add = adderOf(gathering, ad)
    const end = Math.min(first + slices.length - 1, (ad.end ?? Infinity) + 1, moment.today)
    for (let day = Math.max(first, ad.start); day <= end; day++) {
      const slice = slices[day - first] ?? -1
      if (slice < 0) continue
      const take = (isBefore: boolean) => (label: Label, key: string, piece: Float64Array) => {
        const at = `${slice} ${key}`
        const sums = found.get(at) ?? emptySums(slice, label)
        found.set(at, sums)
        add(sums, piece, isBefore)
      }
      if (read(day, counts)) cutter(counts, mix(ad.seed, day), take(false))
      if (needs_day_before && read(day - 1, counts)) cutter(counts, mix(ad.seed, day - 1), take(true))
    }
  }
  return [...found.values()].toSorted((left, right) => left.slice - right.slice)
}

export const emptySums = (slice: number, label: Label): Sums => ({
  slice,
  label,
  counts: { all: null, search: null, content: null, people: null },
  before: null,
  contacts: null,
})

const SCOPES: Record<ChannelType, Scope[]> = {
  SEARCH: ['all', 'search'],
  SHOPPING: ['all', 'search'],
  DISPLAY: ['all', 'content', 'people'],
  VIDEO: ['all', 'people'],
  DEMAND_GEN: ['all', 'people'],
  MULTI_CHANNEL: ['all', 'people'],
  PERFORMANCE_MAX: ['all'],
}

function adderOf({ slots, scopes }: Gathering, ad: Ad) {
  const own = SCOPES[channelTypeOf(ad.ad_set.campaign)].filter(scope => scopes.has(scope))
  const meeting = own.includes('people') ? meetingOf(ad) : null
  return (sums: Sums, piece: Float64Array, isBefore: boolean) => {
    if (isBefore) return addInto((sums.before ??= new Float64Array(METRICS.length)), piece, slots)
    for (const scope of own) addInto((sums.counts[scope] ??= new Float64Array(METRICS.length)), piece, slots)
    if (meeting) addContacts((sums.contacts ??= noContacts()), piece, meeting)
  }
}

export function addInto(into: Float64Array, piece: Float64Array, slots: readonly number[]): void {
  for (const slot of slots) into[slot] = (into[slot] ?? 0) + (piece[slot] ?? 0)
}

type Take = (label: Label, key: string, piece: Float64Array) => void
interface Level {
  labels: { label: Label; key: string }[]
  cut: ReturnType<typeof cutOf>
  pieces: Float64Array[]
  visible: boolean
}

/**
 * Cuts the counts of an ad and day by device, then each device by network, then each of those by keyword or
 * hour: always in this order and no deeper than requested, so that every coarser cut is the sum of the finer
 * one.
 */
function cutterOf({ by, slots }: Gathering, adSet: AdSet, keywords: readonly Keyword[] | null) {
  const all: { parts: (Part & { label: Label })[]; visible: boolean }[] = [
    { parts: DEVICES, visible: by.device },
    { parts: NETWORKS[channelTypeOf(adSet.campaign)], visible: by.network },
    keywords ? { parts: keywords.map(keywordPart), visible: true } : { parts: HOURS, visible: by.hour },
  ]
  const depth = all.findLastIndex(({ visible }) => visible) + 1
  const levels = all.slice(0, depth).map(({ parts, visible }): Level => ({
    labels: parts.map(({ label }) => ({ label, key: `${Object.values(label).map(keyOf).join()};` })),
    cut: cutOf(parts, adSet, slots),
    pieces: parts.map(() => new Float64Array(METRICS.length)),
    visible,
  }))

  const descend = (
    at: number,
    counts: Float64Array,
    to: { seed: number; label: Label; key: string; take: Take },
  ) => {
    const level = levels[at]
    if (!level) return to.take(to.label, to.key, counts)
    level.cut(counts, level.pieces, to.seed)
    for (const [index, piece] of level.pieces.entries()) {
      if (piece[IMPRESSIONS] === 0) continue
      const { label, key } = level.labels[index] ?? NOTHING
      const deeper = level.visible ? { label: { ...to.label, ...label }, key: to.key + key } : {}
      descend(at + 1, piece, { ...to, ...deeper, seed: mix(to.seed, index + 1) })
    }
  }
  return (counts: Float64Array, seed: number, take: Take) =>
    descend(0, counts, { seed, label: {}, key: '', take })
}

const IMPRESSIONS = slotOf.impressions
const NOTHING = { label: {}, key: '' }
const keyOf = (value: unknown) => (typeof value === 'object' && value && 'id' in value ? value.id : value)

const part = (share: number, label: Label): Part & { label: Label } => ({
  keys: {},
  share,
  group: JSON.stringify(label),
  label,
})
const keywordPart = (keyword: Keyword) => ({ ...part(keyword.share, { keyword }), group: keyword.id })

const DEVICES = [
  part(0.62, { device: 'MOBILE' }),
  part(0.28, { device: 'DESKTOP' }),
  part(0.07, { device: 'TABLET' }),
  part(0.03, { device: 'CONNECTED_TV' }),
]
const network = (name: string, share = 1) => part(share, { network: name })
const NETWORKS: Record<ChannelType, ReturnType<typeof part>[]> = {
  SEARCH: [network('SEARCH', 0.85), network('SEARCH_PARTNERS', 0.15)],
  SHOPPING: [network('SEARCH', 0.9), network('SEARCH_PARTNERS', 0.1)],
  DISPLAY: [network('CONTENT')],
  VIDEO: [network('YOUTUBE', 0.8), network('GOOGLE_TV', 0.2)],
  DEMAND_GEN: [network('YOUTUBE', 0.5), network('DISCOVER', 0.3), network('GMAIL', 0.2)],
  MULTI_CHANNEL: [network('MIXED')],
  PERFORMANCE_MAX: [network('MIXED')],
}
const HOURS = Array.from({ length: 24 }, (_, hour) => part(hour < 7 ? 0.2 : hour < 18 ? 1 : 1.6, { hour }))
