import {
  PlatformFailure,
  ReportPending,
  type ConnectorContext,
  type Source,
} from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { AccountActions, PlatformNamesRequest } from '#server/http/effects.ts'

type Account = PlatformNamesRequest['account']

interface ActionsEffects {
  sourceOf: (account: Account) => Promise<Source | null>
  platforms: Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>
}

/** A person waits while the dialog is open. */
const PATIENCE_MS = 8000
/** Reports in preparation that may never be requested again. */
const MOST_UNDER_WAY = 1000

/**
 * The conversion actions that an account has had lately, as its platform counts them. Where a platform
 * prepares reports asynchronously, the next identical request continues with the same one.
 */
export function createAccountActions({ sourceOf, platforms }: ActionsEffects) {
  const jobsByAccount = new Map<string, Map<string, string>>()
  return async (account: Account): Promise<AccountActions> => {
    const key = JSON.stringify(account)
    const jobs = jobsByAccount.get(key) ?? new Map<string, string>()
    jobsByAccount.set(key, jobs)
    if (jobsByAccount.size > MOST_UNDER_WAY) jobsByAccount.delete(jobsByAccount.keys().next().value ?? key)
    try {
      const source = await sourceOf(account)
      if (!source) return { actions: [], is_pending: false, code: 'credential_missing' }
      const access = { ...platforms, jobs: jobsInMemory(jobs) }
      const actions = await withDeadline(PATIENCE_MS, access, context => source.listActions(account, context))
      jobsByAccount.delete(key)
      return { actions, is_pending: false, code: null }
    } catch (error) {
      if (isUnderWay(error)) return { actions: [], is_pending: true, code: null }
      if (!(error instanceof PlatformFailure)) throw error
      jobsByAccount.delete(key)
      return { actions: [], is_pending: false, code: error.code }
    }
  }
}

/** What was begun before the time was over is still being prepared. */
const isUnderWay = (error: unknown) =>
  error instanceof ReportPending || (error instanceof PlatformFailure && error.code === 'platform_timeout')
