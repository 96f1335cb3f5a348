import { accessResults } from '#shared/audiences.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { AudienceAccess, AudienceEffects } from '#server/http/effects.ts'
import { openRecent } from '#server/recent-cache.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import type { ShareEffects } from './share-effects.ts'

interface AccessEffects {
  audiencesOf: ShareEffects['audiencesOf']
  platforms: PlatformAccess
}

/** A person waits for it. */
const PATIENCE_MS = 20_000
const FRESH_MS = 10 * 60_000
const CACHE_BYTES = 1024 * 1024
const ENTRY_BYTES = 256

/** Whether audiences can be brought to an account, with the login that reaches it; asked of the platform. */
export function createAccessCheck({ audiencesOf, platforms }: AccessEffects): AudienceEffects['access'] {
  const recent = openRecent<AudienceAccess>({ fresh_ms: FRESH_MS, bytes: CACHE_BYTES })
  return async (account, { now, again = false }) => {
    const login = String(account.public_account)
    const known = recent.find(account.id, login, now)
    if (known && !(again && known.value.result !== 'ok')) return known.value
    const value = await ask(account)
    // A platform that does not respond says nothing about the account.
    if (accessResults.some(result => result === value.result))
      recent.keep(account.id, login, { value, bytes: ENTRY_BYTES, now })
    return value
  }

  async function ask(account: Parameters<AudienceEffects['access']>[0]): Promise<AudienceAccess> {
    try {
      const source = await audiencesOf(account)
      if (!source) return { ...nothing, result: 'unsupported_channel' }
      const context = { ...platforms, jobs: jobsInMemory() }
      const { result, business, fix_url } = await withDeadline(PATIENCE_MS, context, io =>
        source.open(io).check(account),
      )
      return { result, business, fix_url }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { ...nothing, result: lasting[error.code] ?? error.code }
    }
  }
}

const nothing = { business: null, fix_url: null }

/** A login that cannot be used at all: which way makes no difference to who wants to share. */
const lasting: Partial<Record<PlatformFailure['code'], AudienceAccess['result']>> = {
  credential_missing: 'credential_expired',
  credential_unreadable: 'credential_expired',
  scope_missing: 'credential_expired',
  account_access_lost: 'no_access',
}
