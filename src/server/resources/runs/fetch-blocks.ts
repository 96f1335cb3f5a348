import type { Service } from '#shared/connect.ts'
import type { BlockOutcome, BlockProgress } from '#shared/api/executions.ts'
import { errorFacts } from '#shared/errors.ts'
import { isSameZone } from '#shared/zone-names.ts'
import {
  ReportPending,
  PlatformFailure,
  type Jobs,
  type ReportRequest,
  type RunNote,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { inParallel } from '#server/in-parallel.ts'
import type { AccountFacts, Plan, PlannedRequest } from '#server/table/plan.ts'
import { dayProgress, type DayProgress } from './day-progress.ts'
import { openReconciliation, type Reconciliation } from './reconciliation.ts'
import type { TableCollector } from '#server/table/shape.ts'
import { prepareWhy, whyEmpty } from './why-empty.ts'

export interface FetchEffects extends Pick<
  ConnectorContext,
  'fetch' | 'hosts' | 'tokens' | 'limiter' | 'now' | 'sleep' | 'signal'
> {
  /**
   * The platform of an account, with the login that reaches it; null: it is not connected, or not used for
   * the service, which is reporting unless another one is named.
   */
  sourceOf: (
    account: Pick<AccountFacts, 'provider' | 'public_account' | 'external_id'> & { service?: Service },
  ) => Promise<Source | null>
  jobs: Jobs
  /** Left out: the rows are compared with the accounts' own totals, which are fetched, too. */
  is_proven?: false
  /** Called after each page. */
  onProgress: (progress: FetchProgress) => Promise<void>
  /** Called before the run waits for some of the blocks. */
  onWait?: (progress: FetchProgress) => Promise<void>
}

export interface FetchProgress {
  blocks: BlockOutcome[]
  platform_requests: number
  notes: BlockNote[]
}

export type BlockNote = RunNote & { block: number | null }

/** Accounts of one report that are fetched at the same time. */
const AT_ONCE = 4

/**
 * Sends every request of the plan and passes the pages to the table. A block with a permanent failure ends as
 * an error and does not stop the others; a temporary failure is thrown, since the whole run then waits. So is
 * ReportPending, once every request that needs a report has had it requested, and before anything is read
 * that would have to be read again.
 */
export async function fetchBlocks(
  plan: Plan,
  table: TableCollector,
  effects: FetchEffects,
): Promise<FetchProgress> {
  const progress: FetchProgress = { blocks: blocksOf(plan), platform_requests: 0, notes: planNotes(plan) }
  const failed = new AbortController()
  const began = performance.now()
  const fetching: FetchContext = {
    plan,
    table,
    progress,
    reconciliation: openReconciliation(effects.is_proven === false ? { ...plan, requests: [] } : plan),
    days: dayProgress(plan),
    elapsed: () => Math.round(performance.now() - began),
    effects: counting({ ...effects, signal: AbortSignal.any([effects.signal, failed.signal]) }, progress),
  }
  const each = async (work: (planned: PlannedRequest, index: number) => Promise<void>) => {
    const stopAll = (error: unknown) => {
      failed.abort(error)
      throw error
    }
    await inParallel(plan.requests, AT_ONCE, (planned, index) => work(planned, index).catch(stopAll)).finally(
      () => effects.signal.throwIfAborted(),
    )
  }
  const waits: number[] = []
  await each((planned, index) => prepare(planned, index, { fetching, waits })).catch(showWait)
  waits.push(...(await prepareWhy(plan, whyContextOf(effects))))
  if (waits.length > 0) await showWait(new ReportPending(Math.min(...waits)))
  await each((planned, index) => read(planned, index, fetching)).catch(showWait)
  progress.blocks.forEach((block, index) => {
    block.progress = null
    if (block.status === 'error') table.drop(index)
    else block.proof = fetching.reconciliation.of(index)
  })
  return progress

  /** Before the run waits, its page gets to know which of its channels it waits for. */
  async function showWait(error: unknown): Promise<never> {
    if (progress.blocks.some(block => block.progress?.waits)) await effects.onWait?.(progress)
    throw error
  }
}

/**
 * The outcome of each block, once the table knows how many rows its filters let through; one without any has
 * the reason.
 */
export async function settleBlocks(
  plan: Plan,
  { blocks }: FetchProgress,
  { block_rows, effects }: { block_rows: readonly number[]; effects: FetchEffects },
): Promise<BlockOutcome[]> {
  const has_rows = (index: number) => (block_rows[index] ?? 0) > 0
  const empty = [...blocks.keys()].filter(index => blocks[index]?.status !== 'error' && !has_rows(index))
  const causes = await whyEmpty(plan, empty, whyContextOf(effects))
  return blocks.map((block, index): BlockOutcome => {
    if (block.status === 'error') return block
    const rows = block_rows[index] ?? 0
    if (rows > 0) return { ...block, status: 'ok', rows }
    const empty_because = causes.get(index) ?? null
    return { ...block, status: 'no_data', rows, code: 'channel_no_data', empty_because }
  })
}

function whyContextOf(effects: FetchEffects) {
  const context: ConnectorContext = { ...effects, note: () => undefined }
  return { context, sourceOf: ({ account }: PlannedRequest) => effects.sourceOf(account) }
}

/** Every block before anything is fetched; one that may not be fetched has ended already. */
export function blocksOf(plan: Plan): BlockOutcome[] {
  return plan.blocks.map(({ channel, label, refusal }) => ({
    channel,
    label,
    status: refusal ? 'error' : 'pending',
    rows: 0,
    code: refusal?.code ?? null,
    platform_message: null,
    proof: null,
    empty_because: null,
    after_ms: null,
    took_ms: null,
    progress: null,
  }))
}

interface FetchContext {
  plan: Plan
  table: TableCollector
  progress: FetchProgress
  reconciliation: Reconciliation
  days: DayProgress
  /** Milliseconds since fetching began. */
  elapsed: () => number
  effects: FetchEffects
}

function counting(effects: FetchEffects, progress: FetchProgress): FetchEffects {
  return {
    ...effects,
    fetch: (...request) => {
      progress.platform_requests++
      return effects.fetch(...request)
    },
  }
}

/** What is known of the numbers before any is fetched. */
const planNotes = (plan: Plan): BlockNote[] => [
  ...zoneNotes(plan),
  ...(plan.provisional_rates.length > 0
    ? [
        {
          code: 'provisional_rates' as const,
          block: null,
          detail: { rates: plan.provisional_rates.join(', ') },
        },
      ]
    : []),
]

/** A day is each account's own day: a report over several zones notes that. */
function zoneNotes({ requests }: Plan): BlockNote[] {
  const zones: string[] = []
  for (const { account } of requests)
    if (!zones.some(zone => isSameZone(zone, account.timezone))) zones.push(account.timezone)
  return zones.length > 1
    ? [{ code: 'several_time_zones', block: null, detail: { zones: zones.toSorted().join(', ') } }]
    : []
}

/** Has a platform begin the reports that it prepares asynchronously, the account's total included. */
async function prepare(
  planned: PlannedRequest,
  index: number,
  { fetching, waits }: { fetching: FetchContext; waits: number[] },
) {
  const total = fetching.reconciliation.totalOf(index)
  await guarded(planned, fetching, async (source, context, block) => {
    for (const request of [planned.request, ...(total ? [total] : [])]) {
      try {
        await source.prepare(request, { ...context, jobs: showingJobs(context.jobs, block, fetching) })
      } catch (error) {
        if (error instanceof ReportPending) {
          waits.push(error.poll_after_ms)
          block.progress = { days: block.progress?.days ?? null, waits: 'platform' }
        } else if (request === planned.request || !(error instanceof PlatformFailure)) throw error
        else fetching.reconciliation.giveUp(index)
      }
    }
  })
}

/** Once a platform makes a report for a block, the page says so: a worker may wait for it for a while. */
function showingJobs(jobs: Jobs, block: BlockOutcome, { progress, effects }: FetchContext): Jobs {
  return {
    ...jobs,
    async startOnce(key, start, kind) {
      const job = await jobs.startOnce(key, start, kind)
      if (kind !== 'note' && !block.progress?.waits) {
        block.progress = { days: null, waits: 'platform' }
        await effects.onWait?.(progress)
      }
      return job
    },
  }
}

async function read(planned: PlannedRequest, index: number, fetching: FetchContext) {
  const { table, progress, effects, reconciliation, days } = fetching
  await guarded(planned, fetching, async (source, context, block) => {
    block.status = 'fetching'
    block.progress = { days: days.of(planned.block), waits: null }
    for await (const page of source.fetchReport(planned.request, context)) {
      effects.signal.throwIfAborted()
      table.add(index, page)
      reconciliation.add(index, page)
      block.rows += page.length
      days.add(index, page)
      block.progress = { days: days.of(planned.block), waits: null }
      await effects.onProgress(progress)
    }
    days.end(index)
    block.progress = { days: days.of(planned.block), waits: null }
    const total = reconciliation.totalOf(index)
    if (total) await readTotal(index, total, { source, context, reconciliation })
  })
}

/** A missing total is not an error. */
async function readTotal(
  index: number,
  request: ReportRequest,
  {
    source,
    context,
    reconciliation,
  }: { source: Source; context: ConnectorContext; reconciliation: Reconciliation },
) {
  try {
    const quiet = { ...context, note: () => undefined }
    for await (const page of source.fetchReport(request, quiet)) reconciliation.addTotal(index, page)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof PlatformFailure) && !(error instanceof ReportPending)) throw error
    reconciliation.giveUp(index)
  }
}

