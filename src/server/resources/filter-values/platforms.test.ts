import { afterAll, expect, it } from 'vitest'
import { accountChannelOf } from '#shared/channels/all.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { providers, type Provider } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { demoLogins } from '#server/demo/logins.ts'
import { createPlatformNames } from './platform-names.ts'

const NOW = '2026-11-20T01:00:00Z'
const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
await sandbox.reset(NOW)
const context = testContext(sandbox.base_url, NOW)

const sourceAt = (provider: Provider) => {
  const { platform } = providers[provider]
  return sources[platform]?.(demoLogins[platform]) ?? null
}
const fetchNames = createPlatformNames({
  sourceOf: async ({ provider }) => sourceAt(provider),
  platforms: context,
})
const pairs = channelIds.flatMap(channel =>
  (Object.keys(providers) as Provider[])
    .filter(provider => providers[provider].channel === accountChannelOf(channel))
    .map(provider => ({ channel, provider })),
)
const accountsAt = async (provider: Provider): Promise<PlatformAccount[]> =>
  (await Array.fromAsync(sourceAt(provider)?.listAccounts(context) ?? []))
    .flat()
    .filter(account => account.provider === provider)

it.concurrent.each(pairs)('the campaigns of $channel come from $provider', async pair => {
  const { channel, provider } = pair
  const known = await accountsAt(provider)
  const [account] = known.filter(({ name, analytics }) => /Aurora/.test(analytics?.account_name ?? name))
  if (!account) throw new Error(`the sandbox has no account of Aurora at ${provider}`)
  const namesRequest = {
    channel,
    dimension: 'campaign' as const,
    account: { ...account, public_account: null },
  }
  let names: string[] | null = null
  // A platform that prepares reports asynchronously has the names a little later.
  for (let polls = 0; polls < 5 && names === null; polls += 1)
    names = await fetchNames({ ...namesRequest, now: new Date(NOW) })
  expect(names?.length).toBeGreaterThan(3)
})
