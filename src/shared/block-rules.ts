import type { Block } from './api/reports.ts'
import {
  dimensions as allDimensions,
  filterFields,
  type ChannelCatalogue,
  type Dimension,
  type Filter,
  type FilterField,
  type Metric,
  type PlatformDimension,
} from './channels/catalogue.ts'
import type { ErrorCode } from './errors.ts'
import { factsOf, measuresOf } from './metrics.ts'
import type { Provider } from './platforms.ts'

/** Why a report cannot be saved or a block cannot be fetched; `path` as in "channels.0.metrics". */
export interface Violation {
  code: ErrorCode
  path: string
  detail: ViolationDetail
}

/**
 * `reason` says which rule; `remove` and `add` name dimensions, metrics or filter fields, any one of which
 * fixes it.
 */
export interface ViolationDetail {
  reason?: CombinationReason
  remove?: string[]
  add?: string[]
  [fact: string]: string | number | string[] | undefined
}

export type CombinationReason =
  | 'dimension_not_offered'
  | 'metric_not_offered'
  | 'filter_not_offered'
  | 'metric_beside_dimension'
  | 'metric_without_dimension'
  | 'metric_over_several_accounts'
  | 'metric_beside_finer_filter'
  | 'metric_beside_metric'
  | 'metric_not_of_provider'
  | 'dimension_not_of_provider'
  | 'dimensions_apart'
  | 'conversion_not_offered'
  | 'money_without_month'
  | 'blends_need_joined'
  | 'week_needs_weekday'
  | 'month_needs_date'
  | 'month_needs_first'

/** The platform dimensions that a block is fetched by. */
export interface BlockGrain {
  /** Those of the table, in its order. */
  visible: PlatformDimension[]
  /** Those that only a filter uses; the table sums over them. */
  hidden: PlatformDimension[]
}

/** From coarse to fine: a finer one belongs to exactly one of each coarser. */
const hierarchy: readonly PlatformDimension[] = ['campaign', 'ad_group', 'ad']

export function grainOf(dimensions: readonly Dimension[], filters: readonly Filter[]): BlockGrain {
  const visible = [...new Set(dimensions.filter(isPlatformDimension))]
  const lookedAt = new Set(filters.flatMap(filter => platformDimensionOf(filter) ?? []))
  return { visible, hidden: [...lookedAt].filter(dimension => !visible.includes(dimension)) }
}

/** The dimension of a filter; null for filters on accounts. */
export function platformDimensionOf({ field }: Filter): PlatformDimension | null {
  const { of } = filterFields[field]
  return of === 'account' ? null : of
}

export function isPlatformDimension(dimension: Dimension): dimension is PlatformDimension {
  const { kind } = allDimensions[dimension]
  return kind === 'entity' || kind === 'breakdown'
}

/** Whether fetching by it splits rows that the table shows as one. A campaign does not split ad groups. */
const isFiner = (dimension: PlatformDimension, visible: readonly PlatformDimension[]) =>
  !visible.includes(dimension) &&
  !(
    hierarchy.includes(dimension) &&
    hierarchy.slice(hierarchy.indexOf(dimension)).some(at => visible.includes(at))
  )

interface BlockSubject {
  index: number
  block: Pick<Block, 'channel' | 'metrics' | 'filters'>
  dimensions: readonly Dimension[]
  catalogue: ChannelCatalogue
  /** The accounts to fetch. */
  accounts: readonly { provider: Provider }[]
}

/** Every reason why a block cannot be fetched at the grain of the table. */
export function whyNotAsk(subject: BlockSubject): Violation[] {
  const refusals = [
    ...unknownDimensions(subject),
    ...unknownFilters(subject),
    ...foreignDimensions(subject),
    ...apartDimensions(subject),
    ...badMetrics(subject),
  ]
  // One name may mean two metrics of two channels.
  const { channel } = subject.block
  return refusals.map(refusal => ({ ...refusal, detail: { ...refusal.detail, channel } }))
}

function unknownDimensions({ index, dimensions, catalogue }: BlockSubject): Violation[] {
  return dimensions
    .filter(dimension => !catalogue.dimensions.includes(dimension))
    .map(dimension =>
      combination('dimensions', 'dimension_not_offered', {
        dimension,
        block: index,
        remove: [dimension],
      }),
    )
}

function unknownFilters({ index, block, catalogue }: BlockSubject): Violation[] {
  return block.filters.flatMap(({ field }, position) =>
    catalogue.filters.includes(field)
      ? []
      : combination(`channels.${index}.filters.${position}`, 'filter_not_offered', {
          filter: field,
          remove: [field],
        }),
  )
}

/** What a block is split by, and what makes it so: the table, or a filter on it. */
function splitsOf({ dimensions, block }: BlockSubject): { dimension: Dimension; filter?: FilterField }[] {
  const hidden = block.filters.flatMap(filter => {
    const dimension = platformDimensionOf(filter)
    return dimension === null || dimensions.includes(dimension) ? [] : [{ dimension, filter: filter.field }]
  })
  return [...dimensions.map(dimension => ({ dimension })), ...hidden]
}

/**
 * Dimensions that one of the block's accounts does not have, since it is of another product of the platform.
 */
