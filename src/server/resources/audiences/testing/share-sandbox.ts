import { afterAll } from 'vitest'
import type { Channel } from '#shared/channels/catalogue.ts'
import { providers, type Platform, type Provider } from '#shared/platforms.ts'
import { audienceSources } from '#server/connectors/all.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { demoLogins } from '#server/demo/logins.ts'
import { testApi } from '#server/http/testing/api.ts'
import type { Login } from '#server/resources/public-accounts/logins.ts'
import { createAccessCheck } from '../check-access.ts'
import { openChunk } from '../chunk.ts'
import { eraseFromNextAccount } from '../erase-job.ts'
import { openErasure } from '../erase.ts'
import type { ShareEffects } from '../share-effects.ts'
import { advanceNextShare } from '../share-job.ts'
import { msUntilShareDue } from '../share-queries.ts'

const NOW = '2026-11-21T04:00:00Z'
const logins: Partial<Record<Platform, Login>> = {
  ...demoLogins,
  meta: { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' },
  tiktok: { ...demoLogins.tiktok, access_token: 'sandbox-admin' },
}

/** The product with the emulated platforms, on one clock. Call it once per test file. */
export async function sharesAtSandbox() {
  const sandbox = await startTestSandbox()
  afterAll(() => sandbox.stop())
  await sandbox.reset(NOW)
  const tools = {
    fetch,
    hosts: sandboxHosts(sandbox.base_url),
    tokens: createTokenCache(() => new Date()),
    limiter: { acquire: async () => {}, report: async () => {} },
  }
  const audiencesOf: ShareEffects['audiencesOf'] = async ({ provider }) => {
    const { platform } = providers[provider]
    return audienceSources[platform]?.(logins[platform], { line_phone_form: null }) ?? null
  }
  const api = await testApi({
    effects: {
      audiences: {
        ga4Audiences: async () => ({ audiences: [], code: null }),
        access: createAccessCheck({ audiencesOf, platforms: tools }),
      },
    },
  })
  const { db, clock, effects } = api
  clock.now = new Date(NOW)
  const boss = await api.signedIn('superuser')
  const advertiser = await api.advertiser('Aurora')

  const shareEffects = (more: Partial<ShareEffects> = {}): ShareEffects => ({
    ...tools,
    audiencesOf,
    openChunk: chunk => openChunk(effects.vault, chunk),
    openErasure: erasure => openErasure(effects.vault, erasure),
    now: async () => clock.now,
    stopping: new AbortController().signal,
    sleep: async () => {},
    onUnexpected: error => {
      throw error
    },
    ...more,
  })
  async function moveTo(at: number) {
    clock.now = new Date(at)
    await sandbox.setClock({ now: clock.now.toISOString(), speed: 0 })
  }
  /** Until nothing is due for so long. */
  async function settle({
    within_ms = 3600_000,
    ...more
  }: Partial<ShareEffects> & { within_ms?: number } = {}) {
    const end = clock.now.getTime() + within_ms
    for (let rounds = 0; rounds < 1000; rounds += 1) {
      if (await advanceNextShare(db, shareEffects(more))) continue
      if (await eraseFromNextAccount(db, shareEffects(more))) continue
      const now = clock.now
      const pause = await msUntilShareDue(db, { now, within_ms: end - now.getTime() })
      if (pause === null) return
      await moveTo(now.getTime() + pause)
    }
    throw new Error('the shares do not come to an end')
  }
  async function account(provider: Provider, external_id: string, via: string | null = null) {
    const channel: Channel = providers[provider].channel
    const facts = { channel, provider, currency: 'TWD', timezone: 'Asia/Taipei', via, advertiser }
    return (
      await db
        .insertInto('ad_account')
        .values({ ...facts, external_id, name: external_id })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  }
  return { ...api, sandbox, boss, advertiser, settle, moveTo, account, shareEffects }
}