/** Sends a request to its platform; a permanent failure ends the request's block. */
async function guarded(
  planned: PlannedRequest,
  { progress, effects, elapsed }: FetchContext,
  work: (source: Source, context: ConnectorContext, block: BlockOutcome) => Promise<void>,
) {
  const block = progress.blocks[planned.block]
  // Another account of the block has already failed: its cells stay empty whatever the result of this one.
  if (!block || block.status === 'error') return
  block.after_ms ??= elapsed()
  try {
    const source = await effects.sourceOf(planned.account)
    if (!source) throw new PlatformFailure('credential_missing')
    const note = (blockNote: RunNote) => noteOnce(progress.notes, { ...blockNote, block: planned.block })
    await work(source, { ...effects, note }, block)
  } catch (error) {
    effects.signal.throwIfAborted()
    const waits = waitOf(error)
    if (waits !== null) block.progress = { days: block.progress?.days ?? null, waits }
    if (!(error instanceof PlatformFailure) || errorFacts(error.code).retried) throw error
    Object.assign(block, { status: 'error', code: error.code, platform_message: error.platform_message })
  } finally {
    block.took_ms = elapsed() - (block.after_ms ?? 0)
  }
}

function waitOf(error: unknown): BlockProgress['waits'] {
  if (error instanceof ReportPending) return 'platform'
  return error instanceof PlatformFailure && error.code === 'quota_exhausted' ? 'quota' : null
}

/** Each page repeats the notes of the first one. */
function noteOnce(notes: BlockNote[], blockNote: BlockNote) {
  if (!notes.some(({ code, block }) => code === blockNote.code && block === blockNote.block))
    notes.push(blockNote)
}
