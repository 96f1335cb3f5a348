import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BACK, startClient } from '#sandbox/testing/consent.ts'
import type { Reply } from '#sandbox/testing/reply.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())

const META = { client_id: '460133700014200', client_secret: 'sandbox-app-secret' }
const GOOGLE = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
}
const LY = { client_id: 'sandbox-agency', client_secret: 'sandbox-agency' }
const TIKTOK = { app_id: '7300000000000000001', secret: 'sandbox-app-secret' }
const VERIFIER = 'v'.repeat(43)
const google = (...scopes: string[]) =>
  scopes.map(scope => `https://www.googleapis.com/auth/${scope}`).join(' ')

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const shared = { redirect_uri: BACK, state: 's 1', response_type: 'code' }
const pages = {
  meta: (more = {}) =>
    `v25.0/dialog/oauth?${query({ ...shared, client_id: META.client_id, scope: 'ads_read,business_management', ...more })}`,
  google: (more = {}) =>
    `o/oauth2/v2/auth?${query({
      ...shared,
      client_id: GOOGLE.client_id,
      scope: google('adwords', 'spreadsheets', 'drive.metadata.readonly'),
      access_type: 'offline',
      prompt: 'consent',
      code_challenge: hash('sha256', VERIFIER, 'base64url'),
      code_challenge_method: 'S256',
      ...more,
    })}`,
  ly: (more = {}) =>
    `oauth/v1/authorize?${query({ ...shared, client_id: LY.client_id, scope: 'yahooads', ...more })}`,
  tiktok: (more = {}) =>
    `portal/auth?${query({ app_id: TIKTOK.app_id, redirect_uri: BACK, state: 's 1', ...more })}`,
}
const post = (path: string, fields: Record<string, string>) =>
  client.send(path, { method: 'POST', body: new URLSearchParams(fields) })
const codeFrom = async (page: string, form = {}) =>
  (await client.answer(page, form)).searchParams.get('code') ?? ''
const redeem = {
  meta: (code: string, more = {}) =>
    client.send(`v25.0/oauth/access_token?${query({ ...META, redirect_uri: BACK, code, ...more })}`),
  google: (code: string, more = {}) =>
    post('token', {
      grant_type: 'authorization_code',
      ...GOOGLE,
      redirect_uri: BACK,
      code,
      code_verifier: VERIFIER,
      ...more,
    }),
  ly: (code: string, more = {}) =>
    post('oauth/v1/token', { grant_type: 'authorization_code', ...LY, redirect_uri: BACK, code, ...more }),
  tiktok: (auth_code: string, more = {}) =>
    client.send('open_api/v1.3/oauth2/access_token/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...TIKTOK, auth_code, ...more }),
    }),
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const providers = ['meta', 'google', 'ly', 'tiktok'] as const
const wordsOf = {
  meta: ({ body }: Reply) => [body.error?.code, body.error?.error_subcode],
  google: ({ body }: Reply) => [body.error, body.error_description],
  ly: ({ body }: Reply) => [body.error, body.error_description],
  tiktok: ({ body }: Reply) => [body.code],
}

