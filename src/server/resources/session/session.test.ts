import { randomBytes, createHmac, randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { RefreshReply, SessionList, TokenPair } from '#shared/api/session.ts'
import { sessionCookies } from '#shared/session-cookies.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { cleanUp } from '#server/cleanup.ts'
import { asOf, expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { median } from '#server/testing/quantile.ts'
import { hashLinkToken, newLinkToken } from './passwords.ts'
import { attemptedName, clearFailures, noteRefusal, startAttempt } from './attempt-queries.ts'
import { insertLink, rotate, startFamily, type IssuedRefresh } from './queries.ts'

const api = await testApi()
/** For the full forms, so that a busy machine does not fail them. */
const cookies = sessionCookies('http:')
const PASSWORD = 'correct battery horse 9'
const person = (facts: { username: string }) => api.signedIn('staff', { ...facts, password: PASSWORD })

const signIn = (username: string, password = PASSWORD) =>
  api.anonymous.post('/api/token/', { username, password })
const renew = (refresh: string) => api.anonymous.post('/api/token/refresh/', { refresh })
const whoami = (access: string) => api.bearing(access).get('/api/users/identity/')
const pairOf = (response: ApiResponse) => TokenPair.parse(response.body)
const later = (seconds: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000)
}
/** The product as it is at another address. */
async function reachedAt<Result>(public_url: string, work: () => Promise<Result>): Promise<Result> {
  const { settings } = api.effects
  const before = settings.public_url
  settings.public_url = public_url
  try {
    return await work()
  } finally {
    settings.public_url = before
  }
}
/** The cookies that a response removes. */
const namesTakenBy = ({ headers }: ApiResponse) =>
  headers
    .getSetCookie()
    .filter(text => /=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/.test(text))
    .map(text => text.slice(0, text.indexOf('=')))
/** A refusal without its request id. */
const textOf = ({ status, body }: ApiResponse) => ({ status, body: { ...Object(body), request_id: null } })

const linkFor = async (user_id: number) => {
  const { token, token_hash } = newLinkToken()
  await api.db.transaction().execute(trx => insertLink(trx, user_id, { token_hash, now: api.clock.now }))
  return token
}
const setPassword = (token: string, password: string) =>
  api.anonymous.post('/api/set-password/', { token, password })

const turned = <Item>(items: readonly Item[], by: number) => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
]
const repeated = (times: number, status: number) => Array.from({ length: times }, () => status)
const clearAttempts = async () => {
  await api.db.deleteFrom('sign_in_failure').execute()
  await api.db.deleteFrom('refused_sign_in').execute()
}
const moveFailures = (address: string) => api.db.updateTable('sign_in_failure').set({ address }).execute()
const refusals = () =>
  api.db
    .selectFrom('audit')
    .select(['actor', 'address', 'detail'])
    .where('action', '=', 'session.refused')
    .orderBy('id')
    .execute()

