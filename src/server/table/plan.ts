import type { Report, TableSort } from '#shared/api/reports.ts'
import { grainOf, platformDimensionOf, whyNotAsk, type ViolationDetail } from '#shared/block-rules.ts'
import { catalogueOf as realCatalogueOf } from '#shared/channels/all.ts'
import type {
  Channel,
  ChannelCatalogue,
  Dimension,
  Filter,
  Metric,
  PlatformDimension,
} from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { filterTest } from '#shared/filter.ts'
import { blockLabels } from '#shared/headers.ts'
import type { Language } from '#shared/language.ts'
import { metricIn, measuresOf, ratioOf, type Ratio } from '#shared/metrics.ts'
import type { Provider } from '#shared/platforms.ts'
import type { ReportRequest, TimeGrain } from '#server/connectors/connector.ts'

/** What the table needs of a report. */
export type TableFields = Pick<
  Report,
  'dimensions' | 'channels' | 'arrangement' | 'fill_zero' | 'header_language'
> &
  Partial<Pick<Report, 'sort' | 'limit'>>

export interface AccountFacts {
  id: number
  channel: Channel
  provider: Provider
  external_id: string
  via: string | null
  public_account: number | null
  name: string
  currency: string
  timezone: string
  ecid: string | null
  /** null: of nobody yet. */
  advertiser: number | null
  /** The path of a view or property in its tree; null for ad accounts. */
  ga_account_id: string | null
  ga_account_name: string | null
  property_id: string | null
  property_name: string | null
}

/** The requests of a report and the layout of its table; plain data. */
export interface Plan {
  range: DayRange
  time: TimeGrain
  dimensions: Dimension[]
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  /** What the rows are sorted by; null: by the dimensions. */
  sort: TableSort | null
  /** Rows that are written, the first ones; null: all. */
  limit: number | null
  language: Language
  blocks: PlannedBlock[]
  requests: PlannedRequest[]
}

export interface PlannedBlock {
  channel: Channel
  label: string
  /** The accounts named by the report, whether they are fetched or not. */
  accounts: number[]
  /** The columns of the block, in order. */
  metrics: PlannedMetric[]
  /** What is fetched for them, in the order of each request's `metrics`. */
  measures: Measure[]
  /**
   * The platform dimensions of each request of the block: those of the table, then those that only filters
   * need.
   */
  dimensions: PlatformDimension[]
  /** The filters on platform dimensions. */
  filters: Filter[]
  /** Those on accounts, which have been applied to what is fetched at all. */
  account_filters: Filter[]
  currencies: string[]
  /** Why nothing is fetched for this block; null when it is. */
  refusal: { code: ErrorCode; detail: ViolationDetail } | null
}

export type PlannedMetric = Pick<Metric, 'names' | 'unit' | 'decimals'> & { id: string } &
  /** `texts` are printed for the numbers 0, 1, 2 … of a metric that is a text. */
  ({ measure: number; texts?: string[] } | { ratio: MeasureRatio })

/** A ratio whose sides are positions in the block's measures. */
export type MeasureRatio = Omit<Ratio, 'numerator' | 'denominator'> & {
  numerator: number
  denominator: number
}

/** money: whole millionths; count: anything else that is summed; single: never summed, one value a row. */
export interface Measure {
  id: string
  kind: 'money' | 'count' | 'single' | 'single_money'
}

/** The request of one block for one account. */
export interface PlannedRequest {
  block: number
  account: AccountFacts
  request: ReportRequest
}

/**
 * The requests of a report, each at the grain of the table. `accounts` are those that the report's owner may
 * use today: a block that names another one is refused with account_access_lost. Account filters decide which
 * accounts get a request at all.
 */
export function planReport(
  report: TableFields,
  facts: {
    accounts: readonly AccountFacts[]
    range: DayRange
    catalogueOf?: (channel: Channel) => ChannelCatalogue
  },
): Plan {
  const { accounts, range, catalogueOf = realCatalogueOf } = facts
  const dimensions = [...new Set(report.dimensions)]
  const time = timeGrainOf(dimensions)
  const labels = blockLabels(report.channels, report.header_language, catalogueOf)
  const requests: PlannedRequest[] = []
  const blocks = report.channels.map((block, index): PlannedBlock => {
    const catalogue = catalogueOf(block.channel)
    const usable = accountsOf(block, catalogue, accounts)
    const refusal = usable
      ? (whyNotAsk({ index, block, dimensions, catalogue, accounts: usable })[0] ?? null)
      : { code: 'account_access_lost' as const, detail: {} }
    const planned = planBlock(block, {
      dimensions,
      catalogue,
      language: report.header_language,
      label: labels[index] ?? '',
      accounts: usable ?? [],
    })
    if (!refusal) {
      requests.push(
        ...(usable ?? []).map(account => requestOf(planned, { block: index, account, range, time })),
      )
    }
    return { ...planned, refusal: refusal && { code: refusal.code, detail: refusal.detail } }
  })
  const { arrangement, fill_zero, sort = null, limit = null, header_language: language } = report
  return { range, time, dimensions, arrangement, fill_zero, sort, limit, language, blocks, requests }
}

