import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scopesOf, type ConnectablePlatform } from '#shared/connect.ts'
import { oauthConnectors, sources } from './all.ts'
import { PlatformFailure, type ConnectorContext } from './connector.ts'
import { challengeOf, type Connected, type ExchangeRequest } from './oauth.ts'
import { answerConsent, apps, CALLBACK, VERIFIER, type Visit } from './testing/consent.ts'
import { testContext } from './testing/context.ts'
import { sandboxOfFile } from './testing/sandbox.ts'

const NOW = '2026-11-20T04:00:00Z'
const sandbox = sandboxOfFile(NOW)
const platforms = ['meta', 'google', 'ly_ads', 'tiktok'] as const

const contextAt = (now = NOW): ConnectorContext => testContext(sandbox.base_url, now)
const codeFor = async (visit: Visit) =>
  (await answerConsent(sandbox.base_url, visit)).searchParams.get('code') ?? ''

const exchange = (
  platform: ConnectablePlatform,
  code: string,
  change: Partial<ExchangeRequest> = {},
): Promise<Connected> =>
  oauthConnectors[platform].exchange(
    {
      app: apps[platform],
      code,
      callback_url: CALLBACK,
      verifier: oauthConnectors[platform].pkce ? VERIFIER : null,
      ...change,
    },
    contextAt(),
  )

const reporting = (platform: ConnectablePlatform): Visit => ({
  platform,
  scopes: scopesOf(platform, ['reporting']),
})

/** A person agrees, and the product takes the code. */
const connect = async (visit: Visit) => exchange(visit.platform, await codeFor(visit))

const accountsOf = async (platform: ConnectablePlatform, { login }: Pick<Connected, 'login'>) =>
  (await Array.fromAsync(sources[platform](login).listAccounts(contextAt())))
    .flat()
    .map(({ name, analytics }) => analytics?.account_name ?? name)

/** What it fails with, and that nothing secret is in it. */
async function failureOf(call: Promise<unknown>, ...secrets: string[]) {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof PlatformFailure))
    throw new Error('it is no failure of the platform', { cause: failure })
  const text = JSON.stringify([failure.message, failure.platform_message, failure.cause, failure.stack])
  for (const secret of [...secrets, VERIFIER]) expect(text).not.toContain(secret)
  return { code: failure.code, words: failure.platform_message }
}

