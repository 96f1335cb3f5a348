import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cookies, RefreshReply, TokenPair } from '#shared/api/session.ts'
import { expectRefusal, testApi, type Answer } from '#server/http/testing.ts'
import { hashLinkToken, newLinkToken } from './passwords.ts'
import { attemptedName, insertLink } from './queries.ts'

const api = await testApi()
const PASSWORD = 'correct battery horse 9'
const person = (facts: { username: string }) => api.signedIn('staff', { ...facts, password: PASSWORD })

const signIn = (username: string, password = PASSWORD) =>
  api.anonymous.post('/api/token/', { username, password })
const renew = (refresh: string) => api.anonymous.post('/api/token/refresh/', { refresh })
const whoami = (access: string) => api.bearing(access).get('/api/users/identity/')
const pairOf = (answer: Answer) => TokenPair.parse(answer.body)
const later = (seconds: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000)
}
/** What a refusal says but for the id of its request. */
const textOf = ({ status, body }: Answer) => ({ status, body: { ...Object(body), request_id: null } })

const linkFor = async (user_id: number) => {
  const { token, token_hash } = newLinkToken()
  await api.db.transaction().execute(trx => insertLink(trx, user_id, { token_hash, now: api.clock.now }))
  return token
}
const setPassword = (token: string, password: string) =>
  api.anonymous.post('/api/set-password/', { token, password })

describe('signing in', () => {
  it('answers a pair of tokens, and cookies as the browser needs them', async () => {
    const { user } = await person({ username: 'Anna' })
    const answer = await signIn('anna')
    expect(answer.status).toBe(200)
    expect(pairOf(answer).user_id).toBe(user.id)
    expect(await whoami(pairOf(answer).access)).toMatchObject({ status: 200, body: { user_id: user.id } })
    const set = answer.headers.getSetCookie()
    const cookie = (name: string) => set.find(text => text.startsWith(`${name}=`)) ?? ''
    expect(cookie(cookies.access)).toMatch(/Max-Age=600; Path=\/; SameSite=Strict$/)
    expect(cookie(cookies.refresh)).toMatch(/Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/)
    const expiry = Number(/=(\d+);/.exec(cookie(cookies.refresh_expiry))?.[1])
    expect(expiry).toBe(Math.floor(api.clock.now.getTime() / 1000) + 14 * 86_400)
    expect(cookie(cookies.refresh_expiry)).not.toContain('HttpOnly')
  })

  it('marks cookies Secure everywhere but on plain http of this machine', async () => {
    await person({ username: 'secure' })
    const { settings } = api.effects
    const { public_url } = settings
    for (const [url, secure] of [
      ['https://reports.example', true],
      ['http://reports.example', true],
      ['http://127.0.0.1:3000', false],
    ] as const) {
      settings.public_url = url
      const set = (await signIn('secure')).headers.getSetCookie()
      expect(set.map(text => text.includes('Secure'))).toEqual([secure, secure, secure])
    }
    settings.public_url = public_url
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
    for (const answer of [
      await signIn('nobody'),
      await signIn('closed'),
      await signIn('resigned'),
      await signIn('without-password'),
    ]) {
      expect(textOf(answer)).toEqual(textOf(wrong))
      expect([...answer.headers.keys()]).toEqual([...wrong.headers.keys()])
    }
  })

  // A measurement, so not among the tests of every day.
  it.runIf(process.env.LONG)(
    'takes the same time for an unknown name and a wrong password, within three milliseconds',
    async () => {
      const took: Record<string, number[]> = { timed: [], unknown: [] }
      await person({ username: 'timed' })
      for (let round = 0; round < 300; round += 1)
        for (const [username, times] of Object.entries(took)) {
          await api.db.deleteFrom('sign_in_failure').execute()
          const started = performance.now()
          await signIn(username, 'wrong')
          times.push(performance.now() - started)
        }
      const median = (times: number[] = []) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
      expect(Math.abs(median(took.timed) - median(took.unknown))).toBeLessThan(3)
    },
    120_000,
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

  it('stops after ten failures for one name, says when to go on, and lets nobody else feel it', async () => {
    await person({ username: 'guessed' })
    const other = await person({ username: 'bystander' })
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signIn('Guessed', `wrong guess ${n}`)),
    )
    expect(guesses.filter(answer => answer.status === 401)).toHaveLength(10)
    expect(guesses.filter(answer => answer.status === 429)).toHaveLength(20)
    const stopped = await signIn('guessed')
    expectRefusal(stopped, 429, 'rate_limited')
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await signIn(other.user.username)).status).toBe(200)
    later(15 * 60)
    expect((await signIn('guessed')).status).toBe(200)
  })

  it('stops after a hundred failures for one name from anywhere', async () => {
    await person({ username: 'surrounded' })
    const strangers = Array.from({ length: 100 }, (_, n) => ({
      username: attemptedName('surrounded'),
      address: `203.0.113.${n % 12}`,
      at: api.clock.now,
    }))
    await api.db.insertInto('sign_in_failure').values(strangers.slice(1)).execute()
    expect((await signIn('surrounded')).status).toBe(200)
    await api.db.insertInto('sign_in_failure').values(strangers.slice(0, 1)).execute()
    expectRefusal(await signIn('surrounded'), 429, 'rate_limited')
  })

  it('forgets the failures once the person is in', async () => {
    await person({ username: 'clumsy' })
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) await signIn('clumsy', 'wrong')
      expect((await signIn('clumsy')).status).toBe(200)
    }
  })
})

