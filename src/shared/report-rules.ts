import type { DateRange, Report } from './api/reports.ts'
import { whyNotBlends } from './blend.ts'
import { blockCatalogue, conversionOf, noMeanings, type Meanings } from './block-catalogue.ts'
import { comparedRange, whyNotComparison } from './comparison.ts'
import { limits } from './limits.ts'
import { whyNotMeant } from './meaning-rules.ts'
import { whyNotAsk, type Violation } from './block-rules.ts'
import { catalogueOf as realCatalogueOf } from './channels/all.ts'
import type { Channel, ChannelCatalogue, Dimension } from './channels/catalogue.ts'
import { maximumDay, minimumDay, platformFloor, rangeOfRun, type HistorySettings } from './date-range.ts'
import { metricIn, measuresOf } from './metrics.ts'
import type { Provider } from './platforms.ts'
import { sortTarget } from './table-sort.ts'

interface RangeSubject extends HistorySettings {
  report: { channels: readonly { channel: Channel }[] }
  /** In the report's time zone. */
  today: string
  catalogueOf?: (channel: Channel) => ChannelCatalogue
}

export interface ReportSubject extends RangeSubject {
  report: Pick<Report, 'dimensions' | 'channels' | 'date_range'> &
    Partial<Pick<Report, 'sort' | 'arrangement' | 'currency' | 'comparison' | 'blends'>>
  /** Facts of the accounts that the blocks name; missing ones are checked elsewhere. */
  accounts: readonly AccountSubject[]
  meanings?: Meanings
  /** The range that is already saved: it may stay, however old it has become. */
  saved_range?: DateRange
  /** How many blocks a report may have. */
  channel_limit?: number
}

interface AccountSubject {
  id: number
  channel: Channel
  provider: Provider
  currency: string
  /** null: of nobody yet. */
  advertiser: number | null
}

/**
 * Every reason why a report may not be saved; empty when it may. Gaps (no tab, no channel …) are no such
 * reason.
 */
export function whyNotSave(subject: ReportSubject): Violation[] {
  return [
    ...badRange(subject),
    ...badLists(subject),
    ...badBlocks(subject),
    ...badSort(subject),
    ...mixedCurrency(subject),
    ...badComparison(subject),
    ...badBlends(subject),
  ]
}

function badRange(subject: ReportSubject): Violation[] {
  const { report, saved_range } = subject
  const { start, end, dynamic_range } = report.date_range
  if (dynamic_range !== 0) return []
  if (start === null || end === null) return [invalid(`date_range.${start === null ? 'start' : 'end'}`, {})]
  if (end < start) return [invalid('date_range.end', { start })]
  const isSaved = saved_range?.dynamic_range === 0 && saved_range.start === start && saved_range.end === end
  if (isSaved) return []
  const minimum = earliestStart(subject)
  if (start < minimum)
    return [{ code: 'history_limit', path: 'date_range.start', detail: { earliest: minimum } }]
  const maximum = archiveMonths(subject) === null ? maximumDay(start, subject) : null
  if (maximum === null || end <= maximum) return []
  const days = daysBetween(start, maximum)
  return [{ code: 'range_too_long', path: 'date_range.end', detail: { latest: maximum, days } }]
}

const daysBetween = (start: string, end: string) => Temporal.PlainDate.from(start).until(end).days

/** The earliest day that a new fixed range of these channels may begin with. */
export function earliestStart(subject: RangeSubject): string {
  const archive_months = archiveMonths(subject)
  return archive_months === null
    ? minimumDay(subject.today, subject)
    : platformFloor(subject.today, archive_months)
}

/** How far back a report of archives only may go; null for any other. */
export function archiveMonths({
  report,
  catalogueOf = realCatalogueOf,
}: Pick<RangeSubject, 'report' | 'catalogueOf'>): number | null {
  const catalogues = report.channels.map(({ channel }) => catalogueOf(channel))
  if (catalogues.length === 0 || !catalogues.every(({ archive }) => archive)) return null
  return Math.min(...catalogues.map(({ history_months }) => history_months))
}

/** Lists that are too long for this installation or name something twice. */
function badLists({ report, channel_limit = limits.channels }: ReportSubject): Violation[] {
  const refusals: Violation[] = []
  const count = report.channels.length
  if (count > channel_limit)
    refusals.push({ code: 'too_many_channels', path: 'channels', detail: { limit: channel_limit, count } })
  const lists: { path: string; list: readonly (string | number)[] }[] = [
    { path: 'dimensions', list: report.dimensions },
    ...report.channels.flatMap(({ accounts, metrics }, index) => [
      { path: `channels.${index}.accounts`, list: accounts },
      { path: `channels.${index}.metrics`, list: metrics },
    ]),
  ]
  for (const { path, list } of lists) {
    const twice = list.find((entry, index) => list.indexOf(entry) !== index)
    if (twice !== undefined) refusals.push(invalid(path, { twice }))
  }
  return refusals
}

