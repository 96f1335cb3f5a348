import { z } from 'zod'
import { EmptyBecause } from '#shared/api/executions.ts'
import type { Filter } from '#shared/channels/catalogue.ts'
import { platformDimensionOf } from '#shared/block-rules.ts'
import { filterTest } from '#shared/filter.ts'
import {
  ReportPending,
  PlatformFailure,
  type ReportRequest,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import type { Plan, PlannedBlock, PlannedRequest } from '#server/table/plan.ts'
import { textsOf } from '#server/connectors/text-column.ts'

/** How many of a block's accounts are checked; one that has a reason is enough. */
const ACCOUNTS = 3

export interface WhyContext {
  sourceOf: (planned: PlannedRequest) => Promise<Source | null>
  context: ConnectorContext
}

/**
 * Why blocks have come back without rows: login, access, account, delivery, filters, level, in this order. A
 * check may fail, and then the reason is unknown. Throws ReportPending where the platform has to prepare
 * reports first; the next attempt then calls `prepareWhy` before it reads what no cache keeps.
 */
export async function whyEmpty(
  plan: Plan,
  indexes: readonly number[],
  access: WhyContext,
): Promise<Map<number, EmptyBecause>> {
  const waits = await prepareAll(plan, indexes, access)
  if (waits.length > 0) {
    const { jobs } = access.context
    await jobs.forget(EMPTY_BLOCKS)
    await jobs.startOnce(EMPTY_BLOCKS, async () => JSON.stringify(indexes))
    throw new ReportPending(Math.min(...waits))
  }
  const causes = new Map<number, EmptyBecause>()
  for (const index of indexes) causes.set(index, await whyBlock(plan, index, access))
  return causes
}

/**
 * Continues with what an earlier attempt has begun; returns for how long not to poll the platforms. Platforms
 * delete a report once it is read: waiting here, before the table's own reports are read, spares them from
 * being prepared again for each poll.
 */
export async function prepareWhy(plan: Plan, access: WhyContext): Promise<number[]> {
  return await prepareAll(plan, await foundEmpty(access.context), access)
}

/** Among the run's jobs: the blocks that an earlier attempt found without rows. */
const EMPTY_BLOCKS = 'blocks without rows'

async function foundEmpty({ jobs }: ConnectorContext): Promise<number[]> {
  const found = await jobs.find(EMPTY_BLOCKS)
  return found === null ? [] : z.array(z.int()).parse(JSON.parse(found))
}

/**
 * Requests every report that the reasons may need, of all blocks at once. A failed one is not requested
 * again: a report that fails would be requested anew for as long as another one is pending, and the run would
 * never end.
 */
async function prepareAll(plan: Plan, indexes: readonly number[], access: WhyContext): Promise<number[]> {
  const waits: number[] = []
  const prepare = async (block: PlannedBlock, planned: PlannedRequest) => {
    const { request } = planned
    if ((await failureOf(plan, planned, access)) !== null) return
    const names = block.filters.flatMap(filter => labelsRequest(filter, request) ?? [])
    for (const needed of [totalRequest(request), ...names]) {
      try {
        const source = await access.sourceOf(planned)
        await source?.prepare(needed, access.context)
      } catch (error) {
        access.context.signal.throwIfAborted()
        if (!(error instanceof ReportPending)) {
          await access.context.jobs.startOnce(failureKey(plan, planned), async () => causeOf(error), 'note')
          return
        }
        waits.push(error.poll_after_ms)
      }
    }
  }
  await Promise.all(
    indexes.flatMap(index => {
      const block = plan.blocks[index]
      return block ? requestsOf(plan, index).map(planned => prepare(block, planned)) : []
    }),
  )
  return waits
}

/** Among the run's jobs: why there is no reason for a request, since the check has failed. */
const failureKey = (plan: Plan, planned: PlannedRequest) =>
  `no reason: question ${plan.requests.indexOf(planned)}`

async function failureOf(plan: Plan, planned: PlannedRequest, { context }: WhyContext) {
  const cause = await context.jobs.find(failureKey(plan, planned))
  return cause === null ? null : EmptyBecause.shape.cause.parse(cause)
}

const requestsOf = (plan: Plan, index: number) =>
  plan.requests
    .filter(({ block, is_compared }) => block === index && !is_compared)
    // Of several requests for an account the first one is enough.
    .filter(({ account }, at, all) => all.findIndex(other => other.account.id === account.id) === at)
    .slice(0, ACCOUNTS)

async function whyBlock(plan: Plan, index: number, access: WhyContext): Promise<EmptyBecause> {
  const block = plan.blocks[index]
  const plannedRequests = requestsOf(plan, index)
  if (!block || plannedRequests.length === 0) return { cause: 'account_filter', detail: accountFilter(block) }
  let found: EmptyBecause = { cause: 'unknown', detail: {} }
  for (const planned of plannedRequests) {
    found = await whyOne(plan, { block, planned }, access)
    // An account with delivery explains more than one without.
    if (found.cause !== 'no_delivery' && found.cause !== 'disabled') return found
  }
  return found
}

function accountFilter(block: PlannedBlock | undefined) {
  const filter = block?.account_filters[0]
  return filter ? detailOf(filter) : {}
}

async function whyOne(
  plan: Plan,
  { block, planned }: { block: PlannedBlock; planned: PlannedRequest },
  access: WhyContext,
): Promise<EmptyBecause> {
  const { account } = planned
  const about = { account: account.name }
  const failure = await failureOf(plan, planned, access)
  if (failure !== null) return { cause: failure, detail: about }
  try {
    const source = await access.sourceOf(planned)
    if (!source) return { cause: 'credential', detail: about }
    const { status } = await source.checkAccount(planned.request.account, access.context)
    if (!(await hasDelivery(planned, source, access.context)))
      return { cause: status === 'disabled' ? 'disabled' : 'no_delivery', detail: about }
    return await whichFilter(block, planned, { source, context: access.context })
  } catch (error) {
    access.context.signal.throwIfAborted()
    // The result is being prepared: the run waits for it as it does for any report.
    if (error instanceof ReportPending) throw error
    return { cause: causeOf(error), detail: about }
  }
}

function causeOf(error: unknown): EmptyBecause['cause'] {
  if (!(error instanceof PlatformFailure)) return 'unknown'
  if (error.code === 'credential_expired' || error.code === 'credential_missing') return 'credential'
  if (error.code === 'account_access_lost') return 'access'
  return error.code === 'history_limit' || error.code === 'channel_retired' ? 'history' : 'unknown'
}

/** Whether anything at all was delivered in the account: its own total over the range. */
async function hasDelivery(
  { request }: PlannedRequest,
  source: Source,
  context: ConnectorContext,
): Promise<boolean> {
  for await (const page of source.fetchReport(totalRequest(request), context)) {
    if (page.metrics.some(column => column.subarray(0, page.length).some(value => value > 0))) return true
  }
  return false
}

const totalRequest = (request: ReportRequest): ReportRequest => ({
  ...request,
  time: 'total',
  dimensions: [],
  filters: [],
})

interface AtSource {
  source: Source
  context: ConnectorContext
}

/** The first filter that matches no row of its dimension. */
async function whichFilter(
  block: PlannedBlock,
  { request }: PlannedRequest,
  at: AtSource,
): Promise<EmptyBecause> {
  for (const filter of block.filters) {
    const labels = await labelsFor(filter, request, at)
    if (labels && !labels.some(filterTest(filter))) return { cause: 'filter', detail: detailOf(filter) }
  }
  return { cause: block.filters.length > 1 ? 'filters_together' : 'level', detail: {} }
}

async function labelsFor(filter: Filter, request: ReportRequest, { source, context }: AtSource) {
  const labelRequest = labelsRequest(filter, request)
  if (labelRequest === null) return null
  const labels = new Set<string>()
  for await (const { dimensions, length } of source.fetchReport(labelRequest, context)) {
    const [column] = dimensions
    const texts = column?.labels ?? column?.keys
    if (texts) for (const text of textsOf(texts, length)) labels.add(text)
  }
  return [...labels]
}

function labelsRequest(filter: Filter, request: ReportRequest): ReportRequest | null {
  const dimension = platformDimensionOf(filter)
  return dimension === null ? null : { ...totalRequest(request), dimensions: [dimension] }
}

const detailOf = ({ field, rule, values }: Filter) => ({ filter: field, rule, values: values.slice(0, 3) })
