import type { Account } from '#sandbox/dataset/agency.ts'
import { isoOf, monthStart, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { type Ad, existsOn, nameOn } from '#sandbox/dataset/campaigns.ts'
import { slotOf, withParents } from '#sandbox/dataset/metrics.ts'
import { peopleOf } from '#sandbox/dataset/people.ts'
import { adderOf } from '#sandbox/dataset/totals.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import { deviceParts } from '#sandbox/dataset/yahoo.ts'
import { DEVICE_TYPES, type DspDimension, type DspMetric, type Interval } from './fields.ts'

export interface DspDefinition {
  accounts: Account[]
  dimensions: DspDimension[]
  metrics: DspMetric[]
  filters: { dimension: DspDimension; ids: string[]; excluded: boolean }[]
  interval: Interval
  first: number
  last: number
}

const PERIODS: Record<Interval, string | null> = { whole: null, day: 'Day', week: 'Week', month: 'Month' }

/** The report as a file: ids before names, one line for each combination that delivered. */
export function csvOf(definition: DspDefinition, dataset: Dataset): { text: string; lines: number } {
  const period = PERIODS[definition.interval]
  const header = [
    ...(period === null ? [] : [period]),
    ...definition.dimensions.flatMap(({ name, level }) =>
      level === 'device' ? [name] : [`${name} ID`, name],
    ),
    ...definition.metrics.map(({ name }) => name),
  ]
  const rows = definition.accounts.flatMap(account => rowsOf(definition, account, dataset))
  const text = [header, ...rows].map(row => `${row.map(quoted).join(',')}\n`).join('')
  return { text, lines: rows.length }
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const FINEST = ['ad', 'line', 'campaign', 'advertiser'] as const

function rowsOf(definition: DspDefinition, account: Account, dataset: Dataset): string[][] {
  const { dimensions, metrics, filters } = definition
  const moment = dataset.moment(account)
  const byDevice = [...dimensions, ...filters.map(({ dimension }) => dimension)].some(
    ({ level }) => level === 'device',
  )
  const parts = byDevice ? deviceParts('yahoo_dsp') : null
  const grain = FINEST.find(level => dimensions.some(each => each.level === level)) ?? 'advertiser'
  const ads = adsOf(dataset.campaigns(account)).filter(
    ad =>
      existsOn(ad, moment.today) &&
      filters.every(
        ({ dimension, ids, excluded }) =>
          dimension.level === 'device' || ids.includes(idAt(ad, account, dimension.level)) !== excluded,
      ),
  )
  const totalsQuery = {
    account,
    moment,
    slots: withParents(metrics.flatMap(({ needs }) => needs)),
    ...(parts && { parts }),
  }
  const population = dataset.population(account)
  return [...Map.groupBy(ads, ad => idAt(ad, account, grain)).values()].flatMap(group => {
    const [ad] = group
    const add = adderOf(totalsQuery, group)
    return !ad
      ? []
      : slicesOf(definition).flatMap(slice =>
          add(slice).flatMap((totals, index) => {
            const device = parts?.[index]?.keys['device'] ?? ''
            if (!totals || !keepsDevice(definition, device)) return []
            const figures = {
              count: (metric: keyof typeof slotOf) => totals.counts[slotOf[metric]] ?? 0,
              reach: peopleOf(totals.contacts, population).reach,
              currency: account.currency,
            }
            return [
              [
                ...(definition.interval === 'whole' ? [] : [slice.name]),
                ...dimensions.flatMap(({ level }) =>
                  level === 'device'
                    ? [DEVICE_TYPES[device] ?? device]
                    : [idAt(ad, account, level), nameAt(ad, account, { level, today: moment.today })],
                ),
                ...metrics.map(metric => String(Number(metric.value(figures).toFixed(6)))),
              ],
            ]
          }),
        )
  })
}

const keepsDevice = ({ filters }: DspDefinition, device: string) =>
  filters.every(
    ({ dimension, ids, excluded }) => dimension.level !== 'device' || ids.includes(device) !== excluded,
  )

function idAt(ad: Ad, account: Account, level: DspDimension['level']): string {
  if (level === 'ad') return ad.id.slice(-15)
  if (level === 'line') return ad.ad_set.id.slice(-15)
  return level === 'campaign' ? ad.ad_set.campaign.id.slice(-15) : account.id
}

function nameAt(
  ad: Ad,
  account: Account,
  { level, today }: { level: DspDimension['level']; today: number },
): string {
  if (level === 'ad') return nameOn(ad, today)
  if (level === 'line') return nameOn(ad.ad_set, today)
  return level === 'campaign' ? nameOn(ad.ad_set.campaign, today) : account.name
}

function slicesOf({ interval, first, last }: DspDefinition) {
  const startOf = (day: number) => {
    if (interval === 'day') return day
    if (interval === 'week') return day - weekdayOf(day)
    return interval === 'month' ? monthStart(day) : first
  }
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return [...Map.groupBy(days, startOf)].map(([start, within]) => ({
    name: isoOf(start),
    first: within[0] ?? first,
    last: within.at(-1) ?? last,
  }))
}
