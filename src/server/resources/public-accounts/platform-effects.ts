import { PlatformFailure, type Source } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { PlatformEffects } from '#server/http/effects.ts'
import { discoverAccounts, firstAccounts, type PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import type { Vault } from '#server/vault.ts'
import { countNew } from './connection-queries.ts'
import { holdPublicAccount } from './queries.ts'
import { createSources } from './sources.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'

/** Sends requests to platforms with shared logins, while a person waits. */
export const platformEffects = (vault: Vault, platforms: PlatformAccess): PlatformEffects => ({
  async test(db, public_account) {
    try {
      const source = await sourceOf(db, vault, public_account)
      return { result: 'ok', accounts: (await firstAccounts(source, platforms)).length }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { result: error.code, ...(error.platform_message && { message: error.platform_message }) }
    }
  },
  async countAccounts(db, id) {
    try {
      const source = await sourceOf(db, vault, id)
      const accounts = await discoverAccounts(source, platforms)
      return { total: accounts.length, new: await countNew(db, accounts) }
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { code: error.code }
    }
  },
  async importAccounts(db, public_account, now) {
    try {
      const source = await sourceOf(db, vault, public_account)
      const accounts = await discoverAccounts(source, platforms)
      return await inTransaction(db, async trx => {
        // Deleted meanwhile: then its accounts are not stored.
        if (!(await holdPublicAccount(trx, public_account))) throw new PlatformFailure('credential_missing')
        return {
          accounts: accounts.length,
          new: await saveAccounts(trx, accounts, { public_account, now }),
        }
      })
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error
      return { code: error.code, retry_after_ms: error.retry_after_ms }
    }
  },
})

async function sourceOf(db: Db, vault: Vault, public_account: number): Promise<Source> {
  const found = await createSources(db, { vault, environment: {} }).ofLogin(public_account)
  if (!found) throw new PlatformFailure('credential_missing')
  return found.source
}