describe('signing in', () => {
  it('returns a pair of tokens, and cookies for the browser', async () => {
    const { user } = await person({ username: 'Anna' })
    const response = await signIn('anna')
    expect(response.status).toBe(200)
    expect(pairOf(response).user_id).toBe(user.id)
    expect(await whoami(pairOf(response).access)).toMatchObject({ status: 200, body: { user_id: user.id } })
    const set = response.headers.getSetCookie()
    const cookie = (name: string) => set.find(text => text.startsWith(`${name}=`)) ?? ''
    expect(cookie(cookies.access)).toMatch(/Max-Age=600; Path=\/; SameSite=Strict$/)
    expect(cookie(cookies.refresh)).toMatch(/Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/)
    const expiry = Number(/=(\d+);/.exec(cookie(cookies.refresh_expiry))?.[1])
    expect(expiry).toBe(Math.floor(api.clock.now.getTime() / 1000) + 14 * 86_400)
    expect(cookie(cookies.refresh_expiry)).not.toContain('HttpOnly')
  })

  it('marks cookies Secure everywhere but on plain http of this machine, and binds them to the host over https', async () => {
    await person({ username: 'secure' })
    for (const [url, { is_secure, is_bound }] of [
      ['https://reports.example', { is_secure: true, is_bound: true }],
      ['http://reports.example', { is_secure: true, is_bound: false }],
      ['http://127.0.0.1:3000', { is_secure: false, is_bound: false }],
    ] as const) {
      const set = (await reachedAt(url, () => signIn('secure'))).headers.getSetCookie()
      expect(set).toHaveLength(3)
      for (const text of set) {
        expect(text.includes('Secure')).toBe(is_secure)
        expect(text.startsWith('__Host-')).toBe(is_bound)
        expect(text).toContain('Path=/;')
        expect(text).not.toContain('Domain')
      }
    }
  })

  it('removes over https what an earlier version has set under other names, and reads none of it', async () => {
    await person({ username: 'upgraded' })
    const { refresh } = pairOf(await signIn('upgraded'))
    const old = {
      cookie: `access_token=x; refresh_token=${refresh}; refresh_token_exp=1`,
      origin: 'https://reports.example',
    }
    const body = { username: 'upgraded', password: PASSWORD }
    const [renewed, signed_in] = await reachedAt('https://reports.example', async () => [
      await api.anonymous.post('/api/token/refresh/', {}, { headers: old }),
      await api.anonymous.post('/api/token/', body, { headers: old }),
    ])
    expectRefusal(renewed, 400, 'invalid', { refresh: ['field_required'] })
    for (const response of [renewed, signed_in])
      expect(namesTakenBy(response).filter(name => !name.startsWith('__Host-'))).toEqual(
        Object.values(cookies),
      )
  })

  it('refuses an unknown name, a wrong password, a closed account and a resigned employee alike', async () => {
    await person({ username: 'known' })
    const closed = await person({ username: 'closed' })
    const resigned = await person({ username: 'resigned' })
    await person({ username: 'without-password' })
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', closed.user.id).execute()
    await api.db
      .updateTable('users')
      .set({ employment_status: 2 })
      .where('id', '=', resigned.user.id)
      .execute()
    await api.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('username', '=', 'without-password')
      .execute()
    const wrong = await signIn('known', 'something else entirely')
    expectRefusal(wrong, 401, 'unauthenticated')
    for (const response of [
      await signIn('nobody'),
      await signIn('closed'),
      await signIn('resigned'),
      await signIn('without-password'),
    ]) {
      expect(textOf(response)).toEqual(textOf(wrong))
      expect([...response.headers.keys()]).toEqual([...wrong.headers.keys()])
    }
  })

  it('checks exactly one password, whoever is meant', async () => {
    await person({ username: 'counted' })
    const closed = await person({ username: 'counted-closed' })
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', closed.user.id).execute()
    const { hashing } = api.effects
    let hashes = 0
    api.effects.hashing = {
      run(caller, work) {
        hashes += 1
        return hashing.run(caller, work)
      },
    }
    for (const username of ['counted', 'counted-nobody', 'counted-closed']) {
      hashes = 0
      expectRefusal(await signIn(username, 'wrong'), 401, 'unauthenticated')
      expect([username, hashes]).toEqual([username, 1])
    }
    api.effects.hashing = hashing
  })

  // A measurement, so not among the regular tests.
  it.runIf(process.env.LONG)(
    'takes the same time for an unknown name, a wrong password and a closed account, within three milliseconds',
    async () => {
      const took: Record<string, number[]> = { timed: [], unknown: [], 'timed-closed': [] }
      await person({ username: 'timed' })
      const closed = await person({ username: 'timed-closed' })
      await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', closed.user.id).execute()
      for (let round = 0; round < 300; round += 1)
        // Each is first, second and third equally often, so that the order has no effect.
        for (const [username, times] of turned(Object.entries(took), round)) {
          await api.db.deleteFrom('sign_in_failure').execute()
          const started = performance.now()
          await signIn(username, 'wrong')
          times.push(performance.now() - started)
        }
      const medians = Object.values(took).map(median)
      console.log(
        'medians in ms:',
        Object.keys(took).join(', '),
        medians.map(one => one.toFixed(2)).join(', '),
      )
      expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(3)
    },
  )

  it('refuses a page of another site', async () => {
    await person({ username: 'origin' })
    const body = { username: 'origin', password: PASSWORD }
    const from = (origin: string) => api.anonymous.post('/api/token/', body, { headers: { origin } })
    expectRefusal(await from('https://evil.example'), 403, 'forbidden')
    expectRefusal(await from('null'), 403, 'forbidden')
    expect((await from(api.effects.settings.public_url)).status).toBe(200)
    expect((await from(api.origin)).status).toBe(200)
  })

  it('stops after ten failures for one name, says when to retry, and affects nobody else', async () => {
    await person({ username: 'guessed' })
    const other = await person({ username: 'bystander' })
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signIn('Guessed', `wrong guess ${n}`)),
    )
    expect(guesses.filter(response => response.status === 401)).toHaveLength(10)
    expect(guesses.filter(response => response.status === 429)).toHaveLength(20)
    const stopped = await signIn('guessed')
    expectRefusal(stopped, 429, 'rate_limited')
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await signIn(other.user.username)).status).toBe(200)
    later(15 * 60)
    expect((await signIn('guessed')).status).toBe(200)
  })

  it('counts all spellings that find one account as one name', async () => {
    await person({ username: 'Filippos' })
    for (const spelling of ['filippos', 'FILIPPOS', 'f\u0130lippos', 'f\u0130l\u0130ppos', 'F\u0130LIPPOS'])
      for (let guess = 0; guess < 2; guess += 1)
        expectRefusal(await signIn(spelling, 'wrong'), 401, 'unauthenticated')
    for (const spelling of ['filippos', 'f\u0130lippos', 'fil\u0130ppos'])
      expectRefusal(await signIn(spelling), 429, 'rate_limited')
    const [kelvin, sigma] = [attemptedName('\u212aAT'), attemptedName('\u03bd\u03b9\u03ba\u03bf\u03c2')]
    expect(kelvin).toBe(attemptedName('kat'))
    expect(sigma).toBe(attemptedName('\u039d\u0399\u039a\u039f\u03a3'))
    expect(sigma).not.toBe(attemptedName('\u03bd\u03b9\u03ba\u03bf'))
    await clearAttempts()
  })

  it('stops after a hundred failures for one name from anywhere', async () => {
    await person({ username: 'surrounded' })
    const failures = Array.from({ length: 100 }, (_, n) => ({
      username: attemptedName('surrounded'),
      address: `203.0.113.${n % 12}`,
      at: api.clock.now,
    }))
    await api.db.insertInto('sign_in_failure').values(failures.slice(1)).execute()
    expect((await signIn('surrounded')).status).toBe(200)
    await api.db.insertInto('sign_in_failure').values(failures.slice(0, 1)).execute()
    expectRefusal(await signIn('surrounded'), 429, 'rate_limited')
  })

  it('stops an address that tries many names, before it checks a password, and no other address', async () => {
    await clearAttempts()
    await person({ username: 'sprayed' })
    const tried = []
    for (let n = 0; n < 40; n += 1) tried.push(await signIn(`nobody ${n}`, 'Spring2026!'))
    expect(tried.map(({ status }) => status)).toEqual([...repeated(30, 401), ...repeated(10, 429)])
    expectRefusal(await signIn('sprayed'), 429, 'rate_limited')
    expect(Number((await signIn('sprayed')).headers.get('retry-after'))).toBeGreaterThan(800)
    await moveFailures('203.0.113.9')
    expect((await signIn('sprayed')).status).toBe(200)
    await moveFailures('127.0.0.1')
    later(15 * 60)
    expect((await signIn('sprayed')).status).toBe(200)
  })

  it('stops an address after a hundred failures, however few the names', async () => {
    await clearAttempts()
    await person({ username: 'colleague' })
    const failures = Array.from({ length: 100 }, (_, n) => ({
      username: attemptedName(`typist ${n % 10}`),
      address: '127.0.0.1',
      at: api.clock.now,
    }))
    await api.db.insertInto('sign_in_failure').values(failures.slice(1)).execute()
    expect((await signIn('colleague')).status).toBe(200)
    await api.db.insertInto('sign_in_failure').values(failures.slice(0, 1)).execute()
    expectRefusal(await signIn('colleague'), 429, 'rate_limited')
    await clearAttempts()
  })

  it('lets an office of one address in, a forgotten password and two hundred typing errors notwithstanding', async () => {
    await clearAttempts()
    const address = '127.0.0.1'
    const tryAs = (username: string) =>
      inTransaction(api.db, trx => startAttempt(trx, { username, address, now: api.clock.now }))
    for (let n = 0; n < 12; n += 1) await tryAs('forgetful')
    for (let n = 0; n < 200; n += 1) {
      const [wrong, right] = [await tryAs(`office ${n}`), await tryAs(`office ${n}`)]
      expect([wrong, right]).toEqual([{ attempt: expect.any(Number) }, { attempt: expect.any(Number) }])
      await inTransaction(api.db, trx => clearFailures(trx, { username: `office ${n}`, address }))
    }
  })

  it('has one line in the trail for the first refusal, and one for all that follow within a quarter of an hour', async () => {
    await clearAttempts()
    await person({ username: 'summed' })
    const before = (await refusals()).length
    for (let n = 0; n < 12; n += 1) await signIn(n % 2 ? 'summed' : `made up ${n}`, 'wrong')
    expect((await refusals()).slice(before)).toEqual([{ actor: null, address: '127.0.0.1', detail: null }])
    later(15 * 60)
    await cleanUp(api.db, api.clock.now, { audit_days: 730 })
    await cleanUp(api.db, api.clock.now, { audit_days: 730 })
    const [, summary, ...more] = (await refusals()).slice(before)
    expect(more).toEqual([])
    expect(summary).toMatchObject({
      address: '127.0.0.1',
      detail: { more: 11, usernames: ['summed'], addresses: ['127.0.0.1'] },
    })
  })

  it('sums up refusals for one name from many addresses as well', async () => {
    await clearAttempts()
    const before = (await refusals()).length
    const refused = { username: 'hunted', known: 'hunted', now: api.clock.now }
    for (let n = 0; n < 30; n += 1)
      await inTransaction(api.db, trx => noteRefusal(trx, { ...refused, address: `203.0.113.${n}` }))
    later(15 * 60)
    await cleanUp(api.db, api.clock.now, { audit_days: 730 })
    const lines = (await refusals()).slice(before)
    expect(lines).toMatchObject([{ detail: { username: 'hunted' } }, { detail: { more: 29 } }])
    expect(lines[1]?.detail).toHaveProperty('addresses.length', 20)
  })

  it('forgets the failures once the person is in', async () => {
    await clearAttempts()
    await person({ username: 'clumsy' })
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) await signIn('clumsy', 'wrong')
      expect((await signIn('clumsy')).status).toBe(200)
    }
  })
})

