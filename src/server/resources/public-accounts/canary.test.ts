import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, it } from 'vitest'
import type { ConnectablePlatform } from '#shared/connect.ts'
import { routes } from '#server/app.ts'
import { answerPage, apps } from '#server/connectors/testing/consent.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { createServer } from '#server/http/server.ts'
import { callerOf, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { withRequestLog } from '#server/request-log.ts'
import { createVault } from '#server/vault.ts'
import { openApp } from './apps.ts'
import { connectionEffects } from './connect-effects.ts'
import { openLogin } from './logins.ts'
import { platformEffects } from './platform-effects.ts'
import { renewLogins } from './renew.ts'

/**
 * What opens an account at a platform stands nowhere but in seals: no response, no line of the log or of the
 * trail and no column of any table holds a token, a code, a secret, a verifier, a state or a nonce; and what
 * refuses one in the platform's words does not repeat it.
 */
const NOW = '2026-11-20T04:00:00.000Z'
const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
await sandbox.reset(NOW)
const vault = createVault([randomBytes(32)])
let log = ''
const stream = new Writable({
  write(chunk, _, done) {
    log += String(chunk)
    done()
  },
})
const logger = pino({ level: 'trace' }, stream)

const secrets = new Map<string, string>()
/** What is sent to platforms has secrets in addresses and forms. */
const watched: typeof fetch = async (to, init) => {
  const form = init?.body instanceof URLSearchParams ? init.body : null
  for (const [name, text] of [...(form ?? []), ...new URL(String(to)).searchParams])
    if (SECRET.test(name)) secrets.set(`${name} ${secrets.size}`, text)
  const response = await fetch(to, init)
  const text = await response.clone().text()
  for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":\s*"([^"]{8,})"/g))
    if (SECRET.test(name)) secrets.set(`${name} ${secrets.size}`, value)
  return response
}
const SECRET =
  /^(client_secret|secret|code|auth_code|code_verifier|access_token|refresh_token|fb_exchange_token|id_token|token|appsecret_proof)$/
const context = { ...testContext(sandbox.base_url, NOW), fetch: watched }
const reached = withRequestLog({ ...context, system_users: [] }, logger)
const connections = connectionEffects(reached)
const api = await testApi({ effects: { vault, connections, platforms: platformEffects(vault, reached) } })
api.clock.now = new Date(NOW)
const boss = await api.signedIn('superuser')

it('finds no token, code, secret, verifier, state or nonce in response, log, trail or table', async () => {
  const app = await createServer({
    db: api.db,
    effects: api.effects,
    routes,
    checks: {},
    now: () => api.clock.now,
    log: logger,
    web_dir: null,
    max_event_loop_delay_ms: 0,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const caller = callerOf(origin, { authorization: `Bearer ${boss.token}` })
  const responses: ApiResponse[] = []
  const send = async (method: string, path: string, body?: object) => {
    const response = await caller.call(method, path, body)
    responses.push(response)
    return response
  }
  const finish = (body: object) => send('POST', '/api/public-account/connect/finish/', body)
  /** Sent to the platform and back again; only the reply of the first call has state and nonce. */
  const comeBack = async (platform: string, more: object = {}, person = {}) => {
    const body = { platform, ...more }
    const { url, nonce } = Object((await caller.post('/api/public-account/connect/', body)).body)
    const query = (await answerPage(url, person)).searchParams
    const [state, code] = [query.get('state') ?? '', query.get('code') ?? '']
    secrets
      .set(`state ${secrets.size}`, state)
      .set(`nonce ${secrets.size}`, nonce)
      .set(`code ${secrets.size}`, code)
    return { state, nonce, code }
  }
  for (const platform of ['meta', 'google', 'ly_ads', 'tiktok'] as const) {
    const { client_id, client_secret } = apps[platform]
    await send('PATCH', `/api/public-account-platform/${platform}/`, { version: 0, client_id, client_secret })
    const path = '/api/public-account/'
    const back = await comeBack(platform, { services: ['reporting'] })
    const { login } = Object((await finish(back)).body)
    await finish(back)
    await finish({ ...(await comeBack(platform, { services: ['reporting'] })), code: 'a-code-of-nobody' })
    const used = await comeBack(platform, { services: ['reporting'] })
    await finish({ ...(await comeBack(platform, { services: ['reporting'] })), code: back.code })
    if (FAULTY[platform]) await sandbox.setFaults([{ platform: FAULTY[platform], action: 'cut', count: 1 }])
    await finish(used)
    await sandbox.setFaults([])
    await finish(await comeBack(platform, { public_account: login.id }, { person: 'client-admin' }))
    for (const action of ['test', 'import-accounts']) await send('POST', `${path}${login.id}/${action}/`)
    await send('POST', '/api/public-account-permission/check/', { public_account: login.id })
    await send('GET', `${path}${login.id}/`)
    const opened = await openLogin(api.db, vault, login.id)
    for (const [name, text] of Object.entries(opened?.login ?? {}))
      if (SECRET.test(name)) secrets.set(`stored ${name} ${secrets.size}`, text)
    expect(await openApp(api.db, vault, platform)).toMatchObject({ client_secret })
  }
  await renewLogins(api.db, { vault, connections, now: new Date('2026-12-01T04:00:00Z') })
  const { results } = Object((await caller.get('/api/public-account/?limit=100')).body)
  for (const { id } of results) await send('POST', `/api/public-account/${id}/disconnect/`)
  for (const path of ['public-account', 'public-account-platform', 'public-account-service', 'audit'])
    await send('GET', `/api/${path}/`)
  await app.close()

  const canaries = [...secrets].filter(([, text]) => text.length >= 8 && text !== 'sandbox-agency')
  const kinds = new Set(canaries.map(([name]) => name.replace(/ \d+$/, '')))
  for (const kind of 'state nonce code code_verifier client_secret access_token refresh_token id_token'.split(
    ' ',
  ))
    expect(kinds, kind).toContain(kind)
  const places = {
    log,
    responses: JSON.stringify(responses.map(({ body }) => body)),
    database: await everything(),
  }
  const found = canaries.flatMap(([name, text]) =>
    Object.entries(places).flatMap(([place, content]) =>
      content.includes(text) ? [`${name} in ${place}`] : [],
    ),
  )
  expect(found).toEqual([])
  expect(log).toContain('/api/public-account/connect/finish/')
  expect(log).toContain('platform request')
  expect(places.database).toContain('connection.connect')
})

/** What the sandbox calls them. */
const FAULTY: Partial<Record<ConnectablePlatform, string>> = {
  meta: 'meta',
  ly_ads: 'ly_oauth',
  tiktok: 'tiktok',
}

/** Every row of every table as text; bytes also as they are read as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(api.db)
  const contents: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(api.db)
    contents.push(
      ...rows.flatMap(row =>
        Object.values(row).map(value =>
          value instanceof Uint8Array
            ? `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('base64url')}`
            : JSON.stringify(value),
        ),
      ),
    )
  }
  return contents.join('\n')
}
