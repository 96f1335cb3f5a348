import { isoOf } from '#sandbox/dataset/calendar.ts'
import { type Ad, type Campaign, nameOn } from '#sandbox/dataset/campaigns.ts'
import type { Moment } from '#sandbox/dataset/facts.ts'
import { CUSTOM_CONVERSIONS, LINE_OBJECTIVES, type LineAccount, lineId } from '#sandbox/dataset/line.ts'
import { type Metric, withParents } from '#sandbox/dataset/metrics.ts'
import { adsOf } from '#sandbox/dataset/dataset.ts'
import { entitiesOf, type Entity } from '#sandbox/line/entities.ts'
import { COLUMNS, VIDEO_COLUMNS, VIDEO_STARTS } from './columns.ts'
import { type Days, type Facts, factsReader, noFacts } from './facts.ts'
import type { KEYS } from './labels.ts'
import { KINDS, type Level, type ReportQuery } from './query.ts'

export type Key = keyof typeof KEYS

export interface Row {
  keys: Record<Key, string>
  /** The value of the breakdown. */
  part: string | null
  facts: Facts
}

/** The data of a report: the account as it was when the report was requested. */
export interface Subject {
  account: LineAccount
  campaigns: readonly Campaign[]
  moment: Moment
  population: number
}

/** Delivery breakdowns are refreshed once a day, at this hour. */
const REFRESH_HOUR = 8

/** All rows of a report; entities without delivery have zeros unless rows are days or parts. */
export function* rowsOf(query: ReportQuery, subject: Subject): Generator<Row> {
  const { account, moment } = subject
  const read = factsReader({
    ...subject,
    slots: withParents(NEEDED),
    parts: query.cut?.parts ?? null,
  })
  const last = Math.min(query.days.last, newestOf(query, moment))
  const withZeros = !query.daily && !query.cut
  for (const { entity, ads } of aboutOf(query, subject)) {
    const reader = read(ads)
    for (const days of slicesOf({ first: query.days.first, last }, query.daily)) {
      for (const [index, found] of reader(days).entries()) {
        const exists = (entity?.node.start ?? 0) <= days.last
        const facts = found ?? (withZeros && exists ? noFacts(account) : null)
        if (!facts) continue
        const keys = keysOf(entity, { account, day: moment.today, visible: days.first })
        yield { keys, part: query.cut?.parts[index]?.keys['value'] ?? null, facts }
      }
    }
  }
}

const newestOf = ({ cut }: ReportQuery, { today, day_passed }: Moment) => {
  if (!cut?.is_delivery) return today
  return day_passed * 24 >= REFRESH_HOUR ? today - 1 : today - 2
}

/**
 * The account, or its entities; removed ones and what they cost are missing unless requested, even from the
 * account.
 */
function aboutOf(
  { level, with_removed }: Pick<ReportQuery, 'level' | 'with_removed'>,
  { campaigns, moment }: Subject,
): { entity: Entity | null; ads: Ad[] }[] {
  const removed = new Set(
    with_removed
      ? []
      : entitiesOf(campaigns, 'ad', moment.today)
          .filter(ad => ad.is_removed)
          .map(ad => ad.id),
  )
  const visible = (ads: Ad[]) => ads.filter(ad => !removed.has(lineId(ad)))
  const kind = KINDS[level]
  if (kind === null) return [{ entity: null, ads: visible(adsOf(campaigns)) }]
  return entitiesOf(campaigns, kind, moment.today)
    .filter(entity => with_removed || !entity.is_removed)
    .map(entity => ({ entity, ads: visible(entity.ads) }))
}

function slicesOf({ first, last }: Days, daily: boolean): Days[] {
  if (last < first) return []
  if (!daily) return [{ first, last }]
  return Array.from({ length: last - first + 1 }, (_, day) => ({ first: first + day, last: first + day }))
}

const NEEDED: Metric[] = [
  ...[...COLUMNS, ...VIDEO_COLUMNS, VIDEO_STARTS].flatMap(column => [...column.needs]),
  ...CUSTOM_CONVERSIONS.map(each => each.metric),
]

function keysOf(
  entity: Entity | null,
  { account, day, visible }: { account: LineAccount; day: number; visible: number },
): Record<Key, string> {
  const name = (node: Entity['node'] | null | undefined) => (node ? nameOn(node, day) : '')
  const id = (node: Entity['node'] | null | undefined) => (node ? String(lineId(node)) : '')
  const ad = entity?.kind === 'ad' ? entity.node : null
  return {
    day: isoOf(visible),
    account_name: account.name,
    account_id: account.id,
    campaign_name: name(entity?.campaign),
    campaign_objective: entity ? LINE_OBJECTIVES[entity.campaign.objective] : '',
    campaign_id: id(entity?.campaign),
    ad_group_name: name(entity?.ad_set),
    ad_group_id: id(entity?.ad_set),
    ad_name: name(ad),
    ad_id: id(ad),
    title: ad ? `${name(ad)}, "now"` : '',
    description: ad ? `First line\nof ${name(ad)}` : '',
    currency: account.currency,
  }
}

const OWN_KEYS: Record<Level, readonly Key[]> = {
  ADACCOUNT: [],
  CAMPAIGN: ['campaign_name', 'campaign_objective', 'campaign_id'],
  ADGROUP: ['ad_group_name', 'ad_group_id'],
  AD: ['ad_name', 'ad_id', 'title', 'description'],
}

/** The key columns of a level, in their order. */
export function keysFor({ level, daily }: Pick<ReportQuery, 'level' | 'daily'>): Key[] {
  const levels: Level[] = ['CAMPAIGN', 'ADGROUP', 'AD']
  const own = levels.slice(0, levels.indexOf(level) + 1).flatMap(each => OWN_KEYS[each])
  return [...(daily ? (['day'] as const) : []), 'account_name', 'account_id', ...own, 'currency']
}
