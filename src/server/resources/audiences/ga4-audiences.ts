import { PlatformFailure, type ConnectorContext, type Source } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { AudienceEffects, Ga4Audience, PlatformNamesRequest } from '#server/http/effects.ts'

type Account = PlatformNamesRequest['account']

interface Ga4Effects {
  /** null: GA4 is not connected. */
  sourceOf: (account: Account) => Promise<Pick<Source, 'listAudiences'> | null>
  platforms: Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>
  now: () => number
}

/** A person waits while the dialog is open. */
const PATIENCE_MS = 8000
const CACHE_MS = 10 * 60_000
const MOST_CACHED = 1000

/** The audiences of GA4 properties, read again after ten minutes. A failure is not kept. */
export function createGa4Audiences({
  sourceOf,
  platforms,
  now,
}: Ga4Effects): AudienceEffects['ga4Audiences'] {
  const cache = new Map<string, { until: number; audiences: Ga4Audience[] }>()
  return async account => {
    const key = JSON.stringify([account.public_account, account.external_id])
    const known = cache.get(key)
    if (known && known.until > now()) return { audiences: known.audiences, code: null }
    try {
      const source = await sourceOf(account)
      if (!source) return { audiences: [], code: 'credential_missing' }
      const access = { ...platforms, jobs: jobsInMemory() }
      const found = await withDeadline(PATIENCE_MS, access, context => source.listAudiences(account, context))
      const audiences = found.map(({ id, ...facts }) => ({ audience: id, ...facts }))
      cache.delete(key)
      cache.set(key, { until: now() + CACHE_MS, audiences })
      if (cache.size > MOST_CACHED) cache.delete(cache.keys().next().value ?? key)
      return { audiences, code: null }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { audiences: [], code: error.code }
    }
  }
}
