import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  FinishConnectReply,
  LoginPermission,
  LoginService,
  StartConnectReply,
} from '#shared/api/connections.ts'
import { scopesOf, type ConnectablePlatform, type Service } from '#shared/connect.ts'
import { answerPage, apps, CALLBACK, type Answer } from '#server/connectors/testing/consent.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { createVault } from '#server/vault.ts'
import { connectionEffects } from './connect-effects.ts'
import { openLogin } from './logins.ts'
import { platformEffects } from './platform-effects.ts'
import { renewLogins } from './renew.ts'
import { createSources } from './sources.ts'

const NOW = '2026-11-20T04:00:00.000Z'
const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
await sandbox.reset(NOW)
const context = testContext(sandbox.base_url, NOW)
const vault = createVault([randomBytes(32)])
const api = await testApi({
  effects: { vault, platforms: platformEffects(vault, context), connections: connectionEffects(context) },
})
api.clock.now = new Date(NOW)
const boss = await api.signedIn('superuser', { full_name: 'Ada Boss' })

const CONNECT = '/api/public-account/connect/'
const FINISH = `${CONNECT}finish/`
const PLATFORMS = '/api/public-account-platform/'
beforeAll(async () => {
  for (const platform of ['meta', 'google', 'ly_ads', 'tiktok'] as const) {
    const { client_id, client_secret } = apps[platform]
    await boss.patch(`${PLATFORMS}${platform}/`, { version: 0, client_id, client_secret })
  }
})

interface Wish extends Answer {
  platform?: ConnectablePlatform
  services?: Service[]
  public_account?: number
  by?: Client
}
const begin = async ({ platform = 'google', services, public_account, by = boss }: Wish) => {
  const response = await by.post(CONNECT, { platform, services, public_account })
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 200 })
  return StartConnectReply.parse(response.body)
}
/** A person is sent to the platform, answers there, and is back with what the browser shows then. */
const comeBack = async (wish: Wish) => {
  const { url, nonce } = await begin(wish)
  const back = await answerPage(url, wish)
  const [state = '', code, error] = ['state', 'code', 'error'].map(
    name => back.searchParams.get(name) ?? undefined,
  )
  return { state, nonce, ...(code !== undefined && { code }), ...(error !== undefined && { error }) }
}
const connect = async (wish: Wish) => {
  const response = await (wish.by ?? boss).post(FINISH, await comeBack(wish))
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 200 })
  return FinishConnectReply.parse(response.body)
}
const loginsIn = async () => Number(Object((await boss.get('/api/public-account/')).body).count)
const servicesOf = async (id: number) =>
  LoginService.array().parse((await boss.get(`/api/public-account-service/?public_account=${id}`)).body)
const wordsIn = ({ body }: ApiResponse) => Object(body).platform_message