test('a challenge is the one of RFC 7636', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

describe('a person who agrees', () => {
  test.each(platforms)('gives %s a login that its connector works with', async platform => {
    const connected = await connect({ ...reporting(platform), person: 'agency-analyst' })
    const names = await accountsOf(platform, connected)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(name => !/Aurora|Borealis|オーロラ/.test(name))).toEqual([])
  })

  test('is named where the platform tells', async () => {
    const persons = async (visit: Visit) => (await connect(visit)).person
    expect(await persons(reporting('meta'))).toEqual({ id: '10220000000000003', name: 'Mei Lin' })
    const scopes = scopesOf('google', ['reporting', 'spreadsheets'])
    const client = { platform: 'google', scopes, person: 'client-admin' } as const
    expect(await persons(client)).toEqual({
      id: '100000000000000000005',
      name: 'admin@cedar.demo',
      email: 'admin@cedar.demo',
    })
    expect(await persons(reporting('google'))).toMatchObject({ email: 'admin@agency.demo' })
    expect(await persons({ ...reporting('ly_ads'), person: 'client-admin' })).toEqual({
      id: 'biz-client-admin',
      name: null,
    })
    expect(await persons(reporting('tiktok'))).toEqual({ id: '7000000000000000003', name: 'Mei Lin' })
  })

  test('may untick scopes: what was granted is known from the answer, and later', async () => {
    const scopes = scopesOf('google', ['reporting', 'audiences', 'spreadsheets'])
    const ticked = scopesOf('google', ['reporting', 'spreadsheets'])
    const google = await connect({ platform: 'google', scopes, ticked })
    expect(google.scopes).toEqual(ticked)
    expect(await oauthConnectors.google.grantedScopes(google.login, contextAt())).toEqual(ticked)
    const every = scopesOf('meta', ['reporting', 'audiences', 'businesses'])
    const meta = await connect({ platform: 'meta', scopes: every, ticked: ['ads_read'] })
    expect(meta.scopes).toEqual(['ads_read'])
    expect(await oauthConnectors.meta.grantedScopes(meta.login, contextAt())).toEqual(['ads_read'])
    const ly = await connect(reporting('ly_ads'))
    expect(await oauthConnectors.ly_ads.grantedScopes(ly.login, contextAt())).toBeNull()
    const tiktok = await connect({ platform: 'tiktok', scopes: [], ticked: ['4'] })
    expect([tiktok.scopes, await oauthConnectors.tiktok.grantedScopes(tiktok.login, contextAt())]).toEqual([
      ['4'],
      null,
    ])
  })

  test('reaches Google Ads and Analytics with one consent, and what they have not agreed to is left out', async () => {
    const providersOf = async (visit: Partial<Visit>) => {
      const { login } = await connect({ ...reporting('google'), person: 'client-admin', ...visit })
      const accounts = (await Array.fromAsync(sources.google(login).listAccounts(contextAt()))).flat()
      return [...new Set(accounts.map(({ provider }) => provider))]
    }
    expect(await providersOf({})).toEqual(['google_ads', 'ga4', 'universal_analytics'])
    const [ads = '', analytics = ''] = scopesOf('google', ['reporting'])
    expect(await providersOf({ ticked: [ads], person: 'agency-analyst' })).toEqual(['google_ads'])
    expect(await providersOf({ ticked: [analytics], person: 'agency-admin' })).toEqual([
      'ga4',
      'universal_analytics',
    ])
    await sandbox.setFaults([{ platform: 'google_ads', action: 'error', count: 50 }])
    expect((await failureOf(providersOf({}))).code).toBe('platform_error')
  })

  test('without a scope leaves a login that the platform refuses for it', async () => {
    const scopes = scopesOf('google', ['reporting', 'spreadsheets'])
    const ticked = scopesOf('google', ['spreadsheets'])
    const google = await connect({ platform: 'google', scopes, ticked })
    expect((await failureOf(accountsOf('google', google))).code).toBe('credential_expired')
    const meta = await connect({
      platform: 'meta',
      scopes: scopesOf('meta', ['reporting', 'businesses']),
      ticked: scopesOf('meta', ['businesses']),
    })
    expect((await failureOf(accountsOf('meta', meta))).code).toBe('account_access_lost')
  })

  test('may be nobody in particular, who sees no account', async () => {
    expect(await accountsOf('meta', await connect({ ...reporting('meta'), person: 'nobody' }))).toEqual([])
  })

  test('with a configuration of Login for Business gives Meta a login without an end', async () => {
    const app = { ...apps.meta, config_id: '90210' }
    const code = await codeFor({ ...reporting('meta'), app })
    expect(await exchange('meta', code, { app })).toMatchObject({
      expires_at: null,
      scopes: ['ads_read', 'ads_management', 'business_management'],
    })
  })
})

test.each(platforms)('a person who refuses comes back from %s without a code', async platform => {
  const back = await answerConsent(sandbox.base_url, { ...reporting(platform), decision: 'deny' })
  expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
    'access_denied',
    'state-1',
  ])
  expect(back.searchParams.get('code')).toBeNull()
})

describe('a code is refused, in the words of the platform and without a secret', () => {
  test.each(platforms)('by %s when it was used', async platform => {
    const code = await codeFor(reporting(platform))
    const { login } = await exchange(platform, code)
    const secrets = [code, ...Object.values(login).filter(value => value !== apps[platform].client_id)]
    const { code: refusal, words } = await failureOf(exchange(platform, code), ...secrets)
    expect(refusal).toBe('connect_failed')
    expect(words).toMatch(/used|invalid/i)
  })

  test.each(platforms)('by %s when it is late', async platform => {
    const code = await codeFor(reporting(platform))
    await sandbox.setClock({ now: '2026-11-20T04:10:01Z', speed: 0 })
    expect((await failureOf(exchange(platform, code), code)).code).toBe('connect_failed')
  })

  test.each(platforms)('by %s when the app has another secret', async platform => {
    const code = await codeFor(reporting(platform))
    const app = { ...apps[platform], client_secret: 'a-guessed-secret' }
    expect((await failureOf(exchange(platform, code, { app }), code, app.client_secret)).code).toBe(
      'connect_failed',
    )
  })

  test.each(platforms)('by %s when the app is another one', async platform => {
    const code = await codeFor(reporting(platform))
    const app = { ...apps[platform], client_id: '1-other.apps.googleusercontent.com' }
    expect((await failureOf(exchange(platform, code, { app }), code)).code).toBe('connect_failed')
  })

  test.each(['meta', 'google', 'ly_ads'] as const)(
    'by %s when the address is another one',
    async platform => {
      const code = await codeFor(reporting(platform))
      const other = { callback_url: 'http://localhost:3000/elsewhere' }
      expect((await failureOf(exchange(platform, code, other), code)).code).toBe('connect_failed')
    },
  )

  test('by Google when the verifier is another one, or is missing', async () => {
    const code = await codeFor(reporting('google'))
    const other = { verifier: 'another-verifier-of-forty-three-characters' }
    expect(await failureOf(exchange('google', code, other), code, other.verifier)).toEqual({
      code: 'connect_failed',
      words: 'invalid_grant: Invalid code verifier.',
    })
    expect((await failureOf(exchange('google', code, { verifier: null }))).code).toBe('connect_failed')
  })
})

