import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { AdAccountList } from '#shared/api/ad-accounts.ts'
import { NotificationList } from '#shared/api/notifications.ts'
import { PublicAccount, PublicAccountList, PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { platforms } from '#shared/platforms.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sources } from '#server/connectors/all.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { createVault } from '#server/vault.ts'
import { platformEffects } from './platform-effects.ts'
import { testSharedLogins } from './keep-alive.ts'
import { saveTest, notifyOfExpiry } from './notify.ts'

const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
/** Changes by others while a platform is being tested. */
let meanwhile: () => Promise<unknown> = async () => {}
const context = {
  ...testContext(sandbox.base_url, '2026-11-20T01:00:00Z'),
  async fetch(...request: Parameters<typeof fetch>) {
    const response = await fetch(...request)
    await meanwhile()
    return response
  },
}
const vault = createVault([randomBytes(32)])
const api = await testApi({ effects: { vault, platforms: platformEffects(vault, context) } })
const boss = await api.signedIn('superuser', { full_name: 'Ada Boss' })

const PATH = '/api/public-account/'
const AGENCY = { access_token: 'sandbox-agency' }
const accountIn = ({ body }: ApiResponse) => PublicAccount.parse(body)
const namesIn = ({ body }: ApiResponse) => PublicAccountList.parse(body).results.map(({ name }) => name)
const connect = async (facts: object = {}) => {
  const response = await boss.post(PATH, { platform: 'meta', name: 'Agency', login: AGENCY, ...facts })
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return accountIn(response)
}
const read = async (id: number) => accountIn(await boss.get(`${PATH}${id}/`))

describe('connecting a platform', () => {
  it('stores the login and returns which fields it has, never their content', async () => {
    const response = await boss.post(PATH, {
      platform: 'meta',
      name: '  Agency  ',
      login: { access_token: '  sandbox-agency\n', app_secret: 'sandbox-app-secret' },
      expires_at: '2027-01-31T00:00:00.000Z',
    })
    expect(response).toMatchObject({
      status: 201,
      body: {
        platform: 'meta',
        name: 'Agency',
        login_fields: ['access_token', 'app_secret'],
        expires_at: '2027-01-31T00:00:00.000Z',
        tested_at: null,
        test_result: null,
        accounts: 0,
        created_by_name: 'Ada Boss',
      },
    })
    expect(JSON.stringify(response.body)).not.toContain('sandbox-a')
    expect(await read(accountIn(response).id)).toEqual(response.body)
  })

  it('refuses an incomplete login, with the missing fields of the nearest set', async () => {
    const refused = async (platform: string, login: object, fields: Parameters<typeof expectRefusal>[3]) =>
      expectRefusal(await boss.post(PATH, { platform, name: 'x', login }), 400, 'invalid', fields)
    await refused('meta', {}, { 'login.access_token': ['field_required'] })
    await refused('meta', { access_token: '  ' }, { 'login.access_token': ['field_required'] })
    await refused('ga4', {}, { 'login.service_account_key': ['field_required'] })
    await refused(
      'ga4',
      { client_id: 'x' },
      {
        'login.client_secret': ['field_required'],
        'login.refresh_token': ['field_required'],
      },
    )
  })

  it('refuses fields that the platform does not have, and unknown platforms', async () => {
    const login = { ...AGENCY, password: 'x' }
    expectRefusal(await boss.post(PATH, { platform: 'meta', name: 'x', login }), 400, 'invalid', {
      'login.password': ['field_unknown'],
    })
    expectRefusal(await boss.post(PATH, { platform: 'myspace', name: 'x', login: {} }), 400, 'invalid', {
      platform: ['field_invalid'],
    })
    expectRefusal(await boss.post(PATH, { platform: 'meta', name: ' ', login: AGENCY }), 400, 'invalid', {
      name: ['field_required'],
    })
    expectRefusal(
      await boss.post(PATH, { platform: 'meta', name: 'x', login: { access_token: 7 } }),
      400,
      'invalid',
      { 'login.access_token': ['field_invalid'] },
    )
  })

  it('refuses what the platform’s connector could not use', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const key = { type: 'service_account', client_email: 'a@b.iam.gserviceaccount.com', private_key }
    const post = (text: string) =>
      boss.post(PATH, { platform: 'ga4', name: 'x', login: { service_account_key: text } })
    const wrong = { 'login.service_account_key': ['field_invalid'] } as const
    expectRefusal(await post('{"type": "service_acc'), 400, 'invalid', wrong)
    expectRefusal(await post(JSON.stringify({ ...key, private_key: 'x' })), 400, 'invalid', wrong)
    expectRefusal(
      await post(JSON.stringify({ ...key, private_key: '-----BEGIN PRIVATE KEY-----\nx' })),
      400,
      'invalid',
      wrong,
    )
    expect((await post(JSON.stringify(key, null, 2))).status).toBe(201)
    const login = { access_token: 'a\nb' }
    expectRefusal(await boss.post(PATH, { platform: 'meta', name: 'x', login }), 400, 'invalid', {
      'login.access_token': ['field_invalid'],
    })
  })
})

