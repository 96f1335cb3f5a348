import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { createVault } from '#server/vault.ts'
import { openApp, resealApps } from './apps.ts'
import { insertLogin, openLogin } from './logins.ts'
import { saveConnection } from './login-queries.ts'

const key = randomBytes(32)
const vault = createVault([key])
const api = await testApi({ effects: { vault } })
const boss = await api.signedIn('superuser')
const PATH = '/api/public-account-platform/'
const platform = async (name: string) => {
  const listed = PublicAccountPlatform.array().parse((await boss.get(PATH)).body)
  return listed.find(each => each.platform === name)
}

describe('the agency’s app at a platform', () => {
  it('is set up with its secrets, which are not shown again', async () => {
    expect(await platform('google')).toMatchObject({
      kind: 'oauth',
      ready: false,
      version: 0,
      client_id: null,
      has_client_secret: false,
      callback_url: 'http://localhost:3000/oauth/callback',
    })
    const half = await boss.patch(`${PATH}google/`, { version: 0, client_id: ' 1-a.apps.example ' })
    expect(half.body).toMatchObject({ client_id: '1-a.apps.example', ready: false, version: 1 })
    const secrets = { client_secret: 'app-secret-1', developer_token: 'developer-1' }
    const whole = await boss.patch(`${PATH}google/`, { version: 1, ...secrets })
    expect(whole.body).toMatchObject({ ready: true, has_client_secret: true, has_developer_token: true })
    expect(JSON.stringify([whole.body, (await boss.get(PATH)).body])).not.toMatch(/app-secret|developer-1/)
    expect(await openApp(api.db, vault, 'google')).toMatchObject({
      client_id: '1-a.apps.example',
      ...secrets,
    })
    const { body } = await boss.get('/api/audit/?object=platform_app')
    expect(body).toMatchObject({ results: [{ detail: { fields: Object.keys(secrets) } }, {}] })
    expect(JSON.stringify(body)).not.toMatch(/app-secret|developer-1/)
  })

  it('is changed by one person at a time, and has its own fields', async () => {
    const stale = await boss.patch(`${PATH}google/`, { version: 1, client_id: 'other' })
    expectRefusal(stale, 409, 'conflict')
    expect(stale.body).toMatchObject({ platform: { version: 2 } })
    expectRefusal(await boss.patch(`${PATH}google/`, { version: 0, client_id: 'other' }), 409, 'conflict')
    expectRefusal(await boss.patch(`${PATH}tiktok/`, { version: 0, config_id: '1' }), 400, 'invalid', {
      config_id: ['field_not_available'],
    })
    expectRefusal(await boss.patch(`${PATH}line/`, { version: 0 }), 404, 'not_found')
    expectRefusal(
      await boss.patch(`${PATH}meta/`, { version: 0, client_secret: 'two words' }),
      400,
      'invalid',
      {
        client_secret: ['field_invalid'],
      },
    )
  })

  it('has a new secret, which its logins get with it', async () => {
    const of = async (client: string) => {
      const login = { client_id: client, client_secret: 'app-secret-1', refresh_token: 'r' }
      const facts = { platform: 'google', name: 'G', login, created_by: null } as const
      const id = await api.db.transaction().execute(trx => insertLogin(trx, vault, facts))
      await saveConnection(api.db, id, { kind: 'oauth' })
      return id
    }
    const [own, other] = [await of('1-a.apps.example'), await of('2-b.apps.example')]
    await boss.patch(`${PATH}google/`, { version: 2, client_secret: 'app-secret-2' })
    const secretOf = async (id: number) => (await openLogin(api.db, vault, id))?.login
    expect(await secretOf(own)).toMatchObject({
      client_secret: 'app-secret-2',
      developer_token: 'developer-1',
    })
    expect(await secretOf(other)).toMatchObject({ client_secret: 'app-secret-1' })
  })

  it('is sealed again with a new key', async () => {
    const both = createVault([randomBytes(32), key])
    expect(await resealApps(api.db, both)).toEqual({ sealed: 1, already: 0, shut: [] })
    expect(await resealApps(api.db, both)).toEqual({ sealed: 0, already: 1, shut: [] })
    expect(await openApp(api.db, both, 'google')).toMatchObject({ client_secret: 'app-secret-2' })
    const lost = createVault([randomBytes(32)])
    expect(await resealApps(api.db, lost)).toEqual({ sealed: 0, already: 0, shut: ['google'] })
  })
})