function foreignDimensions(subject: BlockSubject): Violation[] {
  const { index, catalogue, accounts } = subject
  return splitsOf(subject).flatMap(({ dimension, filter }) => {
    const knownTo = catalogue.dimension_providers?.[dimension]
    if (!knownTo || accounts.every(({ provider }) => knownTo.includes(provider))) return []
    const path = filter ? `channels.${index}.filters` : 'dimensions'
    const detail = { dimension, block: index, remove: [filter ?? dimension] }
    return combination(path, 'dimension_not_of_provider', detail)
  })
}

function apartDimensions(subject: BlockSubject): Violation[] {
  const { index, catalogue } = subject
  const splits = splitsOf(subject)
  return (catalogue.apart ?? []).flatMap(([one, other]) => {
    const first = splits.find(({ dimension }) => dimension === one)
    const second = splits.find(({ dimension }) => dimension === other)
    if (!first || !second) return []
    const hidden = second.filter ?? first.filter
    const path = hidden ? `channels.${index}.filters` : 'dimensions'
    const remove = [first.filter ?? one, second.filter ?? other]
    const detail = { dimension: one, other, block: index, remove }
    return combination(path, 'dimensions_apart', detail)
  })
}

function badMetrics(subject: BlockSubject): Violation[] {
  const { index, block, catalogue } = subject
  return block.metrics.flatMap(id => {
    const facts = factsOf(catalogue, id)
    if (measuresOf(catalogue, id).length === 0) {
      const detail = { metric: id, remove: [id] }
      return combination(`channels.${index}.metrics`, 'metric_not_offered', detail)
    }
    return [
      ...besideDimensions(subject, id, facts),
      ...besideMetrics(subject, id, facts),
      ...ofOtherProviders(subject, id, facts),
      ...(facts.some(metric => metric.kind === 'non_additive') ? notSummed(subject, id) : []),
    ]
  })
}

function besideDimensions(subject: BlockSubject, metric: string, facts: Metric[]): Violation[] {
  const { index, block, dimensions } = subject
  const never = new Set(facts.flatMap(fact => fact.not_with ?? []))
  const path = `channels.${index}.metrics`
  const visible = dimensions
    .filter(dimension => never.has(dimension))
    .map(dimension =>
      combination(path, 'metric_beside_dimension', { metric, dimension, remove: [metric, dimension] }),
    )
  const hidden = block.filters.flatMap(filter => {
    const dimension = platformDimensionOf(filter)
    if (dimension === null || dimensions.includes(dimension) || !never.has(dimension)) return []
    const detail = { metric, dimension, filter: filter.field, remove: [metric, filter.field] }
    return combination(path, 'metric_beside_dimension', detail)
  })
  return [...visible, ...hidden, ...withoutDimensions(subject, metric, facts)]
}

function besideMetrics(
  { index, block, catalogue }: BlockSubject,
  metric: string,
  facts: Metric[],
): Violation[] {
  const never = new Set(facts.flatMap(fact => fact.not_beside ?? []))
  const other = block.metrics.find(
    id => id !== metric && measuresOf(catalogue, id).some(part => never.has(part)),
  )
  if (other === undefined) return []
  const detail = { metric, other, remove: [metric, other] }
  return [combination(`channels.${index}.metrics`, 'metric_beside_metric', detail)]
}

function ofOtherProviders({ index, accounts }: BlockSubject, metric: string, facts: Metric[]): Violation[] {
  const has = ({ provider }: { provider: Provider }) =>
    facts.every(({ providers }) => providers === undefined || providers.includes(provider))
  if (accounts.every(has)) return []
  const detail = { metric, remove: [metric] }
  return [combination(`channels.${index}.metrics`, 'metric_not_of_provider', detail)]
}

function withoutDimensions(
  { index, dimensions }: BlockSubject,
  metric: string,
  facts: Metric[],
): Violation[] {
  const missing = facts
    .flatMap(fact => fact.only_with ?? [])
    .filter(dimension => !dimensions.includes(dimension))
  if (missing.length === 0) return []
  const add = [...new Set(missing)]
  return [
    combination(`channels.${index}.metrics`, 'metric_without_dimension', { metric, remove: [metric], add }),
  ]
}

/** Beside any of these every row is of one account. */
const separating: readonly Dimension[] = ['account_name', 'account_id', 'view']

/** What cannot be summed has to be given by the platform for exactly the rows of the table. */
function notSummed({ index, block, dimensions, accounts }: BlockSubject, metric: string): Violation[] {
  const { visible } = grainOf(dimensions, [])
  const refusals: Violation[] = []
  if (accounts.length > 1 && !separating.some(dimension => dimensions.includes(dimension))) {
    const detail = { metric, remove: [metric], add: ['account_name', 'account_id'] }
    refusals.push(combination(`channels.${index}.metrics`, 'metric_over_several_accounts', detail))
  }
  for (const filter of block.filters) {
    const dimension = platformDimensionOf(filter)
    if (dimension === null || !isFiner(dimension, visible)) continue
    const detail = { metric, filter: filter.field, remove: [metric, filter.field], add: [dimension] }
    refusals.push(combination(`channels.${index}.filters`, 'metric_beside_finer_filter', detail))
  }
  return refusals
}

const combination = (path: string, reason: CombinationReason, detail: ViolationDetail): Violation => ({
  code: 'combination_not_allowed',
  path,
  detail: { reason, ...detail },
})