describe('the list of shared logins', () => {
  it('is searched by name and platform, ordered and paged', async () => {
    await connect({ name: 'Zebra' })
    await connect({ name: 'aardvark 50%' })
    expect(namesIn(await boss.get(`${PATH}?search=zebr`))).toEqual(['Zebra'])
    expect(namesIn(await boss.get(`${PATH}?search=50%25`))).toEqual(['aardvark 50%'])
    expect(namesIn(await boss.get(`${PATH}?search=google analytics`))).toEqual(['x'])
    const all = namesIn(await boss.get(`${PATH}?ordering=name&limit=100`))
    expect([all[0], all.at(-1)]).toEqual(['aardvark 50%', 'Zebra'])
    expect(await boss.get(`${PATH}?limit=1&offset=1&ordering=-name`)).toMatchObject({
      body: { count: all.length, previous: expect.stringContaining('offset=0') },
    })
    for (const field of ['id', 'platform', 'tested_at', 'expires_at'])
      expect((await boss.get(`${PATH}?ordering=-${field}`)).status).toBe(200)
    expectRefusal(await boss.get(`${PATH}?ordering=login`), 400, 'invalid', { ordering: ['field_invalid'] })
  })

  it('is a superuser’s alone', async () => {
    const director = await api.signedIn('director')
    const { id } = await connect()
    expectRefusal(await director.get(PATH), 403, 'forbidden')
    expectRefusal(await director.post(`${PATH}${id}/import-accounts/`), 403, 'forbidden')
    expectRefusal(await director.get('/api/public-account-platform/'), 403, 'forbidden')
  })
})

describe('the platforms', () => {
  it('are returned with their fields, which are secret, and which sets make a complete login', async () => {
    const listed = PublicAccountPlatform.array().parse((await boss.get('/api/public-account-platform/')).body)
    expect(listed.map(({ platform }) => platform).toSorted()).toEqual(Object.keys(sources).toSorted())
    for (const { platform, fields, needs } of listed) {
      expect(fields.map(({ field }) => field)).toEqual(Object.keys(platforms[platform].fields))
      expect(needs).toEqual(platforms[platform].needs)
    }
    expect(listed.find(({ platform }) => platform === 'meta')?.fields).toContainEqual({
      field: 'access_token',
      names: { en: 'System user access token', 'zh-TW': '系統使用者存取權杖' },
      secret: true,
      long: false,
    })
  })
})

describe('testing a login', () => {
  const test = async (id: number) => (await boss.post(`${PATH}${id}/test/`)).body

  it('connects to the platform and stores the result', async () => {
    const { id } = await connect()
    expect(await test(id)).toEqual({ result: 'ok', accounts: expect.any(Number) })
    expect(await read(id)).toMatchObject({ test_result: 'ok', tested_at: api.clock.now.toISOString() })
  })

  it('has why the platform refuses, as a code and in the platform’s own words', async () => {
    const { id } = await connect({ login: { access_token: 'EAAB-nobody-knows-this' } })
    const response = await test(id)
    expect(response).toEqual({ result: 'credential_expired', message: expect.stringMatching(/\w/) })
    expect(JSON.stringify(response)).not.toContain('EAAB')
    expect(await read(id)).toMatchObject({ test_result: 'credential_expired' })
  })

  it('says that the key is missing where the login was sealed with another one', async () => {
    const { id } = await connect()
    const other = createVault([randomBytes(32)]).seal('{"access_token":"x"}', `public_account/${id}/meta`)
    await api.db.updateTable('public_account').set({ login: other }).where('id', '=', id).execute()
    expect(await test(id)).toEqual({ result: 'credential_unreadable' })
    expectRefusal(await boss.post(`${PATH}${id}/import-accounts/`), 400, 'credential_unreadable')
  })

  it('stores nothing about a login that was replaced meanwhile', async () => {
    const { id } = await connect()
    meanwhile = () => boss.patch(`${PATH}${id}/`, { login: { access_token: 'EAAB-another' } })
    expect(await test(id)).toMatchObject({ result: 'ok' })
    meanwhile = async () => {}
    expect(await read(id)).toMatchObject({ test_result: null, tested_at: null })
  })
})

