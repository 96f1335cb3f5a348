import type { EmptyBecause } from '#shared/api/executions.ts'
import type { Filter } from '#shared/channels/catalogue.ts'
import { platformDimensionOf } from '#shared/block-rules.ts'
import { filterTest } from '#shared/filter.ts'
import {
  JobUnderWay,
  PlatformFailure,
  type ReportRequest,
  type Source,
  type World,
} from '#server/connectors/connector.ts'
import type { Plan, PlannedBlock, Question } from './plan.ts'

/** How many of a block's accounts are asked why; one that has an answer is enough. */
const ACCOUNTS = 3

export interface Asking {
  sourceOf: (question: Question) => Promise<Source | null>
  world: World
}

/**
 * Why a block has come back without rows: login, access, account, delivery, filters, level, in this order. Asking may fail, and then nobody
 * knows. Throws JobUnderWay where the platform has to make a report first.
 */
export async function whyEmpty(plan: Plan, index: number, asking: Asking): Promise<EmptyBecause> {
  const block = plan.blocks[index]
  const questions = plan.questions.filter(question => question.block === index)
  if (!block || questions.length === 0) return { cause: 'account_filter', detail: accountFilter(block) }
  let found: EmptyBecause = { cause: 'unknown', detail: {} }
  for (const question of questions.slice(0, ACCOUNTS)) {
    found = await whyOne(block, question, asking)
    // An account that has had delivery tells more than one that has not.
    if (found.cause !== 'no_delivery' && found.cause !== 'disabled') return found
  }
  return found
}

function accountFilter(block: PlannedBlock | undefined) {
  const filter = block?.account_filters[0]
  return filter ? detailOf(filter) : {}
}

async function whyOne(block: PlannedBlock, question: Question, asking: Asking): Promise<EmptyBecause> {
  const { account } = question
  const about = { account: account.name }
  try {
    const source = await asking.sourceOf(question)
    if (!source) return { cause: 'credential', detail: about }
    const { status } = await source.checkAccount(question.request.account, asking.world)
    if (!(await hasDelivery(question, source, asking.world)))
      return { cause: status === 'disabled' ? 'disabled' : 'no_delivery', detail: about }
    return await whichFilter(block, question, { source, world: asking.world })
  } catch (error) {
    asking.world.signal.throwIfAborted()
    // The answer is being made: the run waits for it as it does for any report.
    if (error instanceof JobUnderWay) throw error
    return { cause: causeOf(error), detail: about }
  }
}

function causeOf(error: unknown): EmptyBecause['cause'] {
  if (!(error instanceof PlatformFailure)) return 'unknown'
  if (error.code === 'credential_expired' || error.code === 'credential_missing') return 'credential'
  if (error.code === 'account_access_lost') return 'access'
  return error.code === 'history_limit' || error.code === 'channel_retired' ? 'history' : 'unknown'
}

/** Whether anything at all happened in the account: its own total over the range. */
async function hasDelivery({ request }: Question, source: Source, world: World): Promise<boolean> {
  const total: ReportRequest = { ...request, time: 'total', dimensions: [], filters: [] }
  await source.prepare(total, world)
  for await (const page of source.fetchReport(total, world)) {
    if (page.metrics.some(column => column.subarray(0, page.length).some(value => value > 0))) return true
  }
  return false
}

interface AtSource {
  source: Source
  world: World
}

/** The first filter that no row of its dimension passes. */
async function whichFilter(block: PlannedBlock, { request }: Question, at: AtSource): Promise<EmptyBecause> {
  for (const filter of block.filters) {
    const labels = await labelsFor(filter, request, at)
    if (labels && !labels.some(filterTest(filter))) return { cause: 'filter', detail: detailOf(filter) }
  }
  return { cause: block.filters.length > 1 ? 'filters_together' : 'level', detail: {} }
}

async function labelsFor(filter: Filter, request: ReportRequest, { source, world }: AtSource) {
  const dimension = platformDimensionOf(filter)
  if (dimension === null) return null
  const asked: ReportRequest = { ...request, time: 'total', dimensions: [dimension], filters: [] }
  await source.prepare(asked, world)
  const labels = new Set<string>()
  for await (const { dimensions, length } of source.fetchReport(asked, world)) {
    const [column] = dimensions
    for (let row = 0; row < length; row++) labels.add((column?.labels ?? column?.keys)?.[row] ?? '')
  }
  return [...labels]
}

const detailOf = ({ field, rule, values }: Filter) => ({ filter: field, rule, values: values.slice(0, 3) })
