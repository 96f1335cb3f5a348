import type { DayRange } from '#shared/date-range.ts'
import { errorFacts, type ErrorCode } from '#shared/errors.ts'
import { ReportPending, PlatformFailure, type Jobs, type Page } from '#server/connectors/connector.ts'
import { copyRows } from '#server/connectors/page-rows.ts'
import { canonical, columnsAsIn } from '#server/fetches/canonical-request.ts'
import { fetchBlocks, type BlockNote, type FetchEffects } from '#server/resources/runs/fetch-blocks.ts'
import type { Plan, PlannedRequest } from '#server/table/plan.ts'
import { unlessAborted } from '#server/resources/runs/unless-aborted.ts'
import type { Recent } from '#server/recent-cache.ts'

/** The outcome of a request: its rows, why there are none, or that only a run can wait for them. */
export type ReadOutcome =
  | { kind: 'rows'; pages: Page[]; notes: BlockNote[]; at: Date }
  | { kind: 'error'; code: ErrorCode; platform_message: string | null }
  | { kind: 'later' }

export interface Rows {
  pages: Page[]
  notes: BlockNote[]
}

export interface ReadEffects extends Pick<
  FetchEffects,
  'fetch' | 'hosts' | 'tokens' | 'limiter' | 'sourceOf'
> {
  person: number
  recent: Recent<Rows>
  now: Date
  sleep: (ms: number) => Promise<void>
  room: Room
  /**
   * Aborted with TimeIsOver when a person has waited long enough, with anything else when the client has
   * disconnected.
   */
  signal: AbortSignal
}

export class TimeIsOver extends Error {}

/** Rows of platforms that a preview may still take; more are left to a run. */
export interface Room {
  rows: number
}

/**
 * Fetches some days of one account, unless this person has done so within the last minute. A report that has
 * to be prepared is not requested.
 */
export async function readRequest(
  plan: Plan,
  planned: PlannedRequest,
  { range, effects }: { range: DayRange; effects: ReadEffects },
): Promise<ReadOutcome> {
  const rangedRequest = { ...planned.request, range }
  const canonicalRequest = canonical(rangedRequest)
  const key = JSON.stringify([planned.account.id, planned.account.public_account, canonicalRequest])
  const inOrder = ({ pages, notes }: Rows): Rows => ({
    pages: pages.map(page => columnsAsIn(rangedRequest, canonicalRequest, page)),
    notes,
  })
  const { recent, person, now } = effects
  const known = recent.find(person, key, now)
  if (known && !known.value.pages.every(page => hasRoom(effects.room, page))) return { kind: 'later' }
  if (known) return { kind: 'rows', ...inOrder(known.value), at: known.at }
  const outcome = await fetchRows(plan, { ...planned, request: canonicalRequest }, effects)
  if (outcome.kind !== 'rows') return outcome
  recent.keep(person, key, { value: outcome, bytes: outcome.pages.reduce(addBytes, 500), now })
  return { ...outcome, ...inOrder(outcome) }
}

function hasRoom(room: Room, { length }: Page): boolean {
  room.rows -= length
  return room.rows >= 0
}

async function fetchRows(plan: Plan, planned: PlannedRequest, effects: ReadEffects): Promise<ReadOutcome> {
  const { signal, now } = effects
  const pages: Page[] = []
  const collector = {
    add(_: number, page: Page) {
      if (!hasRoom(effects.room, page)) throw new ReportPending(0)
      pages.push(copyRows(page))
    },
    drop: () => undefined,
    finish: () => {
      throw new Error('a preview finishes its table itself')
    },
    allow: () => undefined,
  }
  try {
    const fetching = fetchBlocks({ ...plan, requests: [planned] }, collector, {
      ...effects,
      now: () => now,
      jobs: beginningNothing,
      is_proven: false,
      onProgress: async () => undefined,
    })
    fetching.catch(() => undefined)
    const { blocks, notes } = await unlessAborted(signal, fetching)
    const block = blocks[planned.block]
    if (block?.status === 'error' && block.code !== null)
      return { kind: 'error', code: block.code as ErrorCode, platform_message: block.platform_message }
    return { kind: 'rows', pages, notes, at: now }
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof TimeIsOver)) throw signal.reason
    if (signal.aborted || error instanceof ReportPending) return { kind: 'later' }
    if (!(error instanceof PlatformFailure) || !errorFacts(error.code).retried) throw error
    return { kind: 'error', code: error.code, platform_message: error.platform_message }
  }
}

/**
 * A preview leaves no report behind at a platform, so what would have to be prepared first is left to a run.
 */
export const beginningNothing: Jobs = {
  find: async () => null,
  async startOnce(_, begin, kind) {
    if (kind === 'note') return await begin()
    throw new ReportPending(0)
  },
  forget: async () => undefined,
}

/** Approximately: texts are mostly shared between rows. */
const addBytes = (sum: number, { length, dimensions, metrics }: Page) =>
  sum + length * (16 + dimensions.length * 48 + metrics.length * 8)
