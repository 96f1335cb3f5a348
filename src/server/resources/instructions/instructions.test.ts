import { describe, expect, it } from 'vitest'
import { Instructions } from '#shared/api/instructions.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { createAccountCheck } from '#server/resources/ad-accounts/check-account.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import type { Platform } from '#shared/platforms.ts'

const api = await testApi()
const superuser = await api.signedIn('superuser')
const staff = await api.signedIn('staff')
const read = async () => Instructions.parse((await staff.get('/api/instructions/')).body)
const login = async (platform: Platform, fields: Record<string, string>) =>
  await api.db
    .transaction()
    .execute(trx =>
      insertLogin(trx, api.effects.vault, { platform, name: platform, login: fields, created_by: null }),
    )

describe('the values of the instructions', () => {
  it('are those that a superuser has set, and until then those of the shared logins', async () => {
    expect((await read()).values).toEqual({
      meta_business_id: null,
      google_manager_id: null,
      google_address: null,
      yahoo_manager_id: null,
      tiktok_business_center_id: null,
      line_group_id: null,
    })
    const key = { client_email: 'reports@agency.iam.gserviceaccount.com', private_key: 'secret-key' }
    await login('google_ads', {
      service_account_key: JSON.stringify(key),
      login_customer_id: '111-222-3333',
    })
    await login('ga4', { client_id: 'id', client_secret: 'secret-of-client', refresh_token: 'secret-token' })
    await login('line', { access_key: 'secret-access', secret_key: 'secret-line', group_ids: 'G10000000001' })
    await login('meta', { access_token: 'secret-meta' })

    const known = await read()
    expect(known).toMatchObject({
      addresses: { google_ads: [key.client_email], ga4: [] },
      scopes: { google_ads: expect.stringContaining('adwords') },
      values: { google_manager_id: '111-222-3333', line_group_id: 'G10000000001', meta_business_id: null },
    })
    expect(known.callback_url).toBe('http://localhost:3000/oauth/callback')
    expect(JSON.stringify(known)).not.toMatch(/secret/)

    const body = { google_manager_id: '1234567890', meta_business_id: '98765432101' }
    expect((await superuser.patch('/api/instructions/', body)).status).toBe(200)
    expect((await read()).values).toMatchObject({
      google_manager_id: '123-456-7890',
      meta_business_id: '98765432101',
      line_group_id: 'G10000000001',
    })
    // A person's consent has no address; a service account has its own.
    await superuser.patch('/api/instructions/', { google_address: 'mei@agency.example' })
    expect((await read()).addresses).toEqual({
      google_ads: [key.client_email],
      ga4: ['mei@agency.example'],
    })
    await superuser.patch('/api/instructions/', { google_manager_id: null })
    expect((await read()).values).toMatchObject({
      google_manager_id: '111-222-3333',
      meta_business_id: '98765432101',
    })
  })

  it('have the address of a person who has connected, while the login is used for reports', async () => {
    await login('google', { client_id: 'id', client_secret: 'secret', refresh_token: 'secret' })
    const { id } = await api.db
      .updateTable('public_account')
      .set({ kind: 'oauth', person_email: 'ken@agency.example' })
      .where('platform', '=', 'google')
      .returning('id')
      .executeTakeFirstOrThrow()
    const service = { public_account: id, service: 'reporting', enabled: true } as const
    await api.db.insertInto('public_account_service').values(service).execute()
    expect((await read()).addresses).toEqual({
      google_ads: ['reports@agency.iam.gserviceaccount.com', 'ken@agency.example'],
      ga4: ['ken@agency.example'],
    })
    await api.db.updateTable('public_account_service').set({ enabled: false }).execute()
    expect((await read()).addresses.ga4).toEqual(['mei@agency.example'])
  })

  it.each([
    { meta_business_id: 'Acme' },
    { google_manager_id: '12-34' },
    { line_group_id: '10000000001' },
    { tiktok_business_center_id: '' },
    { yahoo_manager_id: '' },
    { google_address: 'agency' },
  ])('cannot be %j', async body => {
    const [field = ''] = Object.keys(body)
    const response = await superuser.patch('/api/instructions/', body)
    expect(response).toMatchObject({ status: 400, body: { codes: { [field]: expect.any(Array) } } })
  })

  it('are for the agency alone, and set by superusers', async () => {
    const client = await api.signedIn('external_user')
    expectRefusal(await client.get('/api/instructions/'), 403, 'forbidden')
    expectRefusal(await staff.patch('/api/instructions/', {}), 403, 'forbidden')
  })

  it('survive a login whose key is missing', async () => {
    const id = await login('line', { access_key: 'a', secret_key: 'b', group_ids: 'G2' })
    await api.db
      .updateTable('public_account')
      .set({ login: Buffer.alloc(40) })
      .where('id', '=', id)
      .execute()
    expect((await read()).values.line_group_id).toBe('G10000000001')
  })
})

describe('checking an account', () => {
  it('asks its platform, for those who may use it', async () => {
    const advertiser = await api.advertiser('Checked', [staff.user.id])
    const own = await api.account({ advertiser, name: 'Own', external_id: '77' })
    const foreign = await api.account({ advertiser: await api.advertiser('Unchecked', []) })
    const checked: string[] = []
    api.effects.checkAccount = async ({ external_id }) => {
      checked.push(external_id)
      return { result: 'ok', name: 'Own', status: 'enabled' }
    }
    expect(await staff.post(`/api/ad/account/${own}/check/`)).toMatchObject({
      status: 200,
      body: { result: 'ok', name: 'Own', status: 'enabled' },
    })
    expectRefusal(await staff.post(`/api/ad/account/${foreign}/check/`), 404, 'not_found')
    expect(checked).toEqual(['77'])
  })

  it('says the code and the platform’s own words', async () => {
    const advertiser = await api.advertiser('Lost', [staff.user.id])
    const account = await api.account({ advertiser })
    const refused = new PlatformFailure('account_access_lost', { platform_message: 'no permission' })
    const platforms = {
      fetch: () => Promise.reject(new Error('nothing is requested')),
      hosts: sandboxHosts('http://127.0.0.1:1'),
      tokens: createTokenCache(() => api.clock.now),
      limiter: { acquire: async () => {}, report: async () => {} },
    }
    api.effects.checkAccount = createAccountCheck({ sourceOf: () => Promise.reject(refused), platforms })
    expect((await staff.post(`/api/ad/account/${account}/check/`)).body).toEqual({
      result: 'account_access_lost',
      message: 'no permission',
    })
    api.effects.checkAccount = createAccountCheck({ sourceOf: async () => null, platforms })
    expect((await staff.post(`/api/ad/account/${account}/check/`)).body).toEqual({
      result: 'credential_missing',
    })
  })
})
