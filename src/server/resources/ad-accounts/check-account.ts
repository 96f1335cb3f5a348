import type { CheckAccountReply } from '#shared/api/ad-accounts.ts'
import { PlatformFailure, type Source } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { PlatformNamesRequest } from '#server/http/effects.ts'
import type { PlatformAccess } from './import.ts'

type Account = PlatformNamesRequest['account']

interface CheckEffects {
  sourceOf: (account: Account) => Promise<Source | null>
  platforms: PlatformAccess
}

/** A person waits for it. */
const PATIENCE_MS = 30_000

/** Reads one account as it is now, with the login that found it; a failure is a code. */
export const createAccountCheck =
  ({ sourceOf, platforms }: CheckEffects) =>
  async (account: Account): Promise<CheckAccountReply> => {
    try {
      const source = await sourceOf(account)
      if (!source) return { result: 'credential_missing' }
      const access = { ...platforms, jobs: jobsInMemory() }
      const { name, status } = await withDeadline(PATIENCE_MS, access, context =>
        source.checkAccount(account, context),
      )
      return { result: 'ok', name, status }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { result: error.code, ...(error.platform_message && { message: error.platform_message }) }
    }
  }
