import type { Comparison, Report, TableSort } from '#shared/api/reports.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import type { ViolationDetail } from '#shared/block-rules.ts'
import { catalogueOf as realCatalogueOf } from '#shared/channels/all.ts'
import type {
  Channel,
  ChannelCatalogue,
  Dimension,
  Filter,
  Metric,
  PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { comparedRange } from '#shared/comparison.ts'
import type { DayRange } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { blockLabels } from '#shared/headers.ts'
import type { Language } from '#shared/language.ts'
import type { Ratio } from '#shared/metrics.ts'
import type { Provider } from '#shared/platforms.ts'
import type { ReportRequest, TimeGrain } from '#server/connectors/connector.ts'
import type { Expression } from './expression.ts'
import type { MonthFactors } from './factors.ts'
import { planBlends } from './plan-blends.ts'
import { planBlock, subjectOf } from './plan-block.ts'
import { noMoney, planMoney, type MoneyFacts } from './plan-money.ts'

/** What the table needs of a report. */
export type TableFields = Pick<
  Report,
  'dimensions' | 'channels' | 'arrangement' | 'fill_zero' | 'header_language'
> &
  Partial<Pick<Report, 'sort' | 'limit' | 'currency' | 'comparison' | 'blends'>>

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
  /** The period that the table is compared with; null: none. */
  compared: ComparedPeriod | null
  /** Columns over several blocks. */
  blends: PlannedBlend[]
  /** What money is multiplied by, month by month. */
  factors: MonthFactors[]
  /** Rates that can still change: "2026-11 USD". */
  provisional_rates: string[]
}

export interface ComparedPeriod extends Pick<Comparison, 'to' | 'align'> {
  range: DayRange
}

export interface PlannedBlock {
  channel: Channel
  label: string
  /** The accounts named by the report, whether they are fetched or not. */
  accounts: number[]
  /** The columns of the block, in order. */
  metrics: PlannedMetric[]
  /** What is fetched for them; those of the compared period follow, in the same order. */
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
  /** Of the money in its columns: the one that it is converted to, or those of the accounts. */
  currencies: string[]
  /** Why nothing is fetched for this block; null when it is. */
  refusal: { code: ErrorCode; detail: ViolationDetail } | null
}

/** `id` is that of the catalogue's metric; columns beside it that compare it have one of their own. */
export type PlannedMetric = Pick<Metric, 'names' | 'unit' | 'decimals'> & { id: string } &
  /** `texts` are printed for the numbers 0, 1, 2 … of a metric that is a text. */
  (
    | { measure: number; texts?: string[] }
    | { ratio: MeasureRatio }
    /** `is_compared`: it is empty in rows whose day has no match in the compared period. */
    | { expression: Expression; is_compared?: true }
  )

export type PlannedBlend = Pick<Metric, 'names' | 'unit' | 'decimals'> & {
  expression: Expression
  is_compared?: true
}

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
  /** Where the columns of its response go; left out: each to the measure of its position. */
  feeds?: Feed[]
  /** It is of the compared period. */
  is_compared?: true
}

export interface Feed {
  /** The position of the column in a response. */
  column: number
  measure: number
  /** Positions of the plan's factors that its money is multiplied by, one after the other. */
  steps?: number[]
}

/** What a plan is made of beside the report. */
export interface PlanFacts {
  /** Those that the report's owner may use today. */
  accounts: readonly AccountFacts[]
  range: DayRange
  meanings?: Meanings
  money?: MoneyFacts
  catalogueOf?: (channel: Channel) => ChannelCatalogue
}

/**
 * The requests of a report, each at the grain of the table. A block that names an account that its owner may
 * not use is refused with account_access_lost. Account filters decide which accounts get a request at all.
 */
export function planReport(report: TableFields, facts: PlanFacts): Plan {
  const { range, catalogueOf = realCatalogueOf } = facts
  const dimensions = [...new Set(report.dimensions)]
  const time = timeGrainOf(dimensions)
  const labels = blockLabels(report.channels, report.header_language, catalogueOf)
  const compared = comparedPeriod(report, range)
  const money = planMoney(facts.money ?? noMoney, { currency: report.currency ?? null, range, compared })
  const requests: PlannedRequest[] = []
  const context = { report, facts, dimensions, time, compared, money }
  const subjects = report.channels.map(block => subjectOf(block, facts))
  const blocks = report.channels.map((block, index): PlannedBlock => {
    const subject = subjects[index] ?? subjectOf(block, facts)
    const planned = planBlock(subject, { ...context, index, subjects, label: labels[index] ?? '' })
    requests.push(...planned.requests)
    return planned.block
  })
  const { arrangement, fill_zero, sort = null, limit = null, header_language: language } = report
  return {
    range,
    time,
    dimensions,
    arrangement,
    fill_zero,
    sort,
    limit,
    language,
    blocks,
    requests,
    compared,
    blends: planBlends(report, { subjects, blocks, compared }),
    factors: money.factors(),
    provisional_rates: money.provisional(),
  }
}

/** The coarsest slices of days that every time dimension of the table can be derived from. */
function timeGrainOf(dimensions: readonly Dimension[]): TimeGrain {
  if (dimensions.includes('date')) return 'date'
  const month = dimensions.includes('month')
  if (dimensions.includes('week')) return month ? 'month_week' : 'week'
  return month ? 'month' : 'total'
}

function comparedPeriod({ comparison = null }: TableFields, range: DayRange): ComparedPeriod | null {
  if (comparison === null) return null
  const { to, align } = comparison
  return { to, align, range: comparedRange(range, comparison) }
}
