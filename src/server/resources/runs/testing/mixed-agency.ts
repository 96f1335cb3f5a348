import { beforeAll } from 'vitest'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Provider } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { demoLogins, demoPlatforms } from '#server/demo/logins.ts'
import { testAgency, type TestAgency } from './agency.ts'
import { TEST_NOW } from './effects.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'

/** An account of any platform, as its discovery has stored it. */
export interface FoundAccount {
  id: number
  channel: Channel
  provider: Provider
  external_id: string
  name: string
  currency: string
  ga_account_id: string | null
}

/**
 * An agency whose accounts were discovered over the API of all platforms; `found` fills before the first
 * test.
 */
export async function mixedAgency(): Promise<TestAgency & { found: FoundAccount[] }> {
  const agency = await testAgency()
  const found: FoundAccount[] = []
  beforeAll(async () => void found.push(...(await discover(agency))))
  return { ...agency, found }
}

async function discover({ db, sandbox, advertiser }: TestAgency): Promise<FoundAccount[]> {
  const context = testContext(sandbox.base_url, TEST_NOW)
  for (const platform of demoPlatforms) {
    // Its accounts exist already.
    if (platform === 'meta') continue
    const pages = await Array.fromAsync(sources[platform](demoLogins[platform]).listAccounts(context))
    await saveAccounts(db, pages.flat(), { public_account: null, now: new Date(TEST_NOW) })
  }
  await db.updateTable('ad_account').set({ advertiser }).execute()
  const columns = ['id', 'channel', 'provider', 'external_id', 'name', 'currency', 'ga_account_id'] as const
  return await db.selectFrom('ad_account').select(columns).orderBy('id').execute()
}
