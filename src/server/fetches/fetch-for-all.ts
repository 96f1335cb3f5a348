import type { ConnectorContext, Page, ReportRequest, Source } from '#server/connectors/connector.ts'
import { ttlMinutes } from './freshness.ts'
import { startRecording } from './recording.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Attempt } from './single-flight.ts'

/** A request that this run has claimed. */
export interface ClaimedFetch {
  key: Buffer
  cache: ResponseCache
  request: ReportRequest
  source: Source
  context: ConnectorContext
}

/**
 * The pages of a response, cached for other runs once the last one has arrived, which this run need not wait
 * for; the others stop waiting when it fails or grows too large.
 */
export async function* fetchForAll(attempt: Attempt, claimed: ClaimedFetch): AsyncGenerator<Page> {
  const { key, cache, request, source, context } = claimed
  attempt.fetching += 1
  const recording = startRecording()
  const note: ConnectorContext['note'] = runNote => {
    recording.note(runNote)
    context.note(runNote)
  }
  let state: 'claimed' | 'cached' | 'too_large' = 'claimed'
  try {
    for await (const page of source.fetchReport(request, { ...context, note })) {
      if (state === 'claimed' && !(await recording.add(page))) {
        state = 'too_large'
        await cache.release(key, { is_too_large: true })
        await context.beforeUncached?.()
        attempt.hasReadUncached = true
      }
      yield page
    }
    if (state === 'too_large') return
    const recorded = recording.finish()
    const stored = recorded.then(bytes => cache.store(key, bytes, ttlMinutes(request, context.now())))
    attempt.storing.set(key.toString('base64url'), stored)
    state = 'cached'
  } finally {
    if (state === 'claimed') await cache.release(key, { is_too_large: false })
    attempt.fetching -= 1
  }
}