describe('a person who connects', () => {
  it('to Google with three services agrees once, and the refresh token is sealed', async () => {
    const services = ['reporting', 'audiences', 'spreadsheets'] as const
    const reply = await connect({ services: [...services], person: 'agency-analyst' })
    expect(reply).toMatchObject({
      login: {
        platform: 'google',
        kind: 'oauth',
        name: 'Google · analyst@agency.demo',
        person_name: 'analyst@agency.demo',
        login_fields: ['client_id', 'client_secret', 'refresh_token'],
        connected_at: NOW,
        test_result: 'ok',
      },
      code: null,
      scopes: [],
      problem: null,
    })
    expect(reply.services.map(({ service, enabled }) => [service, enabled])).toEqual(
      services.map(service => [service, true]),
    )
    expect(reply.accounts?.total).toBeGreaterThan(3)
    expect(reply.accounts?.new).toBe(reply.accounts?.total)
    const { login } = (await openLogin(api.db, vault, reply.login.id)) ?? {}
    expect(login?.['refresh_token']).toMatch(/^1\/\/0e/)
    const imported = await boss.post(`/api/public-account/${reply.login.id}/import-accounts/`)
    expect(imported.body).toEqual({ accounts: reply.accounts?.total, new: reply.accounts?.total })
    const stored = await api.db
      .selectFrom('public_account')
      .selectAll()
      .where('id', '=', reply.login.id)
      .execute()
    expect(Buffer.from(stored[0]?.login ?? []).includes(login?.['refresh_token'] ?? '-')).toBe(false)
  })

  it.each(['meta', 'ly_ads', 'tiktok'] as const)(
    'to %s has a login that can be tested at once',
    async platform => {
      const { login, accounts } = await connect({ platform, services: ['reporting'] })
      expect(login).toMatchObject({ platform, kind: 'oauth', test_result: 'ok' })
      expect(accounts?.total).toBeGreaterThan(0)
      expect((await boss.post(`/api/public-account/${login.id}/test/`)).body).toMatchObject({ result: 'ok' })
    },
  )

  it('and unticks a scope gets its name, and the rest is on', async () => {
    const services: Service[] = ['reporting', 'audiences']
    const wish = { services, person: 'client-admin', ticked: scopesOf('google', ['reporting']) } as const
    const reply = await connect({ ...wish, services })
    expect(reply).toMatchObject({ code: 'scope_missing', scopes: scopesOf('google', ['audiences']) })
    expect(reply.services).toMatchObject([
      { service: 'reporting', enabled: true, missing: [] },
      { service: 'audiences', enabled: false, missing: scopesOf('google', ['audiences']) },
    ])
    const { id } = reply.services[1] ?? { id: 0 }
    const on = await boss.patch(`/api/public-account-service/${id}/`, { enabled: true })
    expectRefusal(on, 400, 'scope_missing')
    expect(on.body).toMatchObject({ scopes: scopesOf('google', ['audiences']) })
    const again = await connect({ public_account: reply.login.id, person: 'client-admin' })
    expect(again).toMatchObject({ login: { id: reply.login.id }, code: null })
    expect((await servicesOf(reply.login.id)).map(({ enabled }) => enabled)).toEqual([true, true])
  })

  it('and refuses gets connect_denied, and nothing is stored', async () => {
    const before = await loginsIn()
    for (const platform of ['meta', 'google', 'ly_ads', 'tiktok'] as const) {
      const back = await comeBack({ platform, services: ['reporting'], decision: 'deny' })
      expect(back).toMatchObject({ error: 'access_denied' })
      expectRefusal(await boss.post(FINISH, back), 400, 'connect_denied')
      expectRefusal(await boss.post(FINISH, back), 400, 'state_unknown')
    }
    expect(await loginsIn()).toBe(before)
    expect(
      await api.db.selectFrom('connect_state').select('hash').where('used_at', 'is', null).execute(),
    ).toEqual([])
  })
})

