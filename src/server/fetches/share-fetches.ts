import {
  ReportPending,
  type ConnectorContext,
  type Jobs,
  type Page,
  type ReportRequest,
  type Source,
} from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { canonical, columnsAsIn, textOf } from './canonical-request.ts'
import { fetchForAll } from './fetch-for-all.ts'
import { isSettled, isShared } from './freshness.ts'
import type { Requester } from './queries.ts'
import { replay } from './recording.ts'
import { openResponseCache, type CacheSettings, type ResponseCache } from './response-cache.ts'
import { decide, lockRequest, POLL_AFTER_MS, type Attempt } from './single-flight.ts'

/**
 * How runs send requests to platforms, so that runs with the same request about one account cause one fetch.
 */
export interface SharedFetches {
  /** For one attempt of a run. */
  of(run: Requester, events: FetchEvents): SharedFetch
}
interface SharedFetch {
  share: Share
  /** Once everything that has been fetched is stored for others. */
  stored(): Promise<unknown>
}
/** `public_account`: the shared login behind the source, if there is one. */
type Share = (source: Source, public_account: number | null) => Source

/** Called once for each response. `at`: when the run that has fetched it did so. */
export interface FetchEvents {
  onFetched(): void
  onShared(at: Date): void
}

/**
 * A run reads a response that another one has fetched, if that was fetched after this run was requested and
 * is still current; waits a little for one that another run is fetching; or fetches, and caches the response.
 * Whatever goes wrong with the cache, the run fetches from the platform itself. Access to the account has
 * been checked before, by the run's plan; the key of a response includes its account and the login, so that
 * no other login gets it.
 */
export function openSharedFetches(db: Db, settings: CacheSettings): SharedFetches {
  const cacheFor = openResponseCache(db, settings)
  return {
    of(requester, events) {
      const caches = {
        moving: cacheFor(requester),
        settled: cacheFor({ ...requester, fresh_since: requester.settled_since }),
      }
      const attempt: Attempt = {
        caches,
        inFlight: new Map(),
        found: new Map(),
        storing: new Map(),
        fetching: 0,
        hasReadUncached: false,
      }
      return {
        share: (source, public_account) => withSharing(source, { public_account, attempt, events }),
        stored: () => Promise.allSettled(attempt.storing.values()),
      }
    },
  }
}

interface Sharing {
  public_account: number | null
  attempt: Attempt
  events: FetchEvents
}

function withSharing(source: Source, sharing: Sharing): Source {
  const { attempt, public_account } = sharing
  const sharedRequest = (original: ReportRequest, now: Date): SharedRequest => {
    const request = canonical(original)
    const cache = attempt.caches[isSettled(request, now) ? 'settled' : 'moving']
    return { request, cache, key: cache.keyOf([public_account, source.login_id, textOf(request)]) }
  }
  return {
    ...source,
    async prepare(request, context) {
      if (!isShared(request)) return await source.prepare(request, context)
      const shared = sharedRequest(request, context.now())
      const unlock = await lockRequest(attempt, shared.key, 'prepare')
      if (unlock) await prepare(shared, { source, context, sharing }).finally(unlock)
    },
    async *fetchReport(request, context) {
      if (!isShared(request)) return yield* fetchUncached(source, request, context)
      const shared = sharedRequest(request, context.now())
      const unlock = await lockRequest(attempt, shared.key, 'read')
      try {
        for await (const page of fetchReport(shared, { source, context, sharing }))
          yield columnsAsIn(request, shared.request, page)
      } finally {
        // Its other blocks with the same request read what is stored.
        const stored = attempt.storing.get(shared.key.toString('base64url')) ?? Promise.resolve()
        void stored.catch(() => undefined).then(unlock)
      }
    },
  }
}

async function* fetchUncached(source: Source, request: ReportRequest, context: ConnectorContext) {
  await context.beforeUncached?.()
  yield* source.fetchReport(request, context)
}

/** For runs that share nothing. */
export const withoutSharing = (source: Source): Source => ({
  ...source,
  fetchReport: (request, context) => fetchUncached(source, request, context),
})

interface SharedRequest {
  request: ReportRequest
  cache: ResponseCache
  key: Buffer
}
interface Sender {
  source: Source
  context: ConnectorContext
  sharing: Sharing
}

async function* fetchReport(
  { request, cache, key }: SharedRequest,
  { source, context, sharing }: Sender,
): AsyncGenerator<Page> {
  const { attempt, events } = sharing
  const decision = await decide(key, { attempt, cache, request, context })
  if (decision.state === 'cached') {
    if (!decision.is_own) events.onShared(decision.fetched_at)
    return yield* replay(decision.response, context.note)
  }
  events.onFetched()
  if (decision.state === 'for_all')
    return yield* fetchForAll(attempt, { key, cache, request, source, context })
  await context.beforeUncached?.()
  attempt.hasReadUncached = true
  attempt.fetching += 1
  try {
    yield* source.fetchReport(request, context)
  } finally {
    attempt.fetching -= 1
  }
}

/** Where a platform prepares reports, one run alone requests this one, and reads it later for all. */
async function prepare(
  { request, cache, key }: SharedRequest,
  { source, context, sharing }: Sender,
): Promise<void> {
  const found = await cache.find(key)
  const { state } = found
  if (state === 'cached' || state === 'unclaimed') sharing.attempt.found.set(key.toString('base64url'), found)
  if (state === 'cached' || state === 'claimed') return
  if (state === 'pending') throw new ReportPending(POLL_AFTER_MS)
  if (state === 'too_large' || state === 'unavailable') return await source.prepare(request, context)
  let isForAll = false
  const claim = async () => {
    const isMine = await cache.claim(key, { waits: true })
    if (isMine === false) throw new ReportPending(POLL_AFTER_MS)
    isForAll = isMine === true
  }
  try {
    if (state === 'pending_for_me') await claim()
    await source.prepare(request, { ...context, jobs: claiming(context.jobs, claim) })
  } catch (error) {
    if (isForAll && !(error instanceof ReportPending)) await cache.release(key, { is_too_large: false })
    throw error
  }
}

/** No report is requested from a platform before this run has claimed the request. */
const claiming = (jobs: Jobs, claim: () => Promise<void>): Jobs => ({
  ...jobs,
  async startOnce(key, begin, kind) {
    if (kind === 'note') return await jobs.startOnce(key, begin, kind)
    return await jobs.startOnce(key, async () => {
      await claim()
      return await begin()
    })
  },
})
