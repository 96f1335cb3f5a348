import { ACCOUNTS } from '#sandbox/dataset/agency.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testApi } from '#server/http/testing/api.ts'
import { createBusinessUsers } from '#server/resources/businesses/account-users.ts'
import { refreshBusinesses, type RefreshEffects } from '#server/resources/businesses/refresh.ts'
import { insertLogin, replaceLogin } from '#server/resources/public-accounts/logins.ts'
import { createSources } from '#server/resources/public-accounts/sources.ts'

export const NOW = '2026-11-20T02:00:00Z'

/** An agency with a shared login of Meta, and the advertisers with the accounts that the login works with. */
export async function businessAgency() {
  const sandbox = sandboxOfFile(NOW)
  const api = await testApi()
  const { db, effects, clock, signedIn } = api
  clock.now = new Date(NOW)
  const sources = createSources(db, { vault: effects.vault, environment: {} })
  const sourceOf = (public_account: number) => sources.of({ provider: 'meta', public_account })
  const effectsNow = (): RefreshEffects => ({
    sourceOf,
    platforms: testContext(sandbox.base_url, NOW),
    time_zone: 'Asia/Taipei',
  })
  effects.businessUsers = account =>
    createBusinessUsers({ sourceOf, platforms: testContext(sandbox.base_url, NOW) })(account)
  const login = await db.transaction().execute(trx =>
    insertLogin(trx, effects.vault, {
      platform: 'meta',
      name: 'Meta (agency)',
      login: { access_token: 'sandbox-agency' },
      created_by: null,
    }),
  )
  const advertisers = new Map<string, number>()
  for (const { channel, advertiser, name, id, currency, traits } of ACCOUNTS) {
    if (channel !== 'fb' || traits.includes('expired')) continue
    const of = advertisers.get(advertiser) ?? (await api.advertiser(advertiser))
    advertisers.set(advertiser, of)
    await api.account({ advertiser: of, name, external_id: id, currency })
  }
  return {
    db,
    effects,
    clock,
    signedIn,
    sandbox,
    login,
    of: (advertiser: string) => advertisers.get(advertiser) ?? 0,
    serve: async (user_id: number, ...names: string[]) => {
      for (const name of names)
        await db
          .insertInto('advertiser_member')
          .values({ user_id, advertiser: advertisers.get(name) ?? 0 })
          .execute()
    },
    enter: (access_token: string) =>
      replaceLogin(db, effects.vault, { id: login, platform: 'meta', login: { access_token } }),
    refresh: async (at = NOW) => refreshBusinesses(db, effectsNow(), new Date(at)),
  }
}