describe('the page', () => {
  test.each(providers)('of %s names the people and the scopes, and loads nothing', async provider => {
    const response = await fetch(`${client.sandbox.origin}/${pages[provider]()}`)
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(html.match(/type="radio"/g)).toHaveLength(4)
    expect(html).toContain('type="checkbox"')
    expect(html).not.toMatch(/<script|<img|<link|src=/)
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:3000",
    )
  })

  test('sends back with what each platform sends, letter by letter', async () => {
    const meta = await client.answer(pages.meta())
    expect([...meta.searchParams.keys()]).toEqual(['code', 'state'])
    expect([meta.searchParams.get('state'), meta.hash]).toEqual(['s 1', '#_=_'])
    const back = await client.answer(pages.google(), { scope: google('adwords') })
    expect([...back.searchParams.keys()]).toEqual(['code', 'scope', 'state'])
    expect(back.searchParams.get('scope')).toBe(google('adwords'))
    expect([...(await client.answer(pages.ly())).searchParams.keys()]).toEqual(['code', 'state'])
    const tiktok = (await client.answer(pages.tiktok())).searchParams
    expect([...tiktok.keys()]).toEqual(['auth_code', 'code', 'state'])
    expect(tiktok.get('auth_code')).toBe(tiktok.get('code'))
  })

  test('sends a refusal back in the words of the platform', async () => {
    const denied = async (page: string) =>
      Object.fromEntries((await client.answer(page, { decision: 'deny' })).searchParams)
    expect(await denied(pages.meta())).toEqual({
      error: 'access_denied',
      error_reason: 'user_denied',
      state: 's 1',
    })
    expect(await denied(pages.google())).toEqual({ error: 'access_denied', state: 's 1' })
    expect(await denied(pages.ly())).toEqual({ error: 'access_denied', state: 's 1' })
  })

  test.each(providers)('of %s sends nobody to an address that is not registered', async provider => {
    const elsewhere = { redirect_uri: 'https://elsewhere.example/back' }
    expect((await client.answer(pages[provider](elsewhere))).href).toBe('about:status-400')
    await client.control('PUT', 'limits', { redirect_uris: [elsewhere.redirect_uri] })
    expect((await client.answer(pages[provider](elsewhere))).origin).toBe('https://elsewhere.example')
    const other = provider === 'tiktok' ? { app_id: '1' } : { client_id: '1' }
    expect((await client.answer(pages[provider](other))).href).toBe('about:status-400')
  })

  test('refuses scopes that are none, and a form that says nothing', async () => {
    expect((await client.answer(pages.meta({ scope: 'ads_everything' }))).href).toBe('about:status-400')
    expect((await client.answer(pages.google({ scope: '' }))).href).toBe('about:status-400')
    expect((await client.answer(pages.google({ code_challenge_method: 'plain' }))).href).toBe(
      'about:status-400',
    )
    expect((await client.answer(pages.ly(), { person: 'somebody' })).href).toBe('about:status-400')
  })
})

describe('a code', () => {
  test.each([
    ['meta', [100, 36_009], [100, 36_007]],
    ['google', ['invalid_grant', 'Bad Request'], ['invalid_grant', 'Bad Request']],
    ['ly', ['invalid_grant', 'code is invalid'], ['invalid_grant', 'code is expired']],
    ['tiktok', [40_110], [40_110]],
  ] as const)('of %s works once, and for ten minutes', async (provider, used, late) => {
    const first = await codeFrom(pages[provider]())
    const { body } = await redeem[provider](first)
    expect(body.access_token ?? body.data.access_token).toEqual(expect.any(String))
    expect(wordsOf[provider](await redeem[provider](first))).toEqual(used)
    const second = await codeFrom(pages[provider]())
    await client.control('PUT', 'clock', { now: '2026-11-20T04:10:01Z', speed: 0 })
    expect(wordsOf[provider](await redeem[provider](second))).toEqual(late)
  })

  test('is refused with another address, client or verifier, and is still good', async () => {
    const meta = await codeFrom(pages.meta())
    expect(wordsOf.meta(await redeem.meta(meta, { redirect_uri: `${BACK}/` }))).toEqual([100, 36_008])
    expect(wordsOf.meta(await redeem.meta(meta, { client_id: '1' }))).toEqual([101, undefined])
    expect(wordsOf.meta(await redeem.meta(meta, { client_secret: 'guessed' }))).toEqual([1, undefined])
    expect((await redeem.meta(meta)).status).toBe(200)
    const code = await codeFrom(pages.google())
    expect(wordsOf.google(await redeem.google(code, { redirect_uri: `${BACK}/` }))[0]).toBe(
      'redirect_uri_mismatch',
    )
    expect(wordsOf.google(await redeem.google(code, { code_verifier: 'w'.repeat(43) }))).toEqual([
      'invalid_grant',
      'Invalid code verifier.',
    ])
    expect(wordsOf.google(await redeem.google(code, { code_verifier: '' }))[0]).toBe('invalid_grant')
    expect(wordsOf.google(await redeem.google(code, { client_secret: 'guessed' }))[0]).toBe('invalid_client')
    expect((await redeem.google(code)).status).toBe(200)
    const ly = await codeFrom(pages.ly())
    expect(wordsOf.ly(await redeem.ly(ly, { client_id: 'sandbox-admin' }))[0]).toBe('invalid_grant')
    expect(wordsOf.ly(await redeem.ly(ly, { redirect_uri: `${BACK}/` }))[1]).toBe('redirect_uri is invalid')
    expect((await redeem.ly(ly)).status).toBe(200)
    const tiktok = await codeFrom(pages.tiktok())
    expect(wordsOf.tiktok(await redeem.tiktok(tiktok, { secret: 'guessed' }))).toEqual([40_101])
    expect((await redeem.tiktok(tiktok)).body.code).toBe(0)
  })

  test('stands in no log', async () => {
    const code = await codeFrom(pages.meta())
    await redeem.meta(code)
    const log = JSON.stringify((await client.control('GET', 'requests')).body)
    expect(log).not.toContain(code)
    expect(log).not.toContain(META.client_secret)
  })
})

