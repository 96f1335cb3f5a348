import { setTimeout as sleep } from 'node:timers/promises'
import type { Preview } from '#shared/api/preview.ts'
import { todayIn } from '#shared/date-range.ts'
import type { EmptyBecause } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import type { PreviewRequest } from '#server/http/effects.ts'
import { planReport, type Plan } from '#server/table/plan.ts'
import { unlessAborted } from '#server/resources/runs/unless-aborted.ts'
import { whyEmpty } from '#server/resources/runs/why-empty.ts'
import { beginningNothing, TimeIsOver, type ReadEffects, type Rows } from './read-request.ts'
import { makePreview } from './make-preview.ts'
import { openRecent } from '#server/recent-cache.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { meaningsOf, moneyOf } from '#server/resources/insight-settings/meanings.ts'

export interface PreviewLimits {
  /** How long a person waits at most. */
  patience_ms: number
  /** Rows of platforms in one preview. */
  rows: number
  /** How long a response counts as current. */
  fresh_ms: number
  /** Of all cached responses together. */
  bytes: number
}

const LIMITS: PreviewLimits = {
  patience_ms: 20_000,
  rows: 60_000,
  fresh_ms: 60_000,
  bytes: 48 * 1024 * 1024,
}

export type PreviewPlatforms = Pick<ReadEffects, 'fetch' | 'hosts' | 'tokens' | 'limiter' | 'sourceOf'>

/**
 * Makes previews within limits of time and memory; requests go through the limiters that all workers share.
 */
export function createPreviews(
  platforms: PreviewPlatforms,
  { stopping, ...more }: { stopping: AbortSignal } & Partial<PreviewLimits>,
) {
  const limits = { ...LIMITS, ...more }
  const recent = openRecent<Rows>(limits)
  const causes = openRecent<EmptyBecause>(limits)
  return async (db: Db, request: PreviewRequest): Promise<Preview> => {
    const { report, range, person, now, last_rows } = request
    const unset = report.channels.flatMap(({ accounts, metrics }, index) =>
      accounts.length === 0 || metrics.length === 0 ? [index] : [],
    )
    if (unset.length === report.channels.length) return nothing('channels_not_set', request)
    if (range === null) return nothing('channel_no_data', request)
    // Access has been checked by the caller.
    const accounts = await usableAccounts(db, { advertisers: 'all' }, request.accounts)
    const today = todayIn(report.timezone, now)
    const meanings = request.meanings ?? (await meaningsOf(db, report, accounts))
    const money = await moneyOf(db, report, { meanings, accounts, range, today })
    const plan = planReport(report, { accounts, range, meanings, money })
    const over = timeUpTo(limits.patience_ms)
    const signal = AbortSignal.any([request.signal, stopping, over.signal])
    const reading = { ...platforms, person, recent, now, sleep, signal, room: { rows: limits.rows } }
    try {
      const why = (block: number) => causeOf(plan, block, { reading, causes })
      const preview = await makePreview(plan, { unset, last_rows, effects: { ...reading, whyEmpty: why } })
      return request.isInternal ? preview : forClients(preview)
    } finally {
      over.stop()
    }
  }
}

function timeUpTo(ms: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new TimeIsOver()), ms)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

/** Why a block is empty, as a run finds it out; null when that takes too long. */
async function causeOf(
  plan: Plan,
  block: number,
  { reading, causes }: { reading: ReadEffects; causes: ReturnType<typeof openRecent<EmptyBecause>> },
): Promise<EmptyBecause | null> {
  const { person, now, signal } = reading
  const key = JSON.stringify([plan.blocks[block], plan.requests.filter(request => request.block === block)])
  const known = causes.find(person, key, now)
  if (known) return known.value
  try {
    const context = { ...reading, now: () => now, jobs: beginningNothing, note: () => undefined }
    const looking = whyEmpty(plan, [block], {
      context,
      sourceOf: ({ account }) => reading.sourceOf(account),
    })
    looking.catch(() => undefined)
    const cause = (await unlessAborted(signal, looking)).get(block) ?? null
    if (cause) causes.keep(person, key, { value: cause, bytes: key.length * 2, now })
    return cause
  } catch {
    // The rows are the request; a reason that takes too long does not delay them.
    return null
  }
}

/** A preview without a table: the code says what is missing. */
function nothing(code: 'channels_not_set' | 'channel_no_data', { range, now }: PreviewRequest): Preview {
  return {
    columns: [],
    rows: [],
    totals: null,
    has_more: false,
    code,
    detail: code === 'channel_no_data' ? { reason: 'range_in_future' } : {},
    blocks: [],
    notes: [],
    estimate: null,
    unfilled_rows: null,
    rows_before_limit: null,
    cells: null,
    range,
    asked: null,
    as_of: now.toISOString(),
    from_run: false,
  }
}

const forClients = (preview: Preview): Preview => ({
  ...preview,
  blocks: preview.blocks.map(block => ({ ...block, platform_message: null })),
})
