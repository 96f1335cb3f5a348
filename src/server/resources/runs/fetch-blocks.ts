import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Service } from '#shared/connect.ts'
import type { BlockOutcome, BlockProgress } from '#shared/api/executions.ts'
import { errorFacts } from '#shared/errors.ts'
import { isSameZone } from '#shared/zone-names.ts'
import {
  ReportPending,
  PlatformFailure,
  type Jobs,
  type Page,
  type ReportRequest,
  type RunNote,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { inParallel, permits, type Permits } from '#server/in-parallel.ts'
import type { AccountFacts, Plan, PlannedRequest } from '#server/table/plan.ts'
import { dayProgress, type DayProgress } from './day-progress.ts'
import { openReconciliation, type Reconciliation } from './reconciliation.ts'
import { TooManyCells, type TableCollector } from '#server/table/shape.ts'
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
  /** Makes room for a table that has become too large; false: there is none. Left out: the run ends. */
  makeRoom?: () => Promise<boolean>
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

/** Requests of one report that are prepared at the same time, and that are read at the same time. */
const AT_ONCE = 8
/** For so long a worker that is reading anyway polls platforms that still prepare a report. */
const POLLED_IN_PLACE_MS = 60_000
const PAUSE_MS = 100

/**
 * Sends every request of the plan and passes the pages to the table. Each is read as soon as it is ready,
 * and beside it the account's own total. A block with a permanent failure ends as an error and does not stop
 * the others; a temporary failure is thrown, since the whole run then waits. So is ReportPending, once every
 * request that needs a report has had it requested. What is read before everything is ready outlasts the
 * attempt in the response cache: whatever would have to be read again waits until then, and what is being
 * read is read to its end.
 */
export async function fetchBlocks(
  plan: Plan,
  table: TableCollector,
  effects: FetchEffects,
): Promise<FetchProgress> {
  const fetching = startFetching(plan, table, effects)
  const { progress, reads, gate, failed } = fetching
  try {
    await beginAll(fetching)
    fetching.isGateOpen = true
    gate.resolve()
    await Promise.all(reads)
  } catch (error) {
    fetching.failure ??= { error }
    gate.reject(error)
    if (!fetching.isGateOpen) await Promise.allSettled(reads)
    failed.abort(error)
    await Promise.allSettled(reads)
    effects.signal.throwIfAborted()
    // Before the run waits, its page gets to know which of its channels it waits for.
    if (progress.blocks.some(block => block.progress?.waits)) await effects.onWait?.(progress)
    throw fetching.failure.error
  }
  effects.signal.throwIfAborted()
  progress.blocks.forEach((block, index) => {
    block.progress = null
    if (block.status === 'error') table.drop(index)
    else block.proof = fetching.reconciliation.of(index)
  })
  return progress
}

/**
 * Begins to read each request once its platform has prepared it. While some are being read, the worker is
 * held anyway and polls for the others; afterwards it is released.
 */
async function beginAll(fetching: FetchContext) {
  const { plan, effects } = fetching
  let waiting = fetchesOf(fetching)
  for (let waitedMs = 0; ;) {
    const pending: { fetch: Fetch; poll_after_ms: number }[] = []
    await inParallel(waiting, AT_ONCE, async fetch => {
      if (fetching.failure) throw fetching.failure.error
      const outcome = await prepare(fetch, fetching)
      if (outcome === 'ready') begin(fetch, fetching)
      else if (outcome !== 'ended') pending.push({ fetch, ...outcome })
    })
    const waits = pending.map(({ poll_after_ms }) => poll_after_ms)
    waits.push(...(await prepareWhy(plan, whyContextOf(effects))))
    if (waits.length === 0) return
    const pollAfterMs = Math.min(...waits)
    for (let ms = 0; ms < pollAfterMs && fetching.underWay > 0; ms += PAUSE_MS) await effects.sleep(PAUSE_MS)
    waitedMs += pollAfterMs
    if (fetching.failure) throw fetching.failure.error
    if (fetching.underWay === 0 || waitedMs > POLLED_IN_PLACE_MS) throw new ReportPending(pollAfterMs)
    waiting = pending.map(({ fetch }) => fetch)
  }
}

/** A request of the plan, or the total of its account. */
interface Fetch {
  planned: PlannedRequest
  /** Of the request in the plan. */
  index: number
  request: ReportRequest
  is_total: boolean
}

const fetchesOf = ({ plan, reconciliation }: FetchContext): Fetch[] =>
  plan.requests.flatMap((planned, index) => {
    const total = reconciliation.totalOf(index)
    const ofTable = { planned, index, request: planned.request, is_total: false }
    return total ? [ofTable, { ...ofTable, request: total, is_total: true }] : [ofTable]
  })

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
  /** The login of each request of the plan, found once. */
  sources: Map<number, Promise<Source | null>>
  reads: Promise<void>[]
  mayRead: Permits
  /** Reads that are under way, without those that wait until everything is ready. */
  underWay: number
  /** Open once everything is ready. */
  gate: PromiseWithResolvers<void>
  isGateOpen: boolean
  failed: AbortController
  /** The first one: nothing more is begun. */
  failure: { error: unknown } | null
}