describe('the token', () => {
  const sees = {
    async meta(person: string) {
      const { body } = await redeem.meta(await codeFrom(pages.meta(), { person }))
      const list = await client.send('v25.0/me/adaccounts?fields=name&limit=100', bearer(body.access_token))
      return list.body.data.map((account: { name: string }) => account.name)
    },
    async google(person: string) {
      const { body } = await redeem.google(await codeFrom(pages.google(), { person }))
      const list = await client.send('v24/customers:listAccessibleCustomers', bearer(body.access_token))
      return list.body.resourceNames ?? list.body.error.details[0].errors[0].errorCode.authenticationError
    },
    async ly(person: string) {
      const { body } = await redeem.ly(await codeFrom(pages.ly(), { person }))
      const list = await client.send('ly-search/api/v20/BaseAccountService/get', {
        method: 'POST',
        headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      return list.body.rval.values.map(({ account }: { account: { accountId: number } }) => account.accountId)
    },
    async tiktok(person: string) {
      const { body } = await redeem.tiktok(await codeFrom(pages.tiktok(), { person }))
      return body.data.advertiser_ids
    },
  }

  test('of the analyst sees Aurora and Borealis', async () => {
    expect(await sees.meta('agency-analyst')).toHaveLength(5)
    expect(await sees.google('agency-analyst')).toEqual(
      ['4203141501', '4203141502', '5203141503'].map(id => `customers/${id}`),
    )
    expect(await sees.ly('agency-analyst')).toEqual([1_001_926, 1_001_980, 1_001_985])
    expect(await sees.tiktok('agency-analyst')).toHaveLength(2)
  })

  test('of the client sees Cedar, of the admin everything, of nobody nothing', async () => {
    expect(await sees.meta('client-admin')).toEqual([
      'Cedar Coffee Tokyo',
      'Cedar Coffee (a very long ad name)',
      'Cedar Coffee US (login expired)',
    ])
    expect(await sees.google('client-admin')).toEqual(['customers/6203141504', 'customers/6203141512'])
    expect(await sees.meta('agency-admin')).toHaveLength(18)
    expect(await sees.tiktok('agency-admin')).toHaveLength(10)
    expect([await sees.meta('nobody'), await sees.ly('nobody'), await sees.tiktok('nobody')]).toEqual([
      [],
      [],
      [],
    ])
    expect(await sees.google('nobody')).toBe('NOT_ADS_USER')
  })

  test('of Meta has the permissions that stayed ticked', async () => {
    const { body } = await redeem.meta(await codeFrom(pages.meta(), { scope: ['', 'business_management'] }))
    const token = bearer(body.access_token)
    expect((await client.send('v25.0/me/permissions', token)).body.data).toEqual([
      { permission: 'business_management', status: 'granted' },
    ])
    expect((await client.send('v25.0/me/businesses', token)).status).toBe(200)
    const reader = await redeem.meta(await codeFrom(pages.meta(), { scope: ['', 'ads_read'] }))
    const reading = bearer(reader.body.access_token)
    expect(wordsOf.meta(await client.send('v25.0/me/businesses', reading))).toEqual([200, undefined])
    const made = { name: 'VIP', subtype: 'CUSTOM', customer_file_source: 'USER_PROVIDED_ONLY' }
    const audiences = 'v25.0/act_10150357160960121/customaudiences'
    expect((await client.send(audiences, reading)).status).toBe(200)
    const making = { ...reading, method: 'POST', body: new URLSearchParams(made) }
    expect(wordsOf.meta(await client.send(audiences, making))).toEqual([200, undefined])
    const refused = await client.send('v25.0/me/adaccounts', token)
    expect(wordsOf.meta(refused)).toEqual([200, undefined])
  })

  test('of Google has the scopes that stayed ticked, and earlier ones', async () => {
    const sheets = google('spreadsheets')
    const only = await redeem.google(await codeFrom(pages.google(), { scope: ['', sheets] }))
    expect(only.body.scope).toBe(sheets)
    const refused = await client.send('v24/customers:listAccessibleCustomers', bearer(only.body.access_token))
    expect(refused.status).toBe(403)
    const more = { include_granted_scopes: 'true', scope: google('adwords') }
    const both = await redeem.google(await codeFrom(pages.google(more)))
    expect(both.body.scope.split(' ').toSorted()).toEqual([google('adwords'), sheets])
    const about = await client.send('drive/v3/about?fields=user', bearer(both.body.access_token))
    expect(about.status).toBe(403)
  })

  test('of Google is for lists of customers only where that was agreed to', async () => {
    const lists = async (person: string, scope: string) => {
      const { body } = await redeem.google(await codeFrom(pages.google({ scope }), { person }))
      const account = 'accountTypes/GOOGLE_ADS/accounts/4203141501'
      return (await client.send(`v1/${account}/userLists`, bearer(body.access_token))).status
    }
    expect(await lists('agency-analyst', google('datamanager'))).toBe(200)
    expect(await lists('agency-analyst', google('adwords'))).toBe(403)
    expect(await lists('client-admin', google('datamanager'))).toBe(403)
    expect(await lists('nobody', google('datamanager'))).toBe(403)
  })

  test('of Google says whose it is, with a scope of Drive', async () => {
    const { body } = await redeem.google(await codeFrom(pages.google(), { person: 'client-admin' }))
    const about = await client.send('drive/v3/about?fields=user(emailAddress)', bearer(body.access_token))
    expect(about.body).toEqual({ user: { emailAddress: 'admin@cedar.demo' } })
    expect((await client.send('drive/v3/about', bearer(body.access_token))).status).toBe(400)
  })

  test('of Google says who agreed where that was asked for, which nobody can untick', async () => {
    const scope = `openid email ${google('adwords', 'datamanager')}`
    const code = await codeFrom(pages.google({ scope }), {
      scope: ['', google('adwords')],
      person: 'client-admin',
    })
    const { body } = await redeem.google(code)
    expect(body.scope).toBe(`openid ${google('userinfo.email', 'adwords')}`)
    const [header, claims] = body.id_token.split('.').map((part: string) => Buffer.from(part, 'base64url'))
    expect(JSON.parse(header)).toMatchObject({ alg: 'RS256' })
    expect(JSON.parse(claims)).toMatchObject({
      iss: 'https://accounts.google.com',
      aud: GOOGLE.client_id,
      sub: '100000000000000000005',
      email: 'admin@cedar.demo',
    })
    expect((await redeem.google(await codeFrom(pages.google()))).body.id_token).toBeUndefined()
  })

  test('of Google outlives the hour when that was asked for', async () => {
    const online = await redeem.google(await codeFrom(pages.google({ access_type: 'online' })))
    expect(online.body.refresh_token).toBeUndefined()
    const { body } = await redeem.google(await codeFrom(pages.google()))
    const again = await post('token', {
      grant_type: 'refresh_token',
      ...GOOGLE,
      refresh_token: body.refresh_token,
    })
    expect(again.body).toMatchObject({ scope: body.scope, token_type: 'Bearer' })
  })

  test('of Meta ends after an hour and a half, or is exchanged for one of sixty days', async () => {
    const { body } = await redeem.meta(await codeFrom(pages.meta()))
    const extend = { ...META, grant_type: 'fb_exchange_token', fb_exchange_token: body.access_token }
    const long = await client.send(`v25.0/oauth/access_token?${query(extend)}`)
    expect([body.expires_in, long.body.expires_in]).toEqual([5400, 5_183_944])
    await client.control('PUT', 'clock', { now: '2026-11-20T06:00:00Z', speed: 0 })
    expect(wordsOf.meta(await client.send('v25.0/me', bearer(body.access_token)))).toEqual([190, 463])
    expect((await client.send('v25.0/me', bearer(long.body.access_token))).body.name).toBe('Mei Lin')
  })

  test('of TikTok is for audiences only where that was agreed to', async () => {
    const { body } = await redeem.tiktok(await codeFrom(pages.tiktok(), { scope: ['', '4'] }))
    const token = { headers: { 'access-token': body.data.access_token } }
    const [advertiser_id] = body.data.advertiser_ids
    const list = await client.send(
      `open_api/v1.3/dmp/custom_audience/list/?advertiser_id=${advertiser_id}`,
      token,
    )
    expect(list.body).toMatchObject({
      code: 40_001,
      message: 'advertiser does not grant you /dmp/custom_audience/list/:GET permission',
    })
    expect((await client.send('open_api/v1.3/user/info/', token)).body.data.display_name).toBe('Mei Lin')
  })
})

describe('a consent that is taken back', () => {
  test('at Meta ends all tokens of the person', async () => {
    const { body } = await redeem.meta(await codeFrom(pages.meta()))
    const other = await redeem.meta(await codeFrom(pages.meta()))
    const token = bearer(body.access_token)
    expect((await client.send('v25.0/me/permissions', { ...token, method: 'DELETE' })).body).toEqual({
      success: true,
    })
    expect(wordsOf.meta(await client.send('v25.0/me', token))).toEqual([190, 458])
    expect(wordsOf.meta(await client.send('v25.0/me', bearer(other.body.access_token)))).toEqual([190, 458])
  })

  test('at Google ends refresh and access tokens', async () => {
    const { body } = await redeem.google(await codeFrom(pages.google()))
    expect((await post(`revoke?${query({ token: body.refresh_token })}`, {})).status).toBe(200)
    const again = await post('token', {
      grant_type: 'refresh_token',
      ...GOOGLE,
      refresh_token: body.refresh_token,
    })
    expect(wordsOf.google(again)).toEqual(['invalid_grant', 'Token has been expired or revoked.'])
    expect((await client.send('drive/v3/about?fields=user', bearer(body.access_token))).status).toBe(401)
    expect(wordsOf.google(await post('revoke', { token: body.access_token }))[0]).toBe('invalid_token')
  })

  test('at TikTok ends its token', async () => {
    const { body } = await redeem.tiktok(await codeFrom(pages.tiktok()))
    const revoke = () =>
      client.send('open_api/v1.3/oauth2/revoke_token/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...TIKTOK, access_token: body.data.access_token }),
      })
    expect((await revoke()).body.code).toBe(0)
    expect((await revoke()).body.code).toBe(40_105)
  })

  test.each(providers)('on the control page ends the tokens of %s', async provider => {
    const { body } = await redeem[provider](await codeFrom(pages[provider]()))
    const page = await fetch(`${client.sandbox.origin}/control`)
    expect(await page.text()).toContain('data-grant')
    const { grants } = (await client.control('GET', 'grants')).body
    expect(JSON.stringify(grants)).not.toContain(body.access_token ?? body.data.access_token)
    await client.control('POST', 'revoke-grants', { grants: [grants[0].id] })
    expect((await client.control('GET', 'grants')).body.grants).toEqual([])
  })

  test('at LY, which has no call for it, ends the refresh token', async () => {
    const { body } = await redeem.ly(await codeFrom(pages.ly()))
    const refresh = { grant_type: 'refresh_token', ...LY, refresh_token: body.refresh_token }
    expect((await post('oauth/v1/token', refresh)).status).toBe(200)
    const { grants } = (await client.control('GET', 'grants')).body
    await client.control('POST', 'revoke-grants', { grants: [grants[0].id] })
    expect((await post('oauth/v1/token', refresh)).body.error).toBe('invalid_grant')
  })
})