describe('shared logins that are not tested by hand', () => {
  it('are tested once a day by the product itself, and no oftener', async () => {
    const good = await connect()
    const dead = await connect({ login: { access_token: 'EAAB-nobody-knows-this' } })
    const effects = { platforms: platformEffects(vault, context) }
    const tomorrow = new Date(Date.now() + 25 * 3600_000)
    const rounds: number[] = []
    do rounds.push(await testSharedLogins(api.db, { ...effects, now: tomorrow }))
    while (rounds.at(-1) !== 0)
    expect(rounds.length).toBeGreaterThan(1)
    expect(await read(good.id)).toMatchObject({ test_result: 'ok', tested_at: tomorrow.toISOString() })
    expect(await read(dead.id)).toMatchObject({ test_result: 'credential_expired' })
  })
})

describe('superusers are notified', () => {
  const noticesAbout = async (login: string) => {
    const { results } = NotificationList.parse((await boss.get('/api/notifications/?limit=100')).body)
    return results.filter(notice => notice.detail.login === login).map(({ kind, code }) => [kind, code])
  }
  const testWith = async (id: number, result: string) => {
    const { sealed } = await api.db
      .selectFrom('public_account')
      .select('login as sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const test = { test_result: result, tested_at: api.clock.now }
    await api.db.transaction().execute(trx => saveTest(trx, { id, sealed }, test))
  }

  it('once when a login stops working and once when it works again, not when its platform is away', async () => {
    const { id } = await connect({ name: 'Login A' })
    for (const result of ['ok', 'platform_unavailable', 'credential_expired', 'credential_expired'])
      await testWith(id, result)
    expect(await noticesAbout('Login A')).toEqual([['login_failed', 'credential_expired']])
    for (const result of ['platform_timeout', 'ok', 'ok']) await testWith(id, result)
    expect(await noticesAbout('Login A')).toEqual([
      ['login_recovered', null],
      ['login_failed', 'credential_expired'],
    ])
  })

  it('once within the week before a login expires, and again of a later expiry', async () => {
    const after = (days: number) => new Date(api.clock.now.getTime() + days * 24 * 3600_000)
    const { id } = await connect({ name: 'Login B', expires_at: after(30).toISOString() })
    const pass = (days: number) => api.db.transaction().execute(trx => notifyOfExpiry(trx, after(days)))
    await pass(22)
    expect(await noticesAbout('Login B')).toEqual([])
    for (const day of [24, 25]) await pass(day)
    expect(await noticesAbout('Login B')).toEqual([['login_expires', null]])
    await boss.patch(`${PATH}${id}/`, { expires_at: after(60).toISOString() })
    for (const day of [26, 54]) await pass(day)
    expect(await noticesAbout('Login B')).toHaveLength(2)
  })
})

describe('importing accounts', () => {
  const accountsOf = async () =>
    AdAccountList.parse((await boss.get('/api/ad/account/?limit=100')).body).results

  it('stores all that the login sees, returns how many are new, and counts them in the list', async () => {
    const { id } = await connect()
    const first = await boss.post(`${PATH}${id}/import-accounts/`)
    const { accounts } = Object(first.body)
    expect(first).toMatchObject({ status: 200, body: { accounts, new: accounts } })
    expect(accounts).toBeGreaterThan(5)
    const remaining = await accountsOf()
    expect(remaining.filter(account => account.public_account === id)).toHaveLength(accounts)
    expect(await boss.post(`${PATH}${id}/import-accounts/`)).toMatchObject({ body: { accounts, new: 0 } })
    expect(await read(id)).toMatchObject({ accounts, test_result: 'ok' })
  })

  it('leaves accounts that another login has found with that one', async () => {
    const { id } = await connect({ name: 'Second' })
    expect(await boss.post(`${PATH}${id}/import-accounts/`)).toMatchObject({ body: { new: 0 } })
    expect(await read(id)).toMatchObject({ accounts: 0 })
  })

  it('refuses with the reason, and stores it, when the platform refuses the login', async () => {
    const { id } = await connect({ login: { access_token: 'EAAB-nobody' } })
    expectRefusal(await boss.post(`${PATH}${id}/import-accounts/`), 400, 'credential_expired')
    expect(await read(id)).toMatchObject({ test_result: 'credential_expired', accounts: 0 })
    const known = await connect()
    await sandbox.setFaults([{ platform: 'meta', action: 'rate_limit' }])
    const busy = await boss.post(`${PATH}${known.id}/import-accounts/`)
    expectRefusal(busy, 503, 'quota_exhausted')
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
    await sandbox.setFaults([])
  })
})

describe('importing by a login that is deleted meanwhile', () => {
  it('stores nothing', async () => {
    const { id } = await connect({ login: { access_token: 'sandbox-admin' } })
    const count = async () => Object((await boss.get('/api/ad/account/')).body).count
    const before = await count()
    meanwhile = () => boss.delete(`${PATH}${id}/`)
    expectRefusal(await boss.post(`${PATH}${id}/import-accounts/`), 400, 'credential_missing')
    meanwhile = async () => {}
    expect(await count()).toBe(before)
  })
})

describe('changing a login', () => {
  it('renames it and keeps its content', async () => {
    const { id } = await connect()
    await boss.post(`${PATH}${id}/test/`)
    expect(await boss.patch(`${PATH}${id}/`, { name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', test_result: 'ok', login_fields: ['access_token'] },
    })
    expect((await boss.post(`${PATH}${id}/test/`)).body).toMatchObject({ result: 'ok' })
  })

  it('replaces the login as a whole, with its expiry and the result of its test', async () => {
    const { id } = await connect({
      login: { ...AGENCY, app_secret: 'sandbox-app-secret' },
      expires_at: '2027-01-01T00:00:00Z',
    })
    await boss.post(`${PATH}${id}/test/`)
    expect(await boss.patch(`${PATH}${id}/`, { login: { access_token: 'EAAB-new' } })).toMatchObject({
      body: { login_fields: ['access_token'], expires_at: null, tested_at: null, test_result: null },
    })
    expect((await boss.post(`${PATH}${id}/test/`)).body).toMatchObject({ result: 'credential_expired' })
    expectRefusal(await boss.patch(`${PATH}${id}/`, { login: {} }), 400, 'invalid', {
      'login.access_token': ['field_required'],
    })
    expectRefusal(await boss.patch(`${PATH}${id}/`, { platform: 'ga4' }), 400, 'invalid', {
      platform: ['field_unknown'],
    })
  })

  it('sets when it expires, or that this is unknown', async () => {
    const { id } = await connect()
    const expires_at = '2027-03-01T00:00:00.000Z'
    expect((await boss.patch(`${PATH}${id}/`, { expires_at })).body).toMatchObject({ expires_at })
    expect((await boss.patch(`${PATH}${id}/`, { name: 'n' })).body).toMatchObject({ expires_at })
    expect((await boss.patch(`${PATH}${id}/`, { expires_at: null })).body).toMatchObject({ expires_at: null })
  })
})

describe('deleting a login', () => {
  it('leaves its accounts without one, returns how many, and another one takes them over', async () => {
    const connected = PublicAccountList.parse((await boss.get(`${PATH}?limit=100`)).body).results
    const one = connected.find(({ accounts }) => accounts > 0)
    if (!one) throw new Error('no login has accounts')
    expect(await boss.delete(`${PATH}${one.id}/`)).toMatchObject({
      status: 200,
      body: { accounts: one.accounts },
    })
    expectRefusal(await boss.get(`${PATH}${one.id}/`), 404, 'not_found')
    for (const call of ['test', 'import-accounts'])
      expectRefusal(await boss.post(`${PATH}${one.id}/${call}/`), 404, 'not_found')
    const heir = await connect({ name: 'Heir' })
    expect(await boss.post(`${PATH}${heir.id}/import-accounts/`)).toMatchObject({ body: { new: 0 } })
    expect(await read(heir.id)).toMatchObject({ accounts: one.accounts })
  })
})

describe('the trail', () => {
  it('has each action with its person and without any content of the login', async () => {
    const { id } = await connect({ login: { access_token: 'EAAB-trail' } })
    await boss.post(`${PATH}${id}/test/`)
    await boss.patch(`${PATH}${id}/`, { name: 'Trail', login: { access_token: 'EAAB-trail-2' } })
    await boss.post(`${PATH}${id}/import-accounts/`)
    await boss.delete(`${PATH}${id}/`)
    const { results } = Object((await boss.get('/api/audit/?object=public_account&limit=100')).body)
    const mine = results.filter((entry: { object_id: string }) => entry.object_id === String(id))
    expect(mine).toMatchObject([
      { action: 'public_account.delete', detail: { platform: 'meta', name: 'Trail', accounts: 0 } },
      { action: 'public_account.import', detail: { result: 'credential_expired' } },
      { action: 'public_account.change', detail: { fields: ['name', 'login'] } },
      { action: 'public_account.test', detail: { result: 'credential_expired' } },
      { action: 'public_account.create', actor: boss.user.id, detail: { platform: 'meta' } },
    ])
    expect(JSON.stringify(results)).not.toContain('EAAB')
  })
})