/** The coarsest slices of days that every time dimension of the table can be derived from. */
function timeGrainOf(dimensions: readonly Dimension[]): TimeGrain {
  if (dimensions.includes('date')) return 'date'
  const month = dimensions.includes('month')
  if (dimensions.includes('week')) return month ? 'month_week' : 'week'
  return month ? 'month' : 'total'
}

type ReportBlock = Report['channels'][number]

/** The accounts of a block that pass its account filters; null when one of its accounts may not be used. */
function accountsOf(
  block: ReportBlock,
  { accounts_of = block.channel }: ChannelCatalogue,
  accounts: readonly AccountFacts[],
): AccountFacts[] | null {
  const own = [...new Set(block.accounts)].map(id =>
    accounts.find(account => account.id === id && account.channel === accounts_of),
  )
  const known = own.filter(account => account !== undefined)
  if (known.length < own.length) return null
  const filters = block.filters.filter(filter => platformDimensionOf(filter) === null)
  return known.filter(account =>
    filters.every(filter => filterTest(filter)(accountTextOf(account, filter.field))),
  )
}

/** The value that a filter on accounts compares. */
export const accountTextOf = (account: AccountFacts, field: Filter['field']): string =>
  account[accountFields[field] ?? 'name'] ?? ''

/** Where an account has the value that its filters compare. */
const accountFields: Partial<Record<Filter['field'], TextOfAccount>> = {
  ecid: 'ecid',
  account_id: 'external_id',
  account_name: 'name',
  ga_account_id: 'ga_account_id',
  ga4_account_id: 'ga_account_id',
  ga4_account_name: 'ga_account_name',
  property_id: 'property_id',
  property_name: 'property_name',
  view_id: 'external_id',
}
type TextOfAccount =
  | 'ecid'
  | 'external_id'
  | 'name'
  | 'ga_account_id'
  | 'ga_account_name'
  | 'property_id'
  | 'property_name'

function planBlock(
  block: ReportBlock,
  facts: {
    dimensions: Dimension[]
    catalogue: ChannelCatalogue
    language: Language
    label: string
    accounts: AccountFacts[]
  },
): Omit<PlannedBlock, 'refusal'> {
  const { catalogue, label, accounts } = facts
  const ids = [...new Set(block.metrics)]
  const measures = [...new Set(ids.flatMap(id => measuresOf(catalogue, id)))]
  const filters = block.filters.filter(filter => platformDimensionOf(filter) !== null)
  const { visible, hidden } = grainOf(facts.dimensions, filters)
  return {
    channel: block.channel,
    label,
    accounts: [...new Set(block.accounts)],
    metrics: ids.flatMap(id => planMetric(id, measures, facts)),
    measures: measures.map(id => ({ id, kind: measureKind(metricIn(catalogue, id)) })),
    dimensions: [...visible, ...hidden],
    filters,
    account_filters: block.filters.filter(filter => platformDimensionOf(filter) === null),
    currencies: [...new Set(accounts.map(account => account.currency))],
  }
}

function planMetric(
  id: string,
  measures: string[],
  { catalogue, language }: { catalogue: ChannelCatalogue; language: Language },
): PlannedMetric[] {
  const metric = metricIn(catalogue, id)
  if (!metric) return []
  const { names, unit, decimals } = metric
  if (metric.kind !== 'derived') {
    const texts = metric.texts?.map(text => text[language])
    return [{ id, names, unit, decimals, measure: measures.indexOf(id), ...(texts && { texts }) }]
  }
  const { numerator, denominator, up, down } = ratioOf(catalogue, metric)
  const sides = { numerator: measures.indexOf(numerator), denominator: measures.indexOf(denominator) }
  return [{ id, names, unit, decimals, ratio: { ...sides, up, down } }]
}

function measureKind(metric: Metric | undefined): Measure['kind'] {
  const isMoney = metric?.unit === 'money'
  if (metric?.kind === 'non_additive') return isMoney ? 'single_money' : 'single'
  return isMoney ? 'money' : 'count'
}

function requestOf(
  block: Omit<PlannedBlock, 'refusal'>,
  {
    block: index,
    account,
    range,
    time,
  }: { block: number; account: AccountFacts; range: DayRange; time: TimeGrain },
): PlannedRequest {
  const { provider, external_id, currency, timezone, via } = account
  return {
    block: index,
    account,
    request: {
      channel: block.channel,
      account: { provider, external_id, currency, timezone, via },
      range,
      time,
      dimensions: block.dimensions,
      metrics: block.measures.map(measure => measure.id),
      filters: block.filters,
    },
  }
}
