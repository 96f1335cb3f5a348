import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { control } from './product.ts'
import { startPreparedProcess } from './start-prepared.ts'
import { backupOf, tablesOf } from './stored.ts'
import type { ProductProcess } from './product.ts'

// The product is used, rightly and wrongly, with every log that it has; then everything that it has returned
// or stored is searched for secrets.

const root = join(import.meta.dirname, '..')
// Not the agency's: an app of the demo has that as its client ID, which is no secret.
const META_TOKEN = 'sandbox-admin'
const APP_SECRET = 'sandbox-app-secret'
const METRICS_TOKEN = 'canary-metrics-token-77c2'
const passwords = {
  first: 'canary first password',
  second: 'canary second password',
  wrong: 'canary wrong password',
  as_name: 'canary typed as a name',
  broken: 'canary in broken json',
  surplus: 'canary in another field',
}

/** Of platforms, as a superuser enters them. */
const logins = {
  entered: 'EAAB-canary-entered-51c0',
  replaced: 'EAAB-canary-replaced-51c1',
  app_secret: 'canary-app-secret-51c2',
  refused: 'canary-in-a-field-that-there-is-not',
  broken: '{"private_key": "canary-cut-off',
  with_break: 'canary-before-a-break\ncanary-behind-it',
}

let product: ProductProcess
/** Every response except those that contain tokens by design. */
const responses: string[] = []
/** The secrets, by what they are. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  product = await startPreparedProcess({
    LOG_LEVEL: 'trace',
    SANDBOX: '1',
    META_ACCESS_TOKEN: META_TOKEN,
    META_APP_SECRET: APP_SECRET,
    METRICS_TOKEN,
  })
  for (const [name, password] of Object.entries(passwords)) secrets.set(`password ${name}`, password)
  secrets.set('app secret', APP_SECRET)
  secrets.set('metrics token', METRICS_TOKEN)
  secrets.set('platform token', META_TOKEN)
  secrets.set('app secret proof', createHmac('sha256', APP_SECRET).update(META_TOKEN).digest('hex'))
  const key: unknown = JSON.parse(
    readFileSync(join(product.env['DATA_DIR'] ?? '', 'sandbox', 'service-account.json'), 'utf8'),
  )
  const [, line = ''] = String(Object(key).private_key).split('\n').slice(1)
  secrets.set('private key of the service account', line)
  secrets.set('token of the service account', 'ya29.')
  const sealing = readFileSync(join(product.env['DATA_DIR'] ?? '', 'credential.key'), 'utf8').trim()
  secrets.set('key of the logins', sealing)
  secrets.set('key of the logins, its bytes', Buffer.from(sealing, 'base64').toString('latin1'))
  for (const [field, text] of Object.entries(logins)) secrets.set(`login, ${field}`, text)
})
afterAll(async () => product?.stop())

/** `keep`: the response may contain no secret, and is searched later. */
async function call(
  method: string,
  path: string,
  {
    token,
    body,
    raw,
    keep = true,
    headers = {},
  }: { token?: string; body?: object; raw?: string; keep?: boolean; headers?: Record<string, string> } = {},
) {
  const response = await fetch(product.origin + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...((body || raw) && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ?? (body ? JSON.stringify(body) : null),
  })
  const text = await response.text()
  if (keep) responses.push(`${JSON.stringify([...response.headers])} ${text}`)
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

async function signIn(username: string, password: string): Promise<string> {
  const { body } = await call('POST', '/api/token/', { body: { username, password }, keep: false })
  for (const kind of ['access', 'refresh'])
    secrets.set(`${kind} token of ${username} ${secrets.size}`, body[kind])
  return body.access
}

const setFaults = (faults: unknown[]) => control(product, 'faults', { body: faults })

async function armed(): Promise<unknown[]> {
  const response = await fetch(`${product.sandbox}/control/faults`)
  return Object(await response.json()).faults
}

it('finds no secret in logs, responses, tables, backups and the interface', async () => {
  const superuser = await signIn('superuser', 'sheetcast-demo')
  await usePasswords(superuser)
  await useSecondFactor()
  await useLogins(superuser)
  const manager = await signIn('manager', 'sheetcast-demo')
  await giveReportsTheirLogin(superuser)
  await runReports(manager)
  await readEverything(superuser)

  const sources = {
    logs: product.output(),
    responses: responses.join('\n'),
    tables: await tablesOf(product),
    backup: backupOf(product),
    interface: textsUnder(join(root, 'dist/web')),
  }
  const found = Object.entries(sources).flatMap(([source, text]) =>
    [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${source}`),
  )
  expect(
    Object.values(sources)
      .map(text => text.length)
      .filter(length => length < 1000),
  ).toEqual([])
  expect(secrets.size).toBeGreaterThan(15)
  expect(found).toEqual([])
})

/** A person of canaries: link, first password, wrong ones, a change, refreshing and signing out. */
async function usePasswords(superuser: string) {
  const made = await call('POST', '/api/user/', {
    token: superuser,
    body: { username: 'canary', full_name: 'Canary', identity: 'staff', department: 2 },
  })
  const link = await call('POST', `/api/user/${made.body.user_id}/password-link/`, {
    token: superuser,
    keep: false,
  })
  const linkToken = new URLSearchParams(new URL(link.body.url).hash.slice(1)).get('token') ?? ''
  secrets.set('token of a password link', linkToken)
  await call('GET', `/set-password?token=${linkToken}`, { headers: { accept: 'text/html' } })
  await call('GET', `/api/set-password/?token=${linkToken}`)
  await call('POST', '/api/set-password/', { body: { token: linkToken, password: passwords.first } })
  await call('POST', '/api/set-password/', { body: { token: linkToken, password: passwords.second } })

  const signing = (body: object) => call('POST', '/api/token/', { body })
  await signing({ username: 'canary', password: passwords.wrong })
  await signing({ username: passwords.as_name, password: 'x' })
  await signing({ username: 'canary', password: passwords.first, hint: passwords.surplus })
  await call('POST', '/api/token/', { raw: `{"username":"canary","password":"${passwords.broken}"` })
  await call('POST', '/api/token/', { raw: `{"username":"canary","password":"${passwords.broken}\\ud800"}` })

  const before = await signIn('canary', passwords.first)
  const change = { old: passwords.first, new: passwords.second }
  await call('PATCH', `/users/${made.body.user_id}/`, {
    token: before,
    body: { password: { ...change, old: passwords.wrong } },
  })
  const changed = await call('PATCH', `/users/${made.body.user_id}/`, {
    token: before,
    body: { password: change },
  })
  expect(changed.status).toBe(200)
  const after = await signIn('canary', passwords.second)
  const refreshed = await call('POST', '/api/token/refresh/', {
    body: { refresh: [...secrets.values()].at(-1) },
    keep: false,
  })
  secrets.set('access token refreshed', refreshed.body.access)
  secrets.set('refresh token refreshed', refreshed.body.refresh)
  for (const path of [
    `/api/users/identity/?access_token=${after}`,
    `/api/events?token=${after}`,
    `/${after}`,
  ])
    await call('GET', path)
  await call('POST', '/api/token/logout/', { token: refreshed.body.access })
  await call('GET', '/api/users/identity/', { token: refreshed.body.access })
}

/** Set up, moved to another phone, used and misused. */
async function useSecondFactor() {
  const person = { username: 'canary', password: passwords.second }
  const token = await signIn(person.username, person.password)
  const factor = (method: string, path: string, body: object, keep = true) =>
    call(method, `/api/second-factor/${path}`, { token, body, keep })
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const keepCodes = (codes: string[]) => {
    expect(codes).toHaveLength(10)
    for (const code of codes) {
      secrets.set(`recovery code ${secrets.size}`, code)
      secrets.set(`recovery code ${secrets.size} as it is hashed`, code.replaceAll('-', ''))
    }
    return codes
  }
  const begin = async (more: object = {}): Promise<string> => {
    const { body } = await factor('POST', '', { password: person.password, ...more }, false)
    secrets.set(`secret of a second factor ${secrets.size}`, body.secret)
    const bytes = Buffer.from(Secret.fromBase32(body.secret).buffer)
    secrets.set(`secret of a second factor ${secrets.size}, in hexadecimal`, bytes.toString('hex'))
    secrets.set(`secret of a second factor ${secrets.size}, its bytes`, bytes.toString('latin1'))
    return body.secret
  }
  const confirm = async (secret: string) =>
    keepCodes((await factor('POST', 'confirm/', { code: codeOf(secret) }, false)).body.recovery_codes)

  await factor('POST', '', { password: passwords.wrong })
  const [lost = '', moved = '', again = ''] = await confirm(await begin())
  for (const code of ['000000', 'no recovery code'])
    await call('POST', '/api/token/', { body: { ...person, code } })
  const signedIn = await call('POST', '/api/token/', { body: { ...person, code: lost }, keep: false })
  expect(signedIn.status).toBe(200)
  secrets.set('access token with a recovery code', signedIn.body.access)
  secrets.set('refresh token with a recovery code', signedIn.body.refresh)
  await call('POST', '/api/token/', { body: { ...person, code: lost } })
  const [, , , last = ''] = await confirm(await begin({ code: moved }))
  await factor('POST', 'recovery-codes/', { password: person.password, code: again })
  const renewed = await factor('POST', 'recovery-codes/', { password: person.password, code: last }, false)
  keepCodes(renewed.body.recovery_codes)
  await begin({ code: renewed.body.recovery_codes[0] })
  await call('GET', '/api/second-factor/', { token })
  await call('GET', '/api/notifications/', { token })
}

/** Logins that platforms refuse, that we refuse, and one that a platform repeats in its own words. */
async function useLogins(token: string) {
  const path = '/api/public-account/'
  const send = (method: string, to: string, body?: object) =>
    call(method, to, { token, ...(body && { body }) })
  const connect = (login: object, platform = 'meta') =>
    send('POST', path, { platform, name: 'Canary', login })
  expect((await connect({ access_token: 'x', refused: logins.refused })).status).toBe(400)
  expect((await connect({ service_account_key: logins.broken }, 'ga4')).status).toBe(400)
  expect((await connect({ access_token: logins.with_break })).status).toBe(400)
  expect((await connect({ access_token: [logins.entered] })).status).toBe(400)
  const made = await connect({ access_token: logins.entered, app_secret: logins.app_secret })
  expect(made.status).toBe(201)
  const one = `${path}${made.body.id}/`
  const message = `It was ${logins.entered} with ${logins.app_secret}`
  // Only for the list of accounts: a run would use another login.
  const repeating = {
    platform: 'meta',
    path: '/adaccounts$',
    action: 'error',
    code: 190,
    message,
    status: 400,
  }
  for (const faults of [[], [repeating]]) {
    await setFaults(faults)
    for (const action of ['test', 'import-accounts']) await send('POST', `${one}${action}/`)
  }
  await setFaults([])
  expect(responses.filter(response => response.includes('It was … with …'))).toHaveLength(1)
  const proof = createHmac('sha256', logins.app_secret).update(logins.entered).digest('hex')
  secrets.set('app secret proof of a login', proof)
  await send('PATCH', one, { login: { access_token: logins.replaced } })
  await send('POST', `${one}test/`)
  await send('GET', one)
  await send('GET', `${path}?search=Canary`)
}

/** The login of the demo's accounts at Meta, which must be redacted from what Meta says to it. */
async function giveReportsTheirLogin(token: string) {
  const { body } = await call('GET', '/api/public-account/?search=Meta&ordering=id', { token })
  const [{ id, accounts }] = body.results
  expect(accounts).toBeGreaterThan(1)
  const login = { access_token: META_TOKEN, app_secret: APP_SECRET }
  const changed = await call('PATCH', `/api/public-account/${id}/`, { token, body: { login } })
  expect(changed.status).toBe(200)
  // The demo's first runs have begun with that login, and can redact no other secret than that.
  const underWay = async () => {
    const { waiting, fetching, writing } = (await call('GET', '/api/operations/', { token })).body.runs
    return waiting + fetching + writing
  }
  await expect.poll(underWay).toBe(0)
}

/**
 * Two reports, run through faults at the platform and at the spreadsheet service, and with a login that has
 * expired.
 */
async function runReports(manager: string) {
  const list = await call('GET', '/api/gs-template-setting/?limit=5', { token: manager })
  const reports = list.body.results.slice(0, 2).map((report: { id: number }) => report.id)
  // Some faults end a run, others let it wait: then it is enough that it has met them all.
  const run = async (isEnough: () => Promise<boolean> = async () => false) => {
    const clicked = await call('POST', '/api/gs-template-execution/', { token: manager, body: { reports } })
    const path = `/api/gs-template-execution/${clicked.body.id}/`
    const pending = async () => (await call('GET', path, { token: manager })).body.pending
    await expect.poll(async () => (await pending()) === 0 || (await isEnough())).toBe(true)
    await call('DELETE', path, { token: manager })
  }
  const saying = `It was ${META_TOKEN} with ${APP_SECRET}`
  await setFaults([{ platform: 'meta', action: 'error', code: 100, message: saying, status: 400 }])
  await run(async () => {
    for (const id of reports) await call('GET', `/api/gs-template-setting/${id}/runs/`, { token: manager })
    return responses.some(response => response.includes('It was … with …'))
  })
  for (const faults of [
    [{ platform: 'meta', action: 'expired_token', count: 2 }],
    [
      { platform: 'meta', action: 'malformed', count: 1 },
      { platform: 'meta', action: 'cut', count: 1 },
    ],
    [
      { platform: 'sheets', action: '503', count: 1 },
      { platform: 'sheets', action: 'drop_after_commit', count: 1 },
    ],
  ]) {
    await setFaults(faults)
    await run(async () => (await armed()).length === 0)
  }
  await setFaults([])
  await control(product, 'revoke-tokens', { method: 'POST', body: {} })
  await run()
}

async function readEverything(token: string) {
  const lists = [
    'user',
    'audit',
    'public-account',
    'gs-template-setting',
    'gs-template-folder',
    'ad/account',
    'sheets',
    'department',
  ]
  for (const name of lists)
    await call('GET', `/api/${name}/${name === 'sheets' || name === 'department' ? '' : '?limit=100'}`, {
      token,
    })
  for (const path of ['/api/schema.json', '/api/docs', '/healthz', '/readyz', '/metrics', '/api/demo/'])
    await call('GET', path)
  const { body } = await call('GET', '/api/gs-template-setting/?limit=100&scope=all', { token })
  for (const { id } of body.results) await call('GET', `/api/gs-template-setting/${id}/runs/`, { token })
}

const textsUnder = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