describe('a state', () => {
  const reporting = { platform: 'meta', services: ['reporting'] } as const
  const wish = (): Wish => ({ ...reporting, services: ['reporting'] })

  it('works once, even for two at the same time', async () => {
    const back = await comeBack(wish())
    const responses = await Promise.all([boss.post(FINISH, back), boss.post(FINISH, back)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expectRefusal(await boss.post(FINISH, back), 400, 'state_unknown')
  })

  it('is forgotten after ten minutes', async () => {
    const back = await comeBack(wish())
    const late = new Date(Date.parse(NOW) + 601_000)
    const signedInAgain = api.bearing(await api.effects.tokens.signAccess(boss.claims, late))
    api.clock.now = late
    const refused = await signedInAgain.post(FINISH, back)
    api.clock.now = new Date(NOW)
    expectRefusal(refused, 400, 'state_unknown')
    expect((await boss.post(FINISH, back)).status).toBe(200)
  })

  it('is of one person and one browser, and is not used up by another', async () => {
    const other = await api.signedIn('superuser')
    const back = await comeBack(wish())
    expectRefusal(await other.post(FINISH, back), 400, 'state_unknown')
    expectRefusal(await boss.post(FINISH, { ...back, nonce: 'another' }), 400, 'state_unknown')
    expectRefusal(await boss.post(FINISH, { ...back, state: 'made up' }), 400, 'state_unknown')
    expect((await boss.post(FINISH, back)).status).toBe(200)
  })

  it('is of one platform: the code of another is refused there', async () => {
    const google = await comeBack({ services: ['reporting'] })
    const meta = await comeBack(wish())
    expectRefusal(await boss.post(FINISH, { ...meta, code: google.code }), 400, 'connect_failed')
  })

  it('and its nonce stand in no table, and its verifier is sealed', async () => {
    const { url, nonce } = await begin({ services: ['reporting'] })
    const state = new URL(url).searchParams.get('state') ?? ''
    expect(Buffer.from(state, 'base64url')).toHaveLength(32)
    const rows = await api.db.selectFrom('connect_state').selectAll().execute()
    const bytes = rows.flatMap(row => [row.hash, row.nonce_hash, row.verifier ?? Buffer.alloc(0)])
    for (const secret of [state, nonce, Buffer.from(state, 'base64url')])
      expect(bytes.some(value => Buffer.from(value).includes(secret))).toBe(false)
    expect(url).toContain('code_challenge_method=S256')
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(CALLBACK)
  })
})

describe('an exchange', () => {
  it('with another verifier is refused in the words of the platform', async () => {
    const back = await comeBack({ services: ['reporting'] })
    const other = await comeBack({ services: ['reporting'] })
    const refused = await boss.post(FINISH, { ...back, code: other.code })
    expectRefusal(refused, 400, 'connect_failed')
    expect(wordsIn(refused)).toBe('invalid_grant: Invalid code verifier.')
  })

  it('whose response is lost is not repeated: the person begins again', async () => {
    const before = await loginsIn()
    const back = await comeBack({ platform: 'meta', services: ['reporting'] })
    await sandbox.setFaults([{ platform: 'meta', action: 'cut', path: 'oauth/access_token', count: 1 }])
    expectRefusal(await boss.post(FINISH, back), 503, 'platform_unavailable')
    expectRefusal(await boss.post(FINISH, back), 400, 'state_unknown')
    expect(await loginsIn()).toBe(before)
    expect((await connect({ platform: 'meta', services: ['reporting'] })).login.platform).toBe('meta')
  })

  it('without a code, and errors of the platform itself, are no decision of a person', async () => {
    const { code: _code, ...back } = await comeBack({ services: ['reporting'] })
    expectRefusal(await boss.post(FINISH, back), 400, 'invalid', { code: ['field_required'] })
    const { state, nonce } = await comeBack({ services: ['reporting'] })
    const failed = await boss.post(FINISH, { state, nonce, error: 'temporarily_unavailable' })
    expectRefusal(failed, 400, 'connect_failed')
    expect(wordsIn(failed)).toBe('temporarily_unavailable')
  })
})

describe('connecting again', () => {
  it('as somebody else asks once, without using the code twice', async () => {
    const { login } = await connect({ services: ['reporting'], person: 'agency-admin' })
    const wish = { public_account: login.id, person: 'agency-analyst' } as const
    const { code: _code, ...back } = await comeBack(wish)
    const question = await boss.post(FINISH, { ...back, code: _code })
    expectRefusal(question, 409, 'connect_other_person')
    expect(question.body).toMatchObject({
      person: { before: 'admin@agency.demo', now: 'analyst@agency.demo' },
    })
    expect(JSON.stringify(question.body)).not.toContain('1//0e')
    expectRefusal(await boss.post(FINISH, { ...back, code: _code }), 400, 'state_unknown')
    const confirmed = await boss.post(FINISH, { ...back, confirm_other_person: true })
    expect(confirmed.body).toMatchObject({ login: { id: login.id, person_name: 'analyst@agency.demo' } })
    expectRefusal(await boss.post(FINISH, { ...back, confirm_other_person: true }), 400, 'state_unknown')
    await boss.post(`/api/public-account/${login.id}/disconnect/`)
  })

  it('as somebody who was not meant gives their consent back', async () => {
    const { login } = await connect({ platform: 'meta', services: ['reporting'], person: 'client-admin' })
    const wish = { platform: 'meta', public_account: login.id, person: 'nobody' } as const
    const back = await comeBack(wish)
    expectRefusal(await boss.post(FINISH, back), 409, 'connect_other_person')
    const { code: _code, ...answer } = back
    expectRefusal(await boss.post(FINISH, { ...answer, confirm_other_person: false }), 400, 'connect_denied')
    expect(await sandbox.countOf(/POST .*me\/permissions/)).toBe(1)
    expect(Object((await boss.get(`/api/public-account/${login.id}/`)).body).person_name).toBe('Sara Cole')
  })

  it('is for superusers and for keepers of that login, and another login is not there for them', async () => {
    const { login } = await connect({ services: ['reporting'] })
    const other = await connect({ platform: 'meta', services: ['reporting'] })
    const keeper = await api.signedIn('staff', { full_name: 'Kim Keeper' })
    const again = { platform: 'google', public_account: login.id }
    expectRefusal(await keeper.post(CONNECT, again), 404, 'not_found')
    expectRefusal(
      await keeper.post(CONNECT, { platform: 'google', services: ['reporting'] }),
      403,
      'forbidden',
    )
    const client = await api.client()
    const add = (user: number) => boss.post('/api/public-account-user/', { public_account: login.id, user })
    expectRefusal(await add(client.user.id), 400, 'invalid', { user: ['field_not_available'] })
    expect(await add(keeper.user.id)).toMatchObject({ status: 201, body: { user_name: 'Kim Keeper' } })
    expect((await add(keeper.user.id)).status).toBe(201)
    expect((await connect({ public_account: login.id, by: keeper })).login.id).toBe(login.id)
    const elsewhere = { platform: 'meta', public_account: other.login.id }
    expectRefusal(await keeper.post(CONNECT, elsewhere), 404, 'not_found')
    const own = (await keeper.get('/api/public-account-user/')).body
    expect(own).toMatchObject([{ public_account: login.id, login: { name: login.name } }])
    const back = await comeBack({ public_account: login.id, by: keeper })
    await boss.delete(`/api/public-account-user/${Object(own)[0].id}/`)
    expectRefusal(await keeper.post(FINISH, back), 404, 'not_found')
    expect((await keeper.get('/api/public-account-user/')).body).toEqual([])
  })

  it('is at its own platform, and keeps the services that it has', async () => {
    const { login } = await connect({ platform: 'meta', services: ['businesses'] })
    const elsewhere = { platform: 'google', public_account: login.id }
    expectRefusal(await boss.post(CONNECT, elsewhere), 400, 'invalid', { platform: ['field_not_available'] })
    const again = await connect({ platform: 'meta', public_account: login.id })
    expect(again).toMatchObject({ services: [{ service: 'businesses', enabled: true }], accounts: null })
    const more = await connect({ platform: 'meta', public_account: login.id, services: ['audiences'] })
    expect(more.services.map(({ service }) => service)).toEqual(['businesses', 'audiences'])
  })

  it('takes over a login whose keys were entered, with its accounts', async () => {
    const body = { platform: 'meta', name: 'By hand', login: { access_token: 'sandbox-agency' } }
    const { id } = Object((await boss.post('/api/public-account/', body)).body)
    const { login } = await connect({ platform: 'meta', public_account: id, services: ['reporting'] })
    expect(login).toMatchObject({ id, name: 'By hand', kind: 'oauth' })
    const changed = await boss.patch(`/api/public-account/${id}/`, { login: { access_token: 'x' } })
    expectRefusal(changed, 400, 'invalid', { login: ['field_not_available'] })
  })
})

describe('what cannot be begun', () => {
  it('is refused with what is wrong', async () => {
    const post = (body: object) => boss.post(CONNECT, body)
    const services = ['reporting']
    expectRefusal(await post({ platform: 'line', services }), 400, 'invalid', { platform: ['field_invalid'] })
    expectRefusal(await post({ platform: 'google' }), 400, 'invalid', { services: ['field_required'] })
    expectRefusal(await post({ platform: 'ly_ads', services: ['audiences'] }), 400, 'invalid', {
      services: ['field_not_available'],
    })
    expectRefusal(await post({ platform: 'google', public_account: 999_999 }), 404, 'not_found')
    const { version } = Object(
      (await boss.patch(`${PLATFORMS}tiktok/`, { version: 1, client_secret: null })).body,
    )
    expectRefusal(await post({ platform: 'tiktok', services }), 409, 'platform_not_ready')
    await boss.patch(`${PLATFORMS}tiktok/`, { version, client_secret: apps.tiktok.client_secret })
    expect((await post({ platform: 'tiktok', services })).status).toBe(200)
  })
})

/** Everybody takes their consent back on the sandbox's control page. */
async function revokeAll() {
  const { grants } = (await (await fetch(`${sandbox.base_url}/control/grants`)).json()) as {
    grants: { id: string }[]
  }
  const body = JSON.stringify({ grants: grants.map(({ id }) => id) })
  await fetch(`${sandbox.base_url}/control/revoke-grants`, { method: 'POST', body })
}

describe('the permissions of a login', () => {
  it('are checked at the platform, and what has lost them is off', async () => {
    const { login } = await connect({
      platform: 'meta',
      services: ['reporting', 'businesses'],
      person: 'nobody',
    })
    const check = () => boss.post('/api/public-account-permission/check/', { public_account: login.id })
    const granted = LoginPermission.array().parse((await check()).body)
    expect(granted.map(each => [each.scope, each.needed, each.granted])).toEqual([
      ['ads_management', false, false],
      ['business_management', true, true],
      ['ads_read', true, true],
    ])
    const listed = await boss.get(`/api/public-account-permission/?public_account=${login.id}`)
    expect(listed.body).toEqual(granted)
    await revokeAll()
    expectRefusal(await check(), 400, 'credential_expired')
    const hand = { platform: 'line', name: 'L', login: { access_key: 'a', secret_key: 'b', group_ids: 'G1' } }
    const { id } = Object((await boss.post('/api/public-account/', hand)).body)
    const byHand = await boss.post('/api/public-account-permission/check/', { public_account: id })
    expectRefusal(byHand, 409, 'action_not_allowed')
  })

  it('that a platform does not tell are unknown', async () => {
    const { login } = await connect({ platform: 'ly_ads', services: ['reporting'] })
    const check = await boss.post('/api/public-account-permission/check/', { public_account: login.id })
    expect(check.body).toMatchObject([{ scope: 'yahooads', needed: true, granted: null }])
  })
})

describe('a service that is switched off', () => {
  it('is not served by the login until it is on again', async () => {
    const { login } = await connect({ services: ['reporting'] })
    const [service] = await servicesOf(login.id)
    const set = (enabled: boolean) => boss.patch(`/api/public-account-service/${service?.id}/`, { enabled })
    const sources = createSources(api.db, { vault, environment: {} })
    const account = { provider: 'ga4', public_account: login.id } as const
    expect(await sources.of(account)).not.toBeNull()
    expect((await set(false)).body).toMatchObject({ enabled: false })
    expect(await servicesOf(login.id)).toMatchObject([{ enabled: false }])
    expect([await sources.of(account), await sources.enabledFor(login.id, 'reporting')]).toEqual([
      null,
      false,
    ])
    expect((await set(true)).body).toMatchObject({ enabled: true })
    expect(await sources.enabledFor(login.id, 'reporting')).toBe(true)
    expect(await sources.enabledFor(login.id, 'audiences')).toBe(false)
    expect(await sources.of({ ...account, service: 'businesses' })).toBeNull()
    const ads = { provider: 'google_ads', public_account: login.id } as const
    await expect(sources.audiencesOf(ads)).rejects.toThrow('credential_missing')
    const hand = { platform: 'meta', name: 'By hand', login: { access_token: 'x' } }
    const { id } = Object((await boss.post('/api/public-account/', hand)).body)
    expect([await sources.enabledFor(id, 'audiences'), await sources.enabledFor(null, 'audiences')]).toEqual([
      true,
      true,
    ])
    expectRefusal(
      await boss.patch('/api/public-account-service/999999/', { enabled: true }),
      404,
      'not_found',
    )
  })
})

describe('disconnecting', () => {
  it('says first what stops, takes the consent back and leaves the accounts without a login', async () => {
    const { login } = await connect({ platform: 'tiktok', services: ['reporting'], person: 'client-admin' })
    const path = `/api/public-account/${login.id}/disconnect/`
    expect((await boss.get(path)).body).toEqual({
      accounts: 0,
      reports: { count: 0, names: [] },
      audiences: { count: 0, names: [] },
      revokes: true,
    })
    expect((await boss.post(path)).body).toEqual({ accounts: 0, revoked: true })
    expect(await sandbox.countOf(/revoke_token/)).toBe(1)
    expectRefusal(await boss.get(path), 404, 'not_found')
  })

  it('names the reports and the audience lists of its accounts', async () => {
    const { login } = await connect({ platform: 'meta', services: ['reporting'], person: 'client-admin' })
    const me = await api.client()
    const account = await api.account({ advertiser: me.advertiser })
    await api.db
      .updateTable('ad_account')
      .set({ public_account: login.id })
      .where('id', '=', account)
      .execute()
    const report = await me.report({ name: 'Weekly' })
    await api.db
      .insertInto('report_account')
      .values({ report: report.id, block: 0, ad_account: account })
      .execute()
    const { id: audience } = await api.db
      .insertInto('audience')
      .values({ advertiser: me.advertiser, kind: 'customer_file', name: 'Buyers' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const shared = { audience, ad_account: account, mode: 'home', state: 'ready' } as const
    await api.db
      .insertInto('audience_share')
      .values({ ...shared, created_at: api.clock.now, last_modified_at: api.clock.now })
      .execute()
    expect((await boss.get(`/api/public-account/${login.id}/disconnect/`)).body).toMatchObject({
      accounts: 1,
      reports: { count: 1, names: ['Weekly'] },
      audiences: { count: 1, names: ['Buyers'] },
    })
  })

  it('leaves the consent of a person who has another login here', async () => {
    const first = await connect({ services: ['reporting'], person: 'nobody' })
    const second = await connect({ services: ['reporting'], person: 'nobody' })
    const before = await sandbox.countOf(/POST \/revoke/)
    const reply = await boss.post(`/api/public-account/${first.login.id}/disconnect/`)
    expect(reply.body).toMatchObject({ revoked: false })
    expect(await sandbox.countOf(/POST \/revoke/)).toBe(before)
    expect((await boss.post(`/api/public-account/${second.login.id}/test/`)).body).toMatchObject({
      result: 'ok',
    })
    const last = await boss.post(`/api/public-account/${second.login.id}/disconnect/`)
    expect(last.body).toMatchObject({ revoked: true })
  })

  it('goes on where the platform is away, and not for keys', async () => {
    const { login } = await connect({ platform: 'meta', services: ['reporting'], person: 'nobody' })
    await sandbox.setFaults([{ platform: 'meta', action: 'error', count: 20 }])
    const reply = await boss.post(`/api/public-account/${login.id}/disconnect/`)
    await sandbox.setFaults([])
    expect(reply).toMatchObject({ status: 200, body: { revoked: false } })
    const hand = { platform: 'meta', name: 'By hand', login: { access_token: 'x' } }
    const { id } = Object((await boss.post('/api/public-account/', hand)).body)
    expectRefusal(await boss.post(`/api/public-account/${id}/disconnect/`), 409, 'action_not_allowed')
  })
})

describe('a connected login', () => {
  const day = (count: number) => new Date(Date.parse(NOW) + count * 86_400_000)
  const effectsAt = (now: Date) => ({
    vault,
    connections: connectionEffects(testContext(sandbox.base_url, now.toISOString())),
  })
  const endOf = async (id: number) =>
    Object((await boss.get(`/api/public-account/${id}/`)).body).expires_at as string
  /** As the scheduler does, in two processes at once. */
  const pass = async (now: Date) => {
    await sandbox.setClock({ now: now.toISOString(), speed: 0 })
    const counts = await Promise.all([0, 1].map(() => renewLogins(api.db, { ...effectsAt(now), now })))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  it('is renewed two weeks before its end at Meta and weekly at LY, once, and keepers hear of it when not', async () => {
    await api.db.deleteFrom('public_account').execute()
    const { login: meta } = await connect({ platform: 'meta', services: ['reporting'] })
    const { login: ly } = await connect({ platform: 'ly_ads', services: ['reporting'] })
    expect(await pass(day(6))).toBe(0)
    expect(await pass(day(8))).toBe(1)
    expect(await endOf(ly.id)).toBe(day(36).toISOString())
    await api.db
      .updateTable('public_account')
      .set({ expires_at: day(400) })
      .where('id', '=', ly.id)
      .execute()
    expect(await pass(day(45))).toBe(0)
    expect(await pass(day(47))).toBe(1)
    expect(Date.parse(await endOf(meta.id))).toBeGreaterThan(day(100).getTime())
    const keeper = await api.signedIn('staff')
    await boss.post('/api/public-account-user/', { public_account: meta.id, user: keeper.user.id })
    await revokeAll()
    expect(await pass(day(98))).toBe(0)
    const { results } = Object((await keeper.get('/api/notifications/')).body)
    expect(results).toMatchObject([{ kind: 'login_failed', code: 'credential_expired' }])
    await sandbox.setClock({ now: NOW, speed: 0 })
  })
})
