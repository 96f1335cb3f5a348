import type { SheetsClient } from './client.ts'
import type { SheetsLimiter } from './requests.ts'

/**
 * One service account that spreadsheets can be shared with: its client, and the limiters that all workers
 * share.
 */
export interface SystemUser {
  client: SheetsClient
  limiter: SheetsLimiter
}

/** The one of this address, if there is one. */
export const systemUserNamed = <User extends SystemUser>(
  system_users: readonly User[],
  address: string | null,
): User | null => system_users.find(({ client }) => client.system_user === address) ?? null
