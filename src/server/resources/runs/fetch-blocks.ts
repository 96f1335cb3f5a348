import type { BlockOutcome } from '#shared/api/executions.ts'
import type { Channel } from '#shared/channels/all.ts'
import { errorFacts } from '#shared/errors.ts'
import {
  PlatformFailure,
  type Connector,
  type Credential,
  type Io,
  type QuotaGate,
  type RunNote,
} from '#server/connectors/connector.ts'
import type { Plan, Question } from './plan.ts'
import type { TableCollector } from './shape.ts'

export interface FetchEffects {
  connectors: Record<Channel, Connector>
  /** Where a channel's platform is and with what it is asked; null: nobody has connected it. */
  connectionOf: (channel: Channel) => { base_url: string; credential: Credential } | null
  quota: QuotaGate
  fetch: typeof fetch
  now: () => Date
  sleep: (ms: number) => Promise<void>
  signal: AbortSignal
  /** Called after each page. */
  onProgress: (progress: FetchProgress) => Promise<void>
}

export interface FetchProgress {
  blocks: BlockOutcome[]
  platform_requests: number
  notes: RunNote[]
}

/** Accounts of one report that are asked at the same time. */
const AT_ONCE = 4

/**
 * Asks every question of the plan and gives the pages to the table. A block that fails for a reason of its own ends as an error and does not hold
 * the others back; a failure that passes by itself is thrown, since the whole run then waits.
 */
export async function fetchBlocks(
  plan: Plan,
  table: TableCollector,
  effects: FetchEffects,
): Promise<FetchProgress> {
  const progress: FetchProgress = { blocks: blocksOf(plan), platform_requests: 0, notes: [] }
  const failed = new AbortController()
  const counted: FetchEffects = {
    ...effects,
    signal: AbortSignal.any([effects.signal, failed.signal]),
    fetch: (...request) => {
      progress.platform_requests++
      return effects.fetch(...request)
    },
  }
  const waiting = plan.questions.map((question, index) => ({ question, index }))
  const askNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await ask(next.question, next.index, { table, progress, effects: counted })
    }
  }
  const stopAll = (error: unknown) => {
    failed.abort(error)
    throw error
  }
  await Promise.allSettled(Array.from({ length: AT_ONCE }, () => askNext().catch(stopAll)))
  effects.signal.throwIfAborted()
  failed.signal.throwIfAborted()
  progress.blocks.forEach((block, index) => {
    if (block.status === 'error') table.drop(index)
  })
  return progress
}

/** What each block has come to, once the table knows how many rows its filters let through. */
export function settleBlocks(blocks: BlockOutcome[], block_rows: readonly number[]): BlockOutcome[] {
  return blocks.map((block, index) => {
    if (block.status === 'error') return block
    const rows = block_rows[index] ?? 0
    return rows > 0
      ? { ...block, status: 'ok', rows }
      : { ...block, status: 'no_data', rows, code: 'channel_no_data' }
  })
}

/** Every block before anything is asked; one that may not be asked has ended already. */
export function blocksOf(plan: Plan): BlockOutcome[] {
  return plan.blocks.map(({ channel, label, refusal }) => ({
    channel,
    label,
    status: refusal ? 'error' : 'pending',
    rows: 0,
    code: refusal?.code ?? null,
    platform_message: null,
  }))
}

async function ask(
  question: Question,
  index: number,
  { table, progress, effects }: { table: TableCollector; progress: FetchProgress; effects: FetchEffects },
) {
  const block = progress.blocks[question.block]
  // Another account of the block has already failed: its cells stay empty whatever this one would say.
  if (!block || block.status === 'error') return
  block.status = 'fetching'
  try {
    const connection = effects.connectionOf(question.account.channel)
    if (!connection) throw new PlatformFailure('credential_missing')
    const io: Io = { ...effects, ...connection, note: note => void progress.notes.push(note) }
    const pages = effects.connectors[question.account.channel].fetchReport(question.request, io)
    for await (const page of pages) {
      effects.signal.throwIfAborted()
      table.add(index, page)
      block.rows += page.length
      await effects.onProgress(progress)
    }
  } catch (error) {
    effects.signal.throwIfAborted()
    if (!(error instanceof PlatformFailure) || errorFacts(error.code).retried) throw error
    Object.assign(block, { status: 'error', code: error.code, platform_message: error.platform_message })
  }
}