function startFetching(plan: Plan, table: TableCollector, effects: FetchEffects): FetchContext {
  const progress: FetchProgress = { blocks: blocksOf(plan), platform_requests: 0, notes: planNotes(plan) }
  const failed = new AbortController()
  const gate = Promise.withResolvers<void>()
  // Nothing may wait for it.
  gate.promise.catch(() => undefined)
  const began = performance.now()
  return {
    plan,
    table,
    progress,
    reconciliation: openReconciliation(effects.is_proven === false ? { ...plan, requests: [] } : plan),
    days: dayProgress(plan),
    elapsed: () => Math.round(performance.now() - began),
    effects: counting({ ...effects, signal: AbortSignal.any([effects.signal, failed.signal]) }, progress),
    sources: new Map(),
    reads: [],
    mayRead: permits(AT_ONCE),
    underWay: 0,
    gate,
    isGateOpen: false,
    failed,
    failure: null,
  }
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

/** ended: it has failed. `poll_after_ms`: the platform is still preparing it. */
type Prepared = 'ready' | 'ended' | { poll_after_ms: number }

/** Has a platform begin the reports that it prepares asynchronously. */
async function prepare(fetch: Fetch, fetching: FetchContext): Promise<Prepared> {
  let prepared: Prepared = 'ended'
  await guarded(fetch, fetching, async (source, context, block) => {
    try {
      await source.prepare(fetch.request, { ...context, jobs: showingJobs(context.jobs, block, fetching) })
      prepared = 'ready'
    } catch (error) {
      if (!(error instanceof ReportPending)) throw error
      prepared = { poll_after_ms: error.poll_after_ms }
      block.progress = { days: block.progress?.days ?? null, waits: 'platform' }
    }
  })
  return prepared
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

/** Reads the request beside others that are ready. */
function begin(fetch: Fetch, fetching: FetchContext) {
  fetching.underWay++
  const read = fetching.mayRead(async () => {
    if (fetching.failure) throw fetching.failure.error
    await guarded(fetch, fetching, (source, context, block) =>
      fetch.is_total
        ? readTotal(fetch, source.fetchReport(fetch.request, { ...context, note: () => undefined }), fetching)
        : readTable(fetch, { block, pages: source.fetchReport(fetch.request, context) }, fetching),
    )
  })
  const ended = read
    .catch(error => {
      fetching.failure ??= { error }
      if (fetching.isGateOpen) fetching.failed.abort(error)
      throw error
    })
    .finally(() => fetching.underWay--)
  // It may fail before it is awaited.
  ended.catch(() => undefined)
  fetching.reads.push(ended)
}

async function readTable(
  { index, planned }: Fetch,
  { block, pages }: { block: BlockOutcome; pages: AsyncIterable<Page> },
  { table, progress, effects, reconciliation, days }: FetchContext,
) {
  block.status = 'fetching'
  block.progress = { days: days.of(planned.block), waits: null }
  for await (const page of pages) {
    await nextPageIsSent()
    effects.signal.throwIfAborted()
    await addPage(table, { index, page, effects })
    reconciliation.add(index, page)
    block.rows += page.length
    days.add(index, page)
    block.progress = { days: days.of(planned.block), waits: null }
    await effects.onProgress(progress)
  }
  days.end(index)
  block.progress = { days: days.of(planned.block), waits: null }
}

/**
 * What a connector requests ahead is on its way before this thread adds the page that came before it: Node
 * sends a request in the turn of the event loop after the one that makes it.
 */
async function nextPageIsSent() {
  await nextTurn()
  await nextTurn()
}

async function addPage(
  table: TableCollector,
  { index, page, effects }: { index: number; page: Page; effects: FetchEffects },
) {
  try {
    table.add(index, page)
  } catch (error) {
    if (!(error instanceof TooManyCells) || !(await effects.makeRoom?.())) throw error
  }
}

async function readTotal({ index }: Fetch, pages: AsyncIterable<Page>, { reconciliation }: FetchContext) {
  for await (const page of pages) reconciliation.addTotal(index, page)
}

/** What would have to be read again after a wait is read once everything is ready. */
async function untilAllIsReady(fetching: FetchContext) {
  if (fetching.isGateOpen) return
  fetching.underWay--
  await fetching.gate.promise.finally(() => fetching.underWay++)
}

/**
 * Sends a request to its platform; a permanent failure ends the request's block. A missing total is not an
 * error.
 */
async function guarded(
  { planned, index, is_total }: Fetch,
  fetching: FetchContext,
  work: (source: Source, context: ConnectorContext, block: BlockOutcome) => Promise<void>,
) {
  const { progress, effects, elapsed, reconciliation, sources } = fetching
  const block = progress.blocks[planned.block]
  // Another account of the block has already failed: its cells stay empty whatever the result of this one.
  if (!block || block.status === 'error') return
  block.after_ms ??= elapsed()
  try {
    const found = sources.get(index) ?? effects.sourceOf(planned.account)
    sources.set(index, found)
    const source = await found
    if (!source) throw new PlatformFailure('credential_missing')
    const note = (blockNote: RunNote) => noteOnce(progress.notes, { ...blockNote, block: planned.block })
    await work(source, { ...effects, note, beforeUncached: () => untilAllIsReady(fetching) }, block)
  } catch (error) {
    effects.signal.throwIfAborted()
    if (is_total && (error instanceof PlatformFailure || error instanceof ReportPending))
      return reconciliation.giveUp(index)
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