test('a code is sent once, even when the answer is lost', async () => {
  const code = await codeFor(reporting('meta'))
  await sandbox.setFaults([{ platform: 'meta', action: 'cut', path: 'oauth/access_token', count: 1 }])
  expect((await failureOf(exchange('meta', code), code)).code).toBe('platform_unavailable')
  expect(await sandbox.countOf(/oauth\/access_token/)).toBe(1)
})

describe('a login is renewed', () => {
  test('at Meta, for sixty days from then', async () => {
    const { login, expires_at } = await connect(reporting('meta'))
    expect(expires_at?.toISOString()).toBe('2027-01-19T03:59:04.000Z')
    await sandbox.setClock({ now: '2027-01-06T04:00:00Z', speed: 0 })
    const renewed = await oauthConnectors.meta.renew?.(login, apps.meta, contextAt('2027-01-06T04:00:00Z'))
    expect(renewed?.expires_at?.toISOString()).toBe('2027-03-07T03:59:04.000Z')
    expect(renewed?.login).toMatchObject({ app_secret: apps.meta.client_secret })
    await sandbox.setClock({ now: '2027-02-01T04:00:00Z', speed: 0 })
    expect((await failureOf(accountsOf('meta', { login }))).code).toBe('credential_expired')
    expect(await accountsOf('meta', { login: { ...renewed?.login } })).toHaveLength(18)
  })

  test('at Meta no more after its end', async () => {
    const { login } = await connect(reporting('meta'))
    await sandbox.setClock({ now: '2027-02-01T04:00:00Z', speed: 0 })
    const renewal = oauthConnectors.meta.renew?.(login, apps.meta, contextAt()) ?? Promise.resolve()
    expect((await failureOf(renewal, ...Object.values(login))).code).toBe('credential_expired')
  })

  test('at LY, where it ends when nobody uses it for four weeks', async () => {
    const { login, expires_at } = await connect(reporting('ly_ads'))
    expect(expires_at?.toISOString()).toBe('2026-12-18T04:00:00.000Z')
    const renewAt = async (now: string) => {
      await sandbox.setClock({ now, speed: 0 })
      return oauthConnectors.ly_ads.renew?.(login, apps.ly_ads, contextAt(now))
    }
    const renewed = await renewAt('2026-12-17T04:00:00Z')
    expect(renewed?.expires_at?.toISOString()).toBe('2027-01-14T04:00:00.000Z')
    expect((await failureOf(renewAt('2027-02-14T04:00:00Z'))).code).toBe('credential_expired')
  })
})

describe('a consent is taken back', () => {
  test.each(['meta', 'google', 'tiktok'] as const)(
    'at %s, and once more without a complaint',
    async platform => {
      const connected = await connect(reporting(platform))
      const revoke = () => oauthConnectors[platform].revoke?.(connected.login, apps[platform], contextAt())
      await revoke()
      expect((await failureOf(accountsOf(platform, connected))).code).toBe('credential_expired')
      await revoke()
    },
  )

  test('on the control page, and the scopes of the login are asked for in vain', async () => {
    const { login } = await connect(reporting('google'))
    const listed = await fetch(`${sandbox.base_url}/control/grants`)
    const { grants } = (await listed.json()) as { grants: { id: string }[] }
    const body = JSON.stringify({ grants: grants.map(({ id }) => id) })
    await fetch(`${sandbox.base_url}/control/revoke-grants`, { method: 'POST', body })
    const scopes = oauthConnectors.google.grantedScopes(login, contextAt())
    expect((await failureOf(scopes, ...Object.values(login))).code).toBe('credential_expired')
  })

  test('not for a service account, which nobody has consented to', async () => {
    const service_account_key = readFileSync(join(sandbox.folder, 'service-account.json'), 'utf8')
    expect(await oauthConnectors.google.grantedScopes({ service_account_key }, contextAt())).toBeNull()
    await oauthConnectors.google.revoke?.({ service_account_key }, apps.google, contextAt())
    expect(await sandbox.countOf(/revoke|token/)).toBe(0)
  })
})