function badBlocks(subject: ReportSubject): Violation[] {
  const { report, today, accounts } = subject
  const { currency = null } = report
  const range = rangeOfRun(report.date_range, today)
  return report.channels.flatMap((block, index) => {
    const { catalogue, own, conversion } = meantBlock(block, subject)
    const floor = platformFloor(today, catalogue.history_months)
    const too_early = range !== null && range.start < floor && subject.saved_range === undefined
    const inaccessible = block.accounts.filter(id =>
      accounts.some(
        account => account.id === id && account.channel !== (catalogue.accounts_of ?? block.channel),
      ),
    )
    const blockSubject = { index, block, dimensions: report.dimensions, catalogue, accounts: own }
    return [
      ...whyNotAsk(blockSubject),
      ...whyNotMeant(blockSubject, { conversion, currency }),
      ...inaccessible.map(account => invalid(`channels.${index}.accounts`, { account })),
      ...(too_early ? [tooEarly(index, { earliest: floor, channel: block.channel })] : []),
    ]
  })
}

type MeantSubject = Pick<ReportSubject, 'accounts' | 'meanings' | 'catalogueOf'>

/** A block's catalogue as it is meant for its accounts. */
export function meantBlock(
  block: Report['channels'][number],
  { accounts, meanings = noMeanings, catalogueOf = realCatalogueOf }: MeantSubject,
) {
  const own = accounts.filter(({ id }) => block.accounts.includes(id))
  const advertisers = own.map(({ advertiser }) => advertiser)
  const facts = { catalogue: catalogueOf(block.channel), meanings, advertisers }
  return { own, catalogue: blockCatalogue(block, facts), conversion: conversionOf(block, facts) }
}

/** The period before must still be there, too. */
function badComparison({ report, today, catalogueOf = realCatalogueOf }: ReportSubject): Violation[] {
  const { comparison = null, dimensions, channels, date_range } = report
  const range = rangeOfRun(date_range, today)
  if (comparison === null) return []
  const { start } = range ? comparedRange(range, comparison) : { start: today }
  const tooShort = channels.flatMap(({ channel }): Violation[] => {
    const earliest = platformFloor(today, catalogueOf(channel).history_months)
    return start < earliest
      ? [{ code: 'history_limit', path: 'comparison', detail: { earliest, channel } }]
      : []
  })
  return [...whyNotComparison({ dimensions, comparison }, range), ...tooShort]
}

function badBlends(subject: ReportSubject): Violation[] {
  const { report } = subject
  const meant = report.channels.map(block => meantBlock(block, subject))
  return whyNotBlends({
    report: { arrangement: 'joined', ...report },
    catalogues: meant.map(({ catalogue }) => catalogue),
    currencies: meant.map(({ own }) => own.map(({ currency }) => currency)),
  })
}

const tooEarly = (index: number, detail: { earliest: string; channel: Channel }): Violation => ({
  code: 'history_limit',
  path: `channels.${index}`,
  detail,
})

function badSort({ report: { sort = null, ...report } }: ReportSubject): Violation[] {
  if (sort === null || sortTarget(report, sort)) return []
  return [{ code: 'sort_not_in_report', path: 'sort', detail: { by: sort.by } }]
}

/** Beside any of these every amount has one currency. */
const separating: readonly Dimension[] = ['account_name', 'account_id', 'currency']

function mixedCurrency(subject: ReportSubject): Violation[] {
  const { report, accounts } = subject
  if ((report.currency ?? null) !== null) return []
  if (separating.some(dimension => report.dimensions.includes(dimension))) return []
  const withMoney = report.channels.filter(block =>
    hasMoney(meantBlock(block, subject).catalogue, block.metrics),
  )
  const ids = new Set(withMoney.flatMap(block => block.accounts))
  const currencies = new Set(accounts.filter(({ id }) => ids.has(id)).map(({ currency }) => currency))
  if (currencies.size < 2) return []
  const detail = { currencies: [...currencies].toSorted(), add: ['account_name', 'currency'] }
  return [{ code: 'mixed_currency', path: 'channels', detail }]
}

/** Whether any of the metrics is an amount of money. */
export const hasMoney = (catalogue: ChannelCatalogue, metrics: readonly string[]) =>
  metrics.some(id => measuresOf(catalogue, id).some(part => metricIn(catalogue, part)?.unit === 'money'))

const invalid = (path: string, detail: Violation['detail']): Violation => ({ code: 'invalid', path, detail })
