import { isoOf } from '#sandbox/dataset/calendar.ts'
import { hashOf, mix } from '#sandbox/dataset/hash.ts'
import { withParents } from '#sandbox/dataset/metrics.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { audienceParts, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import { entitiesOf, type Entity } from '#sandbox/tiktok/entities.ts'
import { attribute } from './attributes.ts'
import { addFacts, countedUntil, type Facts, factsReader, noFacts } from './facts.ts'
import { METRIC_FIELDS, NOT_AVAILABLE } from './metrics.ts'
import type { Query } from './query.ts'

export interface Row {
  dimensions: Record<string, string>
  metrics: Record<string, string>
}

export interface Result {
  rows: Row[]
  /** Of all rows; names and people cannot be added up. */
  total: Record<string, string>
  /** Only the newest ids are reported. */
  truncated: boolean
}

/** All rows of a request: the newest entities first, each day by day. */
export function resultOf(query: Query, dataset: Dataset, { synchronous }: { synchronous: boolean }): Result {
  const total = noFacts()
  total.reach = null
  const rows: Row[] = []
  let truncated = false
  for (const account of query.accounts) {
    const found = subjectsOf(query, account, dataset)
    const cut = synchronous && query.level !== 'advertiser' && found.length > account.most_ids
    truncated ||= cut
    const subjects = cut ? found.slice(0, account.most_ids) : found
    for (const { row, facts } of rowsOf(query, { account, subjects, dataset })) {
      rows.push(row)
      addFacts(total, facts)
    }
  }
  const [first] = query.accounts
  const visible = query.metrics.map((name): [string, string] => [
    name,
    first ? (METRIC_FIELDS[name]?.show(total, moneyOf(query, first)) ?? NOT_AVAILABLE) : NOT_AVAILABLE,
  ])
  return { rows, total: Object.fromEntries(visible), truncated }
}

/** What rows are about: the whole account, or its entities that pass the filters. */
type Subject = { entity: Entity | null; ads: Entity['ads'] }

function subjectsOf(query: Query, account: TikTokAccount, dataset: Dataset): Subject[] {
  if (query.level === 'advertiser') return [{ entity: null, ads: adsOf(dataset.campaigns(account)) }]
  return entitiesOf(account, dataset, query.level)
    .filter(query.keeps)
    .map(entity => ({ entity, ads: entity.ads }))
}

interface About {
  account: TikTokAccount
  subjects: Subject[]
  dataset: Dataset
}

function* rowsOf(query: Query, { account, subjects, dataset }: About): Generator<{ row: Row; facts: Facts }> {
  const fields = query.metrics.flatMap(name => METRIC_FIELDS[name] ?? [])
  const parts = partsOf(query, account, dataset)
  if (parts?.length === 0) return
  const read = factsReader(dataset, account, {
    slots: withParents(fields.flatMap(field => field.needs)),
    parts,
    people: fields.some(field => field.people),
    real_time: fields.some(field => field.real_time),
  })
  const { today } = dataset.moment(account)
  for (const { entity, ads } of subjects) {
    const reader = read(ads)
    const hasZeros = !parts && isListedIdle(entity?.id ?? account.id)
    for (const slice of slicesOf(query, ads, { account, dataset })) {
      for (const [index, found] of reader(slice).entries()) {
        const facts = found ?? (hasZeros && (entity?.start ?? 0) <= slice.last ? noFacts() : null)
        if (!facts) continue
        const keys = { account, entity, slice, part: parts?.[index] ?? null }
        yield { row: rowOf(query, facts, { ...keys, today }), facts }
      }
    }
  }
}

/**
 * Of what delivered nothing, TikTok reports some with zeros, by day as well as in total, and leaves others
 * out; by hour and by audience there are only rows with something.
 */
const isListedIdle = (id: string) => mix(hashOf(id), IDLE) % 3 === 0
const IDLE = 0x1d1e

interface Slice {
  first: number
  last: number
}

function slicesOf(
  query: Query,
  ads: Entity['ads'],
  { account, dataset }: { account: TikTokAccount; dataset: Dataset },
): Slice[] {
  const { today } = dataset.moment(account)
  const newest = query.report_type === 'AUDIENCE' ? countedUntil(dataset, account) : today
  const first = query.days?.first ?? ads.reduce((least, ad) => Math.min(least, ad.start), today)
  const last = Math.min(query.days?.last ?? today, newest)
  if (last < first) return query.time || query.report_type === 'AUDIENCE' ? [] : [{ first, last: first }]
  if (!query.time) return [{ first, last }]
  return Array.from({ length: last - first + 1 }, (_, day) => ({ first: first + day, last: first + day }))
}

/** null: rows are not cut; an empty list: no account has any. */
function partsOf(query: Query, account: TikTokAccount, dataset: Dataset): readonly Part[] | null {
  if (query.breakdown.length > 0) return audienceParts(query.breakdown, account)
  if (query.time !== 'stat_time_hour') return null
  const { today, day_passed } = dataset.moment(account)
  const hours = query.days?.first === today ? Math.ceil(day_passed * 24) : 24
  return Array.from({ length: hours }, (_, hour) => {
    const value = `${String(hour).padStart(2, '0')}:00:00`
    return { keys: { hour: value }, share: 0.3 + Math.sin(((hour - 5) / 24) * Math.PI) ** 2, group: value }
  })
}

interface Keys {
  account: TikTokAccount
  entity: Entity | null
  slice: Slice
  part: Part | null
  today: number
}

function rowOf(query: Query, facts: Facts, keys: Keys): Row {
  const { account, entity, slice, part } = keys
  const valueOf = (name: string) => {
    if (name === 'stat_time_day') return `${isoOf(slice.first)} 00:00:00`
    if (name === 'stat_time_hour') return `${isoOf(slice.first)} ${part?.keys['hour'] ?? ''}`
    return part?.keys[name] ?? entity?.id ?? account.id
  }
  const names = query.many ? withAccount(query.metrics) : query.metrics
  return {
    dimensions: Object.fromEntries(query.dimensions.map(name => [name, valueOf(name)])),
    metrics: Object.fromEntries(
      names.map(name => [
        name,
        METRIC_FIELDS[name]?.show(facts, moneyOf(query, account)) ?? attribute(name, keys),
      ]),
    ),
  }
}

const withAccount = (metrics: string[]) => [...new Set([...metrics, 'currency', 'timezone', 'advertiser_id'])]

const moneyOf = ({ many }: Query, { currency }: TikTokAccount) => ({ currency, whole: many })