const liveTokens = async (family: string) => {
  const rows = await api.db
    .selectFrom('refresh_token')
    .innerJoin('refresh_family', 'refresh_family.id', 'refresh_token.family')
    .select('refresh_token.id')
    .where('family', '=', family)
    .where('rotated_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.length
}
const securityNotices = (user_id: number) =>
  api.db
    .selectFrom('notification')
    .select(['kind', 'detail'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()

describe('renewing', () => {
  it('returns a new pair and uses the old refresh token up', async () => {
    await person({ username: 'renew' })
    const first = pairOf(await signIn('renew'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    expect(second.refresh).not.toBe(first.refresh)
    expect((await whoami(second.access)).status).toBe(200)
    expect((await renew(second.refresh)).status).toBe(200)
  })

  it('returns the same new one for the old token for ten seconds, and after that ends the family and notifies the person', async () => {
    const { user } = await person({ username: 'stolen' })
    const first = pairOf(await signIn('stolen'))
    const elsewhere = pairOf(await signIn('stolen'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    later(10)
    expect(RefreshReply.parse((await renew(first.refresh)).body).refresh).toBe(second.refresh)
    later(1)
    expectRefusal(await renew(first.refresh), 401, 'unauthenticated')
    expectRefusal(await renew(second.refresh), 401, 'unauthenticated')
    expectRefusal(await whoami(second.access), 401, 'unauthenticated')
    expect((await renew(elsewhere.refresh)).status).toBe(200)
    expect(await securityNotices(user.id)).toMatchObject([
      { kind: 'session_reused', detail: { address: '127.0.0.1', time_zone: 'Asia/Taipei' } },
    ])
  })

  it('ends the family for a grandparent’s token although the grace period is not over', async () => {
    await person({ username: 'hasty' })
    const first = pairOf(await signIn('hasty'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    const third = RefreshReply.parse((await renew(second.refresh)).body)
    expectRefusal(await renew(first.refresh), 401, 'unauthenticated')
    expectRefusal(await renew(second.refresh), 401, 'unauthenticated')
    expectRefusal(await renew(third.refresh), 401, 'unauthenticated')
    expectRefusal(await whoami(third.access), 401, 'unauthenticated')
  })

  it('has at most one live token whatever the order, and never ends a sign-in that two tabs share', async () => {
    const { user } = await person({ username: 'model' })
    const rounds = process.env.LONG ? 300 : 20
    const step = fc.record({
      tab: fc.nat(2),
      seconds: fc.constantFrom(0, 1, 4, 9, 11, 600),
      is_late: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        const issued = await inTransaction(api.db, trx => startFamily(trx, user.id, asOf(api.clock.now)))
        const rotateAt = (token: IssuedRefresh) =>
          inTransaction(api.db, trx => rotate(trx, token, { now: api.clock.now, session_days: 30 }))
        let jar = issued
        for (const { seconds, is_late } of steps) {
          later(seconds)
          // Tabs share the cookie. One that has read it before another renewed sends the parent, at most as
          // late as a request is long.
          const sent = jar
          const responses = await Promise.all([rotateAt(sent), is_late ? rotateAt(sent) : null])
          const granted = responses.filter(response => response !== null)
          expect(granted.map(response => typeof response)).toEqual(granted.map(() => 'object'))
          expect(new Set(granted.map(response => (response === 'reused' ? '' : response.token))).size).toBe(1)
          expect(await liveTokens(issued.family)).toBe(1)
          const [next] = granted
          if (next && next !== 'reused') jar = next
        }
      }),
      { numRuns: rounds, seed: 7 },
    )
  })

  it('lets a stolen token live no longer than its owner’s next renewal, whichever comes first', async () => {
    const { user } = await person({ username: 'robbed' })
    const rounds = process.env.LONG ? 300 : 20
    const move = fc.record({ token: fc.nat(20), seconds: fc.constantFrom(0, 1, 9, 11) })
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 10 }), async moves => {
        const first = await inTransaction(api.db, trx => startFamily(trx, user.id, asOf(api.clock.now)))
        const tokens = [first]
        /** By token: its child, and when it was made. */
        const used = new Map<string, { child: string; at: number }>()
        let is_over = false
        for (const { token, seconds } of moves) {
          later(seconds)
          const sent = tokens[token % tokens.length] ?? first
          const before = used.get(sent.token)
          const is_honoured =
            before === undefined || (!used.has(before.child) && api.clock.now.getTime() - before.at <= 10_000)
          const response = await inTransaction(api.db, trx =>
            rotate(trx, sent, { now: api.clock.now, session_days: 30 }),
          )
          const granted = response === null || response === 'reused' ? null : response
          const expected = is_over ? null : is_honoured ? (before?.child ?? granted?.token) : 'reused'
          expect(granted?.token ?? response).toBe(expected)
          is_over ||= !is_honoured
          if (granted && !before) {
            used.set(sent.token, { child: granted.token, at: api.clock.now.getTime() })
            tokens.push(granted)
          }
          expect(await liveTokens(first.family)).toBe(is_over ? 0 : 1)
        }
      }),
      { numRuns: rounds, seed: 7 },
    )
  })

  it('continues with a token that a previous version has used up without recording its child', async () => {
    await person({ username: 'updated' })
    const first = pairOf(await signIn('updated'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    await sql`update refresh_token set child = null`.execute(api.db)
    expect(RefreshReply.parse((await renew(first.refresh)).body).refresh).toBe(second.refresh)
  })

  it('ends the family also for a grandparent’s token', async () => {
    await person({ username: 'grandparent' })
    const first = pairOf(await signIn('grandparent'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    const third = RefreshReply.parse((await renew(second.refresh)).body)
    later(60)
    expectRefusal(await renew(first.refresh), 401, 'unauthenticated')
    expectRefusal(await renew(third.refresh), 401, 'unauthenticated')
  })

  it('signs nobody out when fifty tabs renew at once', async () => {
    await person({ username: 'tabs' })
    const { refresh } = pairOf(await signIn('tabs'))
    const responses = await Promise.all(Array.from({ length: 50 }, () => renew(refresh)))
    expect(responses.map(response => response.status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(responses.map(response => RefreshReply.parse(response.body).refresh)).size).toBe(1)
    const last = RefreshReply.parse(responses.at(-1)?.body)
    expect((await renew(last.refresh)).status).toBe(200)
    expect((await whoami(last.access)).status).toBe(200)
  })

  it('ends after fourteen days', async () => {
    await person({ username: 'old' })
    const { refresh } = pairOf(await signIn('old'))
    later(14 * 86_400)
    expectRefusal(await renew(refresh), 401, 'unauthenticated')
  })

  it('ends thirty days after signing in, however often it is renewed', async () => {
    await person({ username: 'endless' })
    const signed_in = pairOf(await signIn('endless'))
    let pair = RefreshReply.parse(signed_in)
    for (const days of [13, 13]) {
      later(days * 86_400)
      pair = RefreshReply.parse((await renew(pair.refresh)).body)
    }
    const { exp = 0 } = decodeJwt(pair.refresh)
    expect(exp).toBe((decodeJwt(signed_in.refresh).iat ?? 0) + 30 * 86_400)
    later(4 * 86_400 - 60)
    pair = RefreshReply.parse((await renew(pair.refresh)).body)
    expect((await whoami(pair.access)).status).toBe(200)
    later(60)
    expectRefusal(await whoami(pair.access), 401, 'unauthenticated')
    expectRefusal(await renew(pair.refresh), 401, 'unauthenticated')
  })

  it('names the field that is missing when there is neither a body nor a cookie', async () => {
    for (const body of [undefined, {}, { refresh: '' }])
      expectRefusal(await api.anonymous.post('/api/token/refresh/', body), 400, 'invalid', {
        refresh: ['field_required'],
      })
    await person({ username: 'bodiless' })
    const { refresh } = pairOf(await signIn('bodiless'))
    const headers = { cookie: `${cookies.refresh}=${refresh}`, origin: api.origin }
    const response = await api.anonymous.post('/api/token/refresh/', undefined, { headers })
    expect(RefreshReply.parse(response.body).access).toBeTruthy()
  })

  it('takes the cookie from pages of this site alone, and removes it when it is invalid', async () => {
    await person({ username: 'cookie' })
    const { refresh } = pairOf(await signIn('cookie'))
    const send = (headers: Record<string, string>, token = refresh) =>
      api.anonymous.post(
        '/api/token/refresh/',
        {},
        { headers: { cookie: `${cookies.refresh}=${token}`, ...headers } },
      )
    expectRefusal(await send({}), 403, 'forbidden')
    expectRefusal(await send({ origin: 'https://evil.example' }), 403, 'forbidden')
    const response = await send({ origin: api.origin })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toHaveLength(3)
    const refused = await send({ origin: api.origin }, 'nonsense')
    expectRefusal(refused, 401, 'unauthenticated')
    expect(
      refused.headers.getSetCookie().every(text => /=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/.test(text)),
    ).toBe(true)
  })
})

describe('signing out', () => {
  it('ends this session, and everywhere all of them, at once', async () => {
    await person({ username: 'leaver' })
    const [one, two, three] = [
      pairOf(await signIn('leaver')),
      pairOf(await signIn('leaver')),
      pairOf(await signIn('leaver')),
    ]
    expect((await api.bearing(one.access).post('/api/token/logout/', {})).status).toBe(204)
    expectRefusal(await whoami(one.access), 401, 'unauthenticated')
    expectRefusal(await renew(one.refresh), 401, 'unauthenticated')
    expect((await whoami(two.access)).status).toBe(200)
    expect((await api.bearing(two.access).post('/api/token/logout/', { everywhere: true })).status).toBe(204)
    expectRefusal(await whoami(three.access), 401, 'unauthenticated')
    expectRefusal(await renew(three.refresh), 401, 'unauthenticated')
  })

  it('is what closing an account does, on the next request', async () => {
    const { user, get } = await person({ username: 'dismissed' })
    expect((await get('/api/users/identity/')).status).toBe(200)
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', user.id).execute()
    expectRefusal(await get('/api/users/identity/'), 401, 'unauthenticated')
  })

  it('is not the effect of a new role: it applies at the next request', async () => {
    const { user, get } = await person({ username: 'promoted' })
    await api.db.updateTable('users').set({ identity: 'director' }).where('id', '=', user.id).execute()
    expect(await get('/api/users/identity/')).toMatchObject({ body: { identity: 'director', level: 3 } })
  })
})

describe('a session that has ended', () => {
  const ways: Record<
    string,
    (owner: { user_id: number; access: string; family: string }) => Promise<unknown>
  > = {
    'signing out': ({ access }) => api.bearing(access).post('/api/token/logout/', {}),
    'signing out everywhere': ({ access }) =>
      api.bearing(access).post('/api/token/logout/', { everywhere: true }),
    'ending it from the list': ({ access, family }) => api.bearing(access).delete(`/api/sessions/${family}/`),
    'a new password by link': async ({ user_id }) =>
      setPassword(await linkFor(user_id), 'yet another long phrase'),
    'a new password by hand': ({ user_id, access }) =>
      api.bearing(access).patch(`/api/users/${user_id}/`, {
        password: { old: PASSWORD, new: 'yet another long phrase' },
      }),
    'a new role': ({ user_id }) => superuser.patch(`/api/user/${user_id}/`, { identity: 'manager' }),
    'closing the account': ({ user_id }) => superuser.patch(`/api/user/${user_id}/`, { is_active: 0 }),
    'leaving the agency': ({ user_id }) => superuser.patch(`/api/user/${user_id}/`, { employment_status: 2 }),
    'a row that is closed by hand': ({ user_id }) =>
      api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', user_id).execute(),
    'a refusal of its browser': async ({ family, user_id }) =>
      revokeBy(await refreshTokenOf({ family, user_id })),
    'a token used twice': async ({ family, user_id }) => {
      const token = await refreshTokenOf({ family, user_id })
      await renew(token)
      later(11)
      await renew(token)
    },
    'a month': async () => later(30 * 86_400),
  }
  let superuser: Awaited<ReturnType<typeof api.signedIn>>
  const refreshTokenOf = async ({ family, user_id }: { family: string; user_id: number }) => {
    const row = await api.db
      .selectFrom('refresh_token')
      .select(['id as token', 'issued_at', 'expires_at'])
      .where('family', '=', family)
      .where('rotated_at', 'is', null)
      .executeTakeFirstOrThrow()
    return await api.effects.tokens.signRefresh({ ...row, family, user_id })
  }
  const revokeBy = (refresh: string, headers: Record<string, string> = { origin: api.origin }) =>
    api.anonymous.post(
      '/api/token/revoke/',
      {},
      { headers: { ...headers, cookie: `refresh_token=${refresh}` } },
    )

  it.each(Object.keys(ways))(
    'by %s is refused with both tokens at the next request, and loses its cookies',
    async way => {
      await clearAttempts()
      superuser = await api.signedIn('superuser')
      const { user } = await person({ username: `ended by ${way}` })
      const { access, refresh } = pairOf(await signIn(user.username))
      const { family = '' } = decodeJwt<{ family?: string }>(refresh)
      await ways[way]?.({ user_id: user.id, access, family })
      // Both newly signed: they are not refused for their age.
      const times = { issued_at: api.clock.now, expires_at: new Date(api.clock.now.getTime() + 60_000) }
      const claims = { user_id: user.id, family, token: randomUUID() }
      const held = await api.effects.tokens.signRefresh({ ...claims, ...times })
      const response = await api
        .bearing(await api.effects.tokens.signAccess(claims, api.clock.now))
        .get('/api/users/identity/', { headers: { cookie: `refresh_token=${held}` } })
      expectRefusal(response, 401, 'unauthenticated')
      expect(namesTakenBy(response)).toEqual(Object.values(cookies))
      expectRefusal(await renew(held), 401, 'unauthenticated')
      expectRefusal(await renew(refresh), 401, 'unauthenticated')
    },
  )

  it('leaves the cookies of another one that has begun in the same browser since', async () => {
    const { user } = await person({ username: 'again' })
    const [old, current] = [pairOf(await signIn('again')), pairOf(await signIn('again'))]
    await api.bearing(old.access).post('/api/token/logout/', {})
    const headers = { cookie: `refresh_token=${current.refresh}` }
    const response = await api.bearing(old.access).get('/api/users/identity/', { headers })
    expectRefusal(response, 401, 'unauthenticated')
    expect(namesTakenBy(response)).toEqual([])
    expect(await whoami(current.access)).toMatchObject({ status: 200, body: { user_id: user.id } })
  })

  it('does not end by an expired or made-up access token', async () => {
    await person({ username: 'outlived' })
    const { access, refresh } = pairOf(await signIn('outlived'))
    later(601)
    for (const token of [access, `${access.slice(0, -6)}AAAAAA`]) {
      const headers = { cookie: `refresh_token=${refresh}` }
      const response = await api.bearing(token).get('/api/users/identity/', { headers })
      expectRefusal(response, 401, 'unauthenticated')
      expect(namesTakenBy(response)).toEqual([])
    }
    expect((await renew(refresh)).status).toBe(200)
  })

  it('stays ended when the account is opened again', async () => {
    const { user } = await person({ username: 'reopened' })
    const { refresh } = pairOf(await signIn('reopened'))
    const set = (is_active: number) =>
      api.db.updateTable('users').set({ is_active }).where('id', '=', user.id).execute()
    await set(0)
    expectRefusal(await renew(refresh), 401, 'unauthenticated')
    await set(1)
    expectRefusal(await renew(refresh), 401, 'unauthenticated')
  })

  it('is ended by its cookie from pages of this site alone, once in the trail, and removes no other', async () => {
    const { user } = await person({ username: 'refused' })
    const { refresh, access } = pairOf(await signIn('refused'))
    expectRefusal(await revokeBy(refresh, {}), 403, 'forbidden')
    expectRefusal(await revokeBy(refresh, { origin: 'https://evil.example' }), 403, 'forbidden')
    expect((await whoami(access)).status).toBe(200)
    for (const response of [await revokeBy(refresh), await revokeBy(refresh)]) {
      expect(response.status).toBe(204)
      expect(namesTakenBy(response)).toEqual(Object.values(cookies))
    }
    expectRefusal(await whoami(access), 401, 'unauthenticated')
    const without = await api.anonymous.post('/api/token/revoke/', {}, { headers: { origin: api.origin } })
    expect([without.status, namesTakenBy(without)]).toEqual([204, []])
    const lines = await api.db
      .selectFrom('audit')
      .select('action')
      .where('actor', '=', user.id)
      .where('action', '=', 'session.sign_out')
      .execute()
    expect(lines).toHaveLength(1)
  })
})

describe('one’s own sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const list = async (access: string) =>
    SessionList.parse((await api.bearing(access).get('/api/sessions/')).body).results

  it('are listed, the last one used first, with their origin and which one is the present one', async () => {
    await person({ username: 'several' })
    const body = { username: 'several', password: PASSWORD }
    const old = pairOf(await api.anonymous.post('/api/token/', body, { headers: { 'user-agent': FIREFOX } }))
    later(60)
    const current = pairOf(await signIn('several'))
    later(60)
    await renew(old.refresh)
    expect(await list(current.access)).toMatchObject([
      { id: decodeJwt(old.refresh).family, browser: 'Firefox', system: 'Windows', is_current: false },
      { id: decodeJwt(current.refresh).family, address: '127.0.0.1', is_current: true },
      {},
    ])
    const [{ created_at = '', ends_at = '' } = {}] = await list(current.access)
    expect(Date.parse(ends_at) - Date.parse(created_at)).toBe(30 * 86_400_000)
  })

  it('are not listed once they have ended in whatever way', async () => {
    const { user } = await person({ username: 'enders' })
    const [out, active] = [pairOf(await signIn('enders')), pairOf(await signIn('enders'))]
    await api.bearing(out.access).post('/api/token/logout/', {})
    expect((await list(active.access)).map(({ id }) => id)).not.toContain(decodeJwt(out.refresh).family)
    later(14 * 86_400)
    const fresh = pairOf(await signIn(user.username))
    expect(await list(fresh.access)).toMatchObject([{ is_current: true }])
  })

  it('are ended one by one by their person alone; others’ are treated like those that do not exist', async () => {
    await person({ username: 'mine' })
    await person({ username: 'theirs' })
    const [mine, phone, theirs] = [
      pairOf(await signIn('mine')),
      pairOf(await signIn('mine')),
      pairOf(await signIn('theirs')),
    ]
    const end = (pair: { refresh: string }, bearer = mine.access) =>
      api.bearing(bearer).delete(`/api/sessions/${String(decodeJwt(pair.refresh).family)}/`)
    const foreign = await end(theirs)
    const missing = await api.bearing(mine.access).delete(`/api/sessions/${randomUUID()}/`)
    expectRefusal(foreign, 404, 'not_found')
    expect(textOf(foreign)).toEqual(textOf(missing))
    const superuser = await api.signedIn('superuser')
    expectRefusal(await end(theirs, superuser.token), 404, 'not_found')
    expect((await whoami(theirs.access)).status).toBe(200)
    expect((await end(phone)).status).toBe(204)
    expectRefusal(await end(phone), 404, 'not_found')
    expectRefusal(await renew(phone.refresh), 401, 'unauthenticated')
    const last = await end(mine)
    expect([last.status, namesTakenBy(last)]).toEqual([204, Object.values(cookies)])
  })
})

/** Once the next password has been checked, and before anything follows from it. */
function afterNextHash(work: () => Promise<unknown>) {
  const { hashing } = api.effects
  api.effects.hashing = {
    async run(caller, check) {
      api.effects.hashing = hashing
      const found = await hashing.run(caller, check)
      await work()
      return found
    },
  }
}

describe('a new password', () => {
  it('ends a sign-in with the old one at that moment', async () => {
    const { user } = await person({ username: 'overtaken' })
    const token = await linkFor(user.id)
    afterNextHash(async () => expect((await setPassword(token, 'another long phrase')).status).toBe(204))
    expectRefusal(await signIn('overtaken'), 401, 'unauthenticated')
    expect((await signIn('overtaken', 'another long phrase')).status).toBe(200)
  })

  it('is not replaced by a change with the old one at that moment', async () => {
    const { user, patch } = await person({ username: 'overwritten' })
    const token = await linkFor(user.id)
    afterNextHash(async () => expect((await setPassword(token, 'another long phrase')).status).toBe(204))
    const late = await patch(`/api/users/${user.id}/`, {
      password: { old: PASSWORD, new: 'a phrase of a thief' },
    })
    expectRefusal(late, 400, 'invalid', { 'password.old': ['password_wrong'] })
    expectRefusal(await signIn('overwritten', 'a phrase of a thief'), 401, 'unauthenticated')
    expect((await signIn('overwritten', 'another long phrase')).status).toBe(200)
  })

  it('is reported to its person, whoever has set it and from wherever', async () => {
    const { user } = await person({ username: 'informed' })
    await setPassword(await linkFor(user.id), 'another long phrase')
    const { access } = pairOf(await signIn('informed', 'another long phrase'))
    const password = { old: 'another long phrase', new: 'yet another long phrase' }
    expect((await api.bearing(access).patch(`/api/users/${user.id}/`, { password })).status).toBe(200)
    const notice = { kind: 'password_changed', detail: { address: '127.0.0.1', time_zone: 'Asia/Taipei' } }
    expect(await securityNotices(user.id)).toEqual([notice, notice])
  })

  it.each([
    'chenxiaomei99', // the mailbox
    'Mei-Ling Chen 1',
    'M3iling2026!!',
    'meilingSheetcast',
    'Nimbus Outdoors 24',
    'n1mbus-0utd00rs',
    'sheetcast nimbus outdoors',
    'Trustno1trustno1',
    'Qwerty!Qwerty1',
  ])('is not made of the names of the person, of clients or of the product: %s', async password => {
    await api.db
      .insertInto('advertiser')
      .values({ name: 'Nimbus Outdoors' })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const facts = { full_name: 'Mei-Ling Chen', email: 'chenxiaomei@agency.example' }
    const { user } = await api.signedIn('staff', facts)
    expectRefusal(await setPassword(await linkFor(user.id), password), 400, 'invalid', {
      password: ['password_too_common'],
    })
  })
})

describe('the set-password link', () => {
  it('sets a password once, and ends every session of the person', async () => {
    const { user, get } = await person({ username: 'linked' })
    const token = await linkFor(user.id)
    expect((await setPassword(token, 'another long phrase')).status).toBe(204)
    expectRefusal(await get('/api/users/identity/'), 401, 'unauthenticated')
    expect((await signIn('linked', 'another long phrase')).status).toBe(200)
    expectRefusal(await signIn('linked'), 401, 'unauthenticated')
    expectRefusal(await setPassword(token, 'yet another phrase'), 400, 'invalid', { token: ['link_expired'] })
  })

  it('accepts a password as it is typed, of any characters and up to a thousand of them', async () => {
    const { user } = await person({ username: 'exact' })
    const long = `A${randomBytes(600).toString('base64')}b`
    for (const password of ['  A phrase, with Blanks  ', '密碼可以是任何文字喔喔喔', long]) {
      expect(await setPassword(await linkFor(user.id), password)).toMatchObject({ status: 204 })
      expect((await signIn('exact', password)).status).toBe(200)
      const others = [password.toLowerCase(), password.trim(), password.slice(0, 72), `${password} `]
      for (const other of others.filter(one => one !== password))
        expect((await signIn('exact', other)).status).not.toBe(200)
      await clearAttempts()
    }
  })

  it('survives a password that is refused', async () => {
    const { user } = await person({ username: 'picky' })
    const token = await linkFor(user.id)
    expectRefusal(await setPassword(token, 'short'), 400, 'invalid', { password: ['password_too_short'] })
    expectRefusal(await setPassword(token, 'Password2024!!'), 400, 'invalid', {
      password: ['password_too_common'],
    })
    expect((await setPassword(token, 'a phrase of my own')).status).toBe(204)
  })

  it('is invalid after a day, after a newer one, for a closed account, or when made up', async () => {
    const { user } = await person({ username: 'late' })
    const [old, newer] = [await linkFor(user.id), await linkFor(user.id)]
    const refused = { token: ['link_expired'] } as const
    expectRefusal(await setPassword(old, 'a phrase of my own'), 400, 'invalid', refused)
    expectRefusal(await setPassword('made-up-made-up-made-up', 'a phrase of my own'), 400, 'invalid', refused)
    later(24 * 3600)
    expectRefusal(await setPassword(newer, 'a phrase of my own'), 400, 'invalid', refused)
    const fresh = await linkFor(user.id)
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', user.id).execute()
    expectRefusal(await setPassword(fresh, 'a phrase of my own'), 400, 'invalid', refused)
  })

  it('is stored as a hash alone', async () => {
    const { user } = await person({ username: 'hashed' })
    const token = await linkFor(user.id)
    const row = await api.db
      .selectFrom('password_link')
      .select('token_hash')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(Buffer.from(row.token_hash).equals(hashLinkToken(token))).toBe(true)
  })
})

describe('tokens', () => {
  it('are refused when anything about them is changed', async () => {
    await person({ username: 'mutant' })
    const { access, refresh } = pairOf(await signIn('mutant'))
    const count = process.env.LONG ? 10_000 : 600
    const accepted: string[] = []
    for (let seed = 0; seed < count; seed += 50) {
      const mutants = Array.from({ length: 50 }, (_, n) => mutate(access, seed + n))
      const responses = await Promise.all(mutants.map(token => whoami(token)))
      accepted.push(...mutants.filter((_, n) => responses[n]?.status !== 401))
    }
    expect(accepted).toEqual([])
    expectRefusal(await whoami(refresh), 401, 'unauthenticated')
    expectRefusal(await renew(access), 401, 'unauthenticated')
  })

  it('are refused without a signature, with another algorithm or another key', async () => {
    await person({ username: 'forger' })
    const { access } = pairOf(await signIn('forger'))
    const [, payload = ''] = access.split('.')
    const signed = `${head('HS256')}.${payload}`
    const forged = createHmac('sha256', 'guess').update(signed).digest('base64url')
    for (const token of [
      `${head('none')}.${payload}.`,
      `${head('none')}.${payload}.x`,
      `${signed}.${forged}`,
      'x',
      '',
    ])
      expectRefusal(await whoami(token), 401, 'unauthenticated')
  })

  it('of access end after ten minutes', async () => {
    await person({ username: 'ten' })
    const { access } = pairOf(await signIn('ten'))
    later(599)
    expect((await whoami(access)).status).toBe(200)
    later(1)
    expectRefusal(await whoami(access), 401, 'unauthenticated')
  })
})

const head = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')

/** One letter replaced, dropped, doubled or two exchanged; never the token itself. */
function mutate(token: string, seed: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
  const at = (seed * 7) % token.length
  const letter = letters[(seed * 31 + 7) % letters.length] ?? 'A'
  const [before, here, after] = [token.slice(0, at), token[at] ?? '', token.slice(at + 1)]
  const mutant = [
    before + letter + after,
    before + after,
    before + here + here + after,
    before + after + here,
  ][seed % 4]
  return mutant === undefined || mutant === token ? `${token}A` : mutant
}
