import type { ConversionSources } from '#shared/conversion-sources.ts'
import type { ChannelCatalogue } from '#shared/channels/catalogue.ts'
import type { DayRange } from '#shared/date-range.ts'
import { metricIn } from '#shared/metrics.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import type { AccountFacts, Feed, PlannedBlock, PlannedRequest } from './plan.ts'

export interface RequestFacts {
  /** The position of the block in the plan. */
  index: number
  account: AccountFacts
  catalogue: ChannelCatalogue
  time: TimeGrain
  range: DayRange
  /** The period that the table is compared with. */
  compared: DayRange | null
  /** What the block's conversions are counted by; null: the platform's own. */
  conversion: ConversionSources | null
  /** How many of the block's measures are of the range; those of the compared period follow. */
  measures: number
  /** The factors that each row of a measure is multiplied by, by their positions in the plan. */
  stepsOf: (measure: string) => number[]
}

/**
 * The requests of a block for one account: as a rule one. Money that has a factor by month is asked by month,
 * apart from what the platform alone can count over all of the range; so are actions that cannot stand beside
 * cost; and the compared period is asked like the range.
 */
export function requestsOf(block: Omit<PlannedBlock, 'refusal'>, facts: RequestFacts): PlannedRequest[] {
  const sources = block.measures
    .slice(0, facts.measures)
    .flatMap(({ id }, measure) => sourcesOf(id, measure, facts))
  const grouped = Map.groupBy(withGrain(sources, facts), ({ time, isApart }) => `${time} ${isApart}`)
  const now = [...grouped.values()].map(group => requestOf(block, group, facts))
  const { compared, measures } = facts
  if (!compared) return now.map(request => withPlainFeeds(request, measures))
  return [...now, ...now.map(request => thenRequest(request, compared, measures))].map(request =>
    withPlainFeeds(request, measures),
  )
}

/** A column of a response that goes into a measure. */
interface Source {
  metric: string
  measure: number
  isAction: boolean
  steps: number[]
}

function sourcesOf(id: string, measure: number, { conversion, catalogue, stepsOf }: RequestFacts): Source[] {
  const steps = stepsOf(id)
  const plain = (metric: string): Source => ({ metric, measure, isAction: false, steps })
  if (conversion && (id === 'conversions' || id === 'conversion_value')) {
    const metrics = id === 'conversions' ? conversion.metrics : conversion.values
    const action = { metric: id, measure, isAction: true, steps }
    return [...(conversion.actions.length > 0 ? [action] : []), ...metrics.map(plain)]
  }
  const metric = metricIn(catalogue, id)
  return [plain((metric?.kind === 'additive' && metric.from) || id)]
}

type Grained = Source & { time: TimeGrain; isApart: boolean }

function withGrain(sources: readonly Source[], { time, catalogue }: RequestFacts): Grained[] {
  const monthly = monthlyGrain(time)
  const isMonthly = ({ steps }: Source) => steps.length > 0 && monthly !== time
  const isSummed = ({ metric: id }: Source) => {
    const metric = metricIn(catalogue, id)
    return metric?.kind === 'additive' && !metric.spans_days
  }
  // What months add up to needs no request of its own.
  const allByMonth = sources.some(isMonthly) && sources.every(isSummed)
  return sources.map(source => ({
    ...source,
    time: allByMonth || isMonthly(source) ? monthly : time,
    isApart: source.isAction && catalogue.actions === 'apart',
  }))
}

function monthlyGrain(time: TimeGrain): TimeGrain {
  if (time === 'total') return 'month'
  return time === 'week' ? 'month_week' : time
}

function requestOf(
  block: Omit<PlannedBlock, 'refusal'>,
  group: readonly Grained[],
  { index, account, range, conversion }: RequestFacts,
): PlannedRequest {
  const { provider, external_id, currency, timezone, via } = account
  const metrics = [...new Set(group.map(({ metric }) => metric))]
  const [first] = group
  const actions = group.some(({ isAction }) => isAction) ? (conversion?.actions ?? []) : []
  return {
    block: index,
    account,
    request: {
      channel: block.channel,
      account: { provider, external_id, currency, timezone, via },
      range,
      time: first?.time ?? 'total',
      dimensions: block.dimensions,
      metrics,
      filters: block.filters,
      ...(actions.length > 0 && { actions }),
    },
    feeds: group.map(({ metric, measure, steps }) => ({
      column: metrics.indexOf(metric),
      measure,
      ...(steps.length > 0 && { steps }),
    })),
  }
}

const thenRequest = (
  { request, feeds = [], ...planned }: PlannedRequest,
  compared: DayRange,
  measures: number,
): PlannedRequest => ({
  ...planned,
  request: { ...request, range: compared },
  feeds: feeds.map((feed): Feed => ({ ...feed, measure: feed.measure + measures })),
  is_compared: true,
})

/** Feeds are left out where each column goes to the measure of its position, as in most plans. */
function withPlainFeeds({ feeds = [], ...request }: PlannedRequest, measures: number): PlannedRequest {
  const isPlain =
    feeds.length === measures &&
    feeds.every(({ column, measure, steps }, at) => column === at && measure === at && !steps)
  return isPlain ? request : { ...request, feeds }
}
