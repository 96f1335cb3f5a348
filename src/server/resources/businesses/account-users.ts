import type { BusinessAccountUsers } from '#shared/api/businesses.ts'
import { PlatformFailure, type Source } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { BusinessUsersRequest } from '#server/http/effects.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'

/** A person waits for it. */
const PATIENCE_MS = 30_000

/** Finds Meta with a shared login. */
export type SourceOfLogin = (login: number) => Promise<Source | null>

interface UsersEffects {
  sourceOf: SourceOfLogin
  platforms: PlatformAccess
}

/** Who of a business works with one of its accounts, as Meta has it now; a failure is a code. */
export const createBusinessUsers =
  ({ sourceOf, platforms }: UsersEffects) =>
  async ({ login, business, account }: BusinessUsersRequest): Promise<BusinessAccountUsers> => {
    try {
      const source = login === null ? null : await sourceOf(login)
      if (!source) return { users: [], problem: 'credential_missing' }
      const users = await withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context => {
        return (await source.businesses?.(context)?.users({ business, account })) ?? []
      })
      return { users: users.map(({ external_id: id, ...user }) => ({ id, ...user })), problem: null }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { users: [], problem: error.code }
    }
  }

/** The same from what finds the source of an account. */
export const sourceOfLogin =
  (worker: {
    sourceOf: (account: {
      provider: 'meta'
      public_account: number
      external_id: string
      service: 'businesses'
    }) => Promise<Source | null>
  }): SourceOfLogin =>
  login =>
    worker.sourceOf({ provider: 'meta', public_account: login, external_id: '', service: 'businesses' })