describe('renewing', () => {
  it('answers a new pair and uses the old refresh token up', async () => {
    await person({ username: 'renew' })
    const first = pairOf(await signIn('renew'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    expect(second.refresh).not.toBe(first.refresh)
    expect((await whoami(second.access)).status).toBe(200)
    expect((await renew(second.refresh)).status).toBe(200)
  })

  it('honours the old token for ten seconds, and after that ends the family', async () => {
    await person({ username: 'stolen' })
    const first = pairOf(await signIn('stolen'))
    const elsewhere = pairOf(await signIn('stolen'))
    const second = RefreshReply.parse((await renew(first.refresh)).body)
    later(10)
    expect((await renew(first.refresh)).status).toBe(200)
    later(1)
    expectRefusal(await renew(first.refresh), 401, 'unauthenticated')
    expectRefusal(await renew(second.refresh), 401, 'unauthenticated')
    expectRefusal(await whoami(second.access), 401, 'unauthenticated')
    expect((await renew(elsewhere.refresh)).status).toBe(200)
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
    const answers = await Promise.all(Array.from({ length: 50 }, () => renew(refresh)))
    expect(answers.map(answer => answer.status)).toEqual(Array.from({ length: 50 }, () => 200))
    const last = RefreshReply.parse(answers.at(-1)?.body)
    expect((await renew(last.refresh)).status).toBe(200)
    expect((await whoami(last.access)).status).toBe(200)
  })

  it('ends after fourteen days', async () => {
    await person({ username: 'old' })
    const { refresh } = pairOf(await signIn('old'))
    later(14 * 86_400)
    expectRefusal(await renew(refresh), 401, 'unauthenticated')
  })

  it('takes the cookie from pages of this site alone, and takes it away when it is worth nothing', async () => {
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
    const answer = await send({ origin: api.origin })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toHaveLength(3)
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

  it('is not what a new role does to the account: it acts on the next request', async () => {
    const { user, get } = await person({ username: 'promoted' })
    await api.db.updateTable('users').set({ identity: 'director' }).where('id', '=', user.id).execute()
    expect(await get('/api/users/identity/')).toMatchObject({ body: { identity: 'director', level: 3 } })
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

  it('survives a password that is refused', async () => {
    const { user } = await person({ username: 'picky' })
    const token = await linkFor(user.id)
    expectRefusal(await setPassword(token, 'short'), 400, 'invalid', { password: ['password_too_short'] })
    expectRefusal(await setPassword(token, 'Password2024!!'), 400, 'invalid', {
      password: ['password_too_common'],
    })
    expect((await setPassword(token, 'a phrase of my own')).status).toBe(204)
  })

  it('is worth nothing after a day, after a newer one, for a closed account, or when made up', async () => {
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

  it('is kept as a hash alone', async () => {
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
      const answers = await Promise.all(mutants.map(token => whoami(token)))
      accepted.push(...mutants.filter((_, n) => answers[n]?.status !== 401))
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
