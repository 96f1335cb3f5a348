import type { Block, Report } from '#shared/api/reports.ts'
import { blendMetrics } from '#shared/blend.ts'
import { blockCatalogue, conversionOf, noMeanings, type MeantConversion } from '#shared/block-catalogue.ts'
import { grainOf, platformDimensionOf, whyNotAsk } from '#shared/block-rules.ts'
import { whyNotMeant } from '#shared/meaning-rules.ts'
import { catalogueOf as realCatalogueOf } from '#shared/channels/all.ts'
import type { ChannelCatalogue, Dimension, Filter, Metric } from '#shared/channels/catalogue.ts'
import { conversionSources } from '#shared/conversion-sources.ts'
import { filterTest } from '#shared/filter.ts'
import { metricIn, measuresOf } from '#shared/metrics.ts'
import type { TimeGrain } from '#server/connectors/connector.ts'
import { planMetric } from './plan-columns.ts'
import type { PlannedMoney } from './plan-money.ts'
import { requestsOf } from './plan-requests.ts'
import type {
  AccountFacts,
  ComparedPeriod,
  Measure,
  PlanFacts,
  PlannedBlock,
  PlannedRequest,
  TableFields,
} from './plan.ts'

/** A block with what it means: its catalogue, its definition and its accounts. */
export interface BlockSubject {
  block: Block
  catalogue: ChannelCatalogue
  conversion: MeantConversion | null
  /** Those that pass its account filters; null when one of its accounts may not be used. */
  accounts: AccountFacts[] | null
}

export function subjectOf(
  block: Block,
  { accounts, meanings = noMeanings, catalogueOf = realCatalogueOf }: PlanFacts,
): BlockSubject {
  const catalogue = catalogueOf(block.channel)
  const named = accountsOf(block, catalogue, accounts)
  const advertisers = (named ?? []).map(account => account.advertiser)
  const facts = { catalogue, meanings, advertisers }
  return {
    block,
    catalogue: blockCatalogue(block, facts),
    conversion: conversionOf(block, facts),
    accounts: named && filteredAccounts(block, named),
  }
}

interface BlockContext {
  index: number
  label: string
  report: TableFields
  subjects: readonly BlockSubject[]
  dimensions: Dimension[]
  time: TimeGrain
  compared: ComparedPeriod | null
  money: PlannedMoney
  facts: PlanFacts
}

export function planBlock(
  subject: BlockSubject,
  context: BlockContext,
): { block: PlannedBlock; requests: PlannedRequest[] } {
  const { block, accounts, catalogue } = subject
  const ids = [...new Set(block.metrics)]
  const blends = blendMetrics(context.report.blends ?? [], context.report.channels, context.index)
  const fetched = [...new Set([...ids, ...blends].flatMap(id => measuresOf(catalogue, id)))]
  const ofRange = fetched.map((id): Measure => ({ id, kind: measureKind(metricIn(catalogue, id)) }))
  const filters = block.filters.filter(filter => platformDimensionOf(filter) !== null)
  const { visible, hidden } = grainOf(context.dimensions, filters)
  const planned = {
    channel: block.channel,
    label: context.label,
    accounts: [...new Set(block.accounts)],
    metrics: ids.flatMap(id => planMetric(id, { ...context, catalogue, measures: fetched })),
    measures: context.compared ? [...ofRange, ...ofRange] : ofRange,
    dimensions: [...visible, ...hidden],
    filters,
    account_filters: block.filters.filter(filter => platformDimensionOf(filter) === null),
    currencies: currenciesOf(accounts ?? [], context.money.currency),
  }
  const steps = (accounts ?? []).map(account => stepsOf(subject, { account, planned: ofRange, context }))
  const refusal =
    whyNotPlan(subject, [...ids, ...blends], context) ??
    steps.flatMap(step => ('code' in step ? step : []))[0] ??
    null
  if (refusal) return { block: { ...planned, refusal }, requests: [] }
  const requests = (accounts ?? []).flatMap((account, at) => {
    const step = steps[at]
    return requestsOf(planned, {
      ...context,
      account,
      catalogue,
      range: context.facts.range,
      compared: context.compared?.range ?? null,
      conversion: subject.conversion && conversionSources(subject.conversion, block.channel, catalogue),
      measures: fetched.length,
      stepsOf: measure => (step && !('code' in step) ? (step.get(measure) ?? []) : []),
    })
  })
  return { block: { ...planned, refusal: null }, requests }
}

function currenciesOf(accounts: readonly AccountFacts[], currency: string | null): string[] {
  return currency === null ? [...new Set(accounts.map(account => account.currency))] : [currency]
}

type Refusal = NonNullable<PlannedBlock['refusal']>

function whyNotPlan(
  { block, catalogue, conversion, accounts }: BlockSubject,
  metrics: readonly string[],
  { index, dimensions, money }: BlockContext,
): Refusal | null {
  if (accounts === null) return { code: 'account_access_lost', detail: {} }
  const subject = { index, block: { ...block, metrics: [...metrics] }, dimensions, catalogue, accounts }
  const [why] = [...whyNotAsk(subject), ...whyNotMeant(subject, { conversion, currency: money.currency })]
  return why ? { code: why.code, detail: why.detail } : null
}

/** The factors of each measure of an account's money, or why there are none. */
function stepsOf(
  { block, catalogue }: BlockSubject,
  { account, planned, context: { money } }: StepContext,
): Map<string, number[]> | Refusal {
  const steps = new Map<string, number[]>()
  for (const { id, kind } of planned) {
    if (kind !== 'money' && kind !== 'single_money') continue
    const metric = metricIn(catalogue, id)
    const isCharged = metric?.kind === 'additive' && metric.from !== undefined
    const found = [
      isCharged ? money.feeOf(account, block.channel) : null,
      money.conversionOf(account.currency),
    ]
    const ofMeasure: number[] = []
    for (const each of found) {
      if (each && 'refusal' in each) return each.refusal
      if (each) ofMeasure.push(each.step)
    }
    if (ofMeasure.length > 0) steps.set(id, ofMeasure)
  }
  return steps
}

interface StepContext {
  account: AccountFacts
  planned: readonly Measure[]
  context: BlockContext
}

function measureKind(metric: Metric | undefined): Measure['kind'] {
  const isMoney = metric?.unit === 'money'
  if (metric?.kind === 'non_additive') return isMoney ? 'single_money' : 'single'
  return isMoney ? 'money' : 'count'
}

type ReportBlock = Report['channels'][number]

/** The accounts of a block; null when one of its accounts may not be used. */
function accountsOf(
  block: ReportBlock,
  { accounts_of = block.channel }: ChannelCatalogue,
  accounts: readonly AccountFacts[],
): AccountFacts[] | null {
  const own = [...new Set(block.accounts)].map(id =>
    accounts.find(account => account.id === id && account.channel === accounts_of),
  )
  const known = own.filter(account => account !== undefined)
  return known.length < own.length ? null : known
}

function filteredAccounts(block: ReportBlock, accounts: readonly AccountFacts[]): AccountFacts[] {
  const filters = block.filters.filter(filter => platformDimensionOf(filter) === null)
  return accounts.filter(account =>
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
