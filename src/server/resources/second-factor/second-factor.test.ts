import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RecoveryCodes, SecondFactorSecret } from '#shared/api/second-factor.ts'
import { TokenPair } from '#shared/api/session.ts'
import { routes } from '#server/app.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { newLinkToken } from '#server/resources/session/passwords.ts'
import { insertLink, isStillPassword, startFamily } from '#server/resources/session/queries.ts'
import { createVault } from '#server/vault.ts'
import { deleteOldEnrolments } from './queries.ts'
import { resealSecondFactors, unreadableSecondFactors } from './secrets.ts'
import { codeAt, enrolled, nextStep, PASSWORD } from './testing/enrolled.ts'

const PATH = '/api/second-factor/'
const api = await testApi()
// Every test signs in from the same address.
beforeEach(() => api.db.deleteFrom('sign_in_failure').execute())
afterEach(() => {
  api.effects.settings.second_factor_roles = []
})

const later = (minutes: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
}
/** Until a session with this database waits for a row lock of another one. */
async function somebodyWaits() {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      api.db,
    )
    if (rows.length > 0) return
  }
}
const signInAs = (person: Client, body: object = {}) =>
  api.anonymous.post('/api/token/', { username: person.user.username, password: PASSWORD, ...body })
const secretOf = (body: unknown) => SecondFactorSecret.parse(body).secret
const isAlive = async (person: Pick<Client, 'get'>) =>
  (await person.get('/api/users/identity/')).status === 200
/** A further session of the person. */
const another = async (person: {
  signIn: (code: string) => ReturnType<typeof signInAs>
  code: () => string
}) => {
  const response = await person.signIn(person.code())
  nextStep(api)
  return api.bearing(TokenPair.parse(response.body).access)
}
const noticesOf = async (user_id: number) =>
  (
    await api.db
      .selectFrom('notification')
      .select('kind')
      .where('user_id', '=', user_id)
      .orderBy('id')
      .execute()
  ).map(row => row.kind)
const auditOf = async (action: string, user_id: number) =>
  await api.db
    .selectFrom('audit')
    .select(['actor', 'object_id', 'detail', 'address'])
    .where('action', '=', action)
    .where(eb => eb.or([eb('actor', '=', user_id), eb('object_id', '=', String(user_id))]))
    .execute()

describe('setting up a second factor', () => {
  it('takes the password and a first code, and returns ten recovery codes', async () => {
    const person = await api.signedIn('external_user', { password: PASSWORD })
    expect((await person.get(PATH)).body).toEqual({
      enabled: false,
      since: null,
      recovery_codes_left: 0,
      required: false,
    })
    const setup = await person.post(PATH, { password: PASSWORD })
    expect(setup).toMatchObject({ status: 201, body: { uri: expect.stringMatching(/^otpauth:\/\/totp\//) } })
    expect((await person.get(PATH)).body).toMatchObject({ enabled: false })
    const confirmed = await person.post(`${PATH}confirm/`, {
      code: codeAt(secretOf(setup.body), api.clock.now),
    })
    expect(RecoveryCodes.parse(confirmed.body).recovery_codes).toHaveLength(10)
    expect((await person.get(PATH)).body).toEqual({
      enabled: true,
      since: api.clock.now.toISOString(),
      recovery_codes_left: 10,
      required: false,
    })
    expect(await noticesOf(person.user.id)).toEqual(['second_factor_on'])
    expect(await auditOf('user.second_factor_on', person.user.id)).toMatchObject([
      { actor: person.user.id, detail: null, address: '127.0.0.1' },
    ])
  })

  it('ends sessions, too, that begin without a code while it is confirmed', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    const secret = secretOf((await person.post(PATH, { password: PASSWORD })).body)
    const { id } = person.user
    const { password_hash } = await api.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const facts = { now: api.clock.now, session_days: 30, address: null, user_agent: null }
    const { confirming, family } = await api.db.transaction().execute(async trx => {
      expect(await isStillPassword(trx, { id, password_hash })).toBe(true)
      const response = person.post(`${PATH}confirm/`, { code: codeAt(secret, api.clock.now) })
      await Promise.race([response, somebodyWaits()])
      return { confirming: response, family: (await startFamily(trx, id, facts)).family }
    })
    expect((await confirming).status).toBe(200)
    const setup = await api.db
      .selectFrom('refresh_family')
      .select('revoked_because')
      .where('id', '=', family)
      .executeTakeFirst()
    expect(setup).toEqual({ revoked_because: 'second_factor' })
  })

  it('begins with the right password alone, and counts wrong ones as failed attempts to sign in', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    for (let tries = 0; tries < 10; tries += 1)
      expectRefusal(await person.post(PATH, { password: 'something else' }), 400, 'invalid', {
        password: ['password_wrong'],
      })
    expectRefusal(await person.post(PATH, { password: PASSWORD }), 429, 'rate_limited')
    expectRefusal(await signInAs(person), 429, 'rate_limited')
  })

  it('changes nothing about signing in before it is confirmed', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    const { body } = await person.post(PATH, { password: PASSWORD })
    expect((await signInAs(person)).status).toBe(200)
    expect((await signInAs(person, { code: codeAt(secretOf(body), api.clock.now) })).status).toBe(200)
    expectRefusal(await person.post(`${PATH}confirm/`, { code: '000000' }), 400, 'invalid', {
      code: ['second_factor_wrong'],
    })
    expect((await person.get(PATH)).body).toMatchObject({ enabled: false })
    expect((await signInAs(person)).status).toBe(200)
  })

  it('expires after 15 minutes, with another setup, and once it is confirmed', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    const confirm = (secret: string) =>
      person.post(`${PATH}confirm/`, { code: codeAt(secret, api.clock.now) })
    expectRefusal(await person.post(`${PATH}confirm/`, { code: '123456' }), 409, 'second_factor_not_begun')
    const first = secretOf((await person.post(PATH, { password: PASSWORD })).body)
    const second = secretOf((await person.post(PATH, { password: PASSWORD })).body)
    expectRefusal(await confirm(first), 400, 'invalid', { code: ['second_factor_wrong'] })
    const responses = await Promise.all([confirm(second), confirm(second)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])

    const slow = await api.signedIn('staff', { password: PASSWORD })
    const { body } = await slow.post(PATH, { password: PASSWORD })
    // The session ends sooner than the setup.
    const fresh = async () => api.bearing(TokenPair.parse((await signInAs(slow)).body).access)
    later(15)
    const code = codeAt(secretOf(body), api.clock.now)
    expectRefusal(await (await fresh()).post(`${PATH}confirm/`, { code }), 409, 'second_factor_not_begun')
    const rows = () =>
      api.db.selectFrom('second_factor_enrolment').where('user_id', '=', slow.user.id).select('user_id')
    expect(await rows().execute()).toHaveLength(1)
    await deleteOldEnrolments(api.db, new Date(api.clock.now.getTime() + 1))
    expect(await rows().execute()).toEqual([])
  })

  it('signs the person out everywhere else', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    const elsewhere = api.bearing(TokenPair.parse((await signInAs(person)).body).access)
    const { body } = await person.post(PATH, { password: PASSWORD })
    expect(await isAlive(elsewhere)).toBe(true)
    await person.post(`${PATH}confirm/`, { code: codeAt(secretOf(body), api.clock.now) })
    expect([await isAlive(elsewhere), await isAlive(person)]).toEqual([false, true])
  })

  it('moves to another phone with a code of the first one, whose codes then end', async () => {
    const person = await enrolled(api)
    expectRefusal(await person.post(PATH, { password: PASSWORD }), 400, 'invalid', {
      code: ['field_required'],
    })
    expectRefusal(await person.post(PATH, { password: PASSWORD, code: '000000' }), 400, 'invalid', {
      code: ['second_factor_wrong'],
    })
    const { body } = await person.post(PATH, { password: PASSWORD, code: person.code() })
    nextStep(api)
    // Until then the first one is valid.
    expect((await person.signIn(person.code())).status).toBe(200)
    nextStep(api)
    const fresh = secretOf(body)
    const confirmed = await person.post(`${PATH}confirm/`, { code: codeAt(fresh, api.clock.now) })
    expect(confirmed.status).toBe(200)
    nextStep(api)
    expectRefusal(await person.signIn(person.code()), 401, 'second_factor_wrong')
    expectRefusal(await person.signIn(person.recovery_codes[0]), 401, 'second_factor_wrong')
    expect((await person.signIn(codeAt(fresh, api.clock.now))).status).toBe(200)
  })

  it('is never returned again', async () => {
    const person = await enrolled(api, 'superuser')
    const responses = [
      await person.get(PATH),
      await person.get('/api/users/identity/'),
      await person.get(`/api/user/${person.user.id}/`),
      await person.get('/api/audit/?limit=100'),
      await person.get('/api/notifications/'),
    ]
    const text = JSON.stringify(responses.map(response => response.body))
    for (const secret of [person.secret, ...person.recovery_codes]) expect(text).not.toContain(secret)
    const stored = await api.db.selectFrom('second_factor').selectAll().execute()
    expect(stored.map(row => Buffer.from(row.secret).includes(Buffer.from(person.secret)))).not.toContain(
      true,
    )
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code after the right password, and for nothing after a wrong one', async () => {
    const person = await enrolled(api)
    expectRefusal(await person.signIn(), 401, 'second_factor_required')
    expectRefusal(await person.signIn(undefined, 'something else'), 401, 'unauthenticated')
    expectRefusal(await person.signIn(person.code(), 'something else'), 401, 'unauthenticated')
    const right = await person.signIn(person.code())
    expect(right.status).toBe(200)
    expect(TokenPair.parse(right.body).user_id).toBe(person.user.id)
  })

  it('also needs a code after a password was set by a link', async () => {
    const person = await enrolled(api)
    const { token, token_hash } = newLinkToken()
    const link = { token_hash, now: api.clock.now }
    await api.db.transaction().execute(trx => insertLink(trx, person.user.id, link))
    const password = 'another long phrase'
    expect((await api.anonymous.post('/api/set-password/', { token, password })).status).toBe(204)
    expectRefusal(await person.signIn(undefined, password), 401, 'second_factor_required')
    expect((await person.signIn(person.code(), password)).status).toBe(200)
  })

  it('returns no token and no cookie before', async () => {
    const person = await enrolled(api)
    for (const response of [await person.signIn(), await person.signIn('000000')]) {
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.body).not.toHaveProperty('access')
    }
  })

  it('takes a code once, and none that is older than the last one', async () => {
    const person = await enrolled(api)
    const earlier = person.code()
    nextStep(api)
    const code = person.code()
    expect((await person.signIn(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
    expectRefusal(await person.signIn(code), 401, 'second_factor_wrong')
    // Still within its window, but used up by the later one.
    expectRefusal(await person.signIn(earlier), 401, 'second_factor_wrong')
    nextStep(api)
    expect((await person.signIn(person.code())).status).toBe(200)
  })

  it('does not take the code that has turned it on', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    const { body } = await person.post(PATH, { password: PASSWORD })
    const code = codeAt(secretOf(body), api.clock.now)
    await person.post(`${PATH}confirm/`, { code })
    expectRefusal(await signInAs(person, { code }), 401, 'second_factor_wrong')
  })

  it('accepts exactly one of many concurrent sign-ins with one code', async () => {
    const person = await enrolled(api)
    const code = person.code()
    const responses = await Promise.all(Array.from({ length: 6 }, () => person.signIn(code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status !== 200).map(({ body }) => Object(body).code)).toEqual(
      Array.from({ length: 5 }, () => 'second_factor_wrong'),
    )
  })

  it('counts wrong codes as failed attempts, which a right password alone does not forget', async () => {
    const person = await enrolled(api)
    for (let tries = 0; tries < 5; tries += 1) {
      expectRefusal(await person.signIn('000000'), 401, 'second_factor_wrong')
      expectRefusal(await person.signIn(), 401, 'second_factor_required')
    }
    expectRefusal(await person.signIn(person.code()), 429, 'rate_limited')
    expect(await auditOf('session.second_factor_wrong', person.user.id)).toHaveLength(5)
    later(16)
    expect((await person.signIn(person.code())).status).toBe(200)
  })

  it('checks ten wrong codes in 15 minutes, from any address, and notifies the person', async () => {
    const person = await enrolled(api)
    // As if each were from another address.
    const clearAddress = () => api.db.deleteFrom('sign_in_failure').execute()
    for (let tries = 0; tries < 10; tries += 1) {
      await clearAddress()
      expectRefusal(await person.signIn('000000'), 401, 'second_factor_wrong')
    }
    await clearAddress()
    const locked = await person.signIn(person.code())
    expectRefusal(locked, 429, 'rate_limited')
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(await noticesOf(person.user.id)).toEqual(['second_factor_on', 'second_factor_wrong'])
    // A person who is locked out by somebody else has recovery codes.
    expect((await person.signIn(person.recovery_codes[0])).status).toBe(200)
    later(16)
    expect((await person.signIn(person.code())).status).toBe(200)
  })

  it('refuses a closed account with a right code like any other', async () => {
    const person = await enrolled(api)
    await api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', person.user.id).execute()
    expectRefusal(await person.signIn(), 401, 'unauthenticated')
    expectRefusal(await person.signIn(person.code()), 401, 'unauthenticated')
  })
})

describe('a recovery code', () => {
  it('signs in once, however it is typed, and the person is notified', async () => {
    const person = await enrolled(api)
    const [first = '', second = ''] = person.recovery_codes
    expect((await person.signIn(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expectRefusal(await person.signIn(first), 401, 'second_factor_wrong')
    expect((await person.signIn(second)).status).toBe(200)
    expect((await person.get(PATH)).body).toMatchObject({ enabled: true, recovery_codes_left: 8 })
    expect(await noticesOf(person.user.id)).toEqual([
      'second_factor_on',
      'recovery_code_used',
      'recovery_code_used',
    ])
    expect(await auditOf('session.recovery_code_used', person.user.id)).toMatchObject([
      { detail: { recovery_codes_left: 9 } },
      { detail: { recovery_codes_left: 8 } },
    ])
  })

  it('accepts exactly one of many concurrent sign-ins with it', async () => {
    const person = await enrolled(api)
    const [code = ''] = person.recovery_codes
    const responses = await Promise.all(Array.from({ length: 6 }, () => person.signIn(code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is good for its person alone', async () => {
    const [one, other] = [await enrolled(api), await enrolled(api)]
    expectRefusal(await one.signIn(other.recovery_codes[0]), 401, 'second_factor_wrong')
    expect((await other.signIn(other.recovery_codes[0])).status).toBe(200)
  })

  it('ends when new ones are made, which takes the password and a code', async () => {
    const person = await enrolled(api)
    const renew = (body: object) => person.post(`${PATH}recovery-codes/`, body)
    expectRefusal(await renew({ password: 'something else', code: person.code() }), 400, 'invalid', {
      password: ['password_wrong'],
    })
    expectRefusal(await renew({ password: PASSWORD, code: '000000' }), 400, 'invalid', {
      code: ['second_factor_wrong'],
    })
    const { recovery_codes } = RecoveryCodes.parse(
      (await renew({ password: PASSWORD, code: person.code() })).body,
    )
    expect(new Set([...recovery_codes, ...person.recovery_codes]).size).toBe(20)
    expectRefusal(await person.signIn(person.recovery_codes[0]), 401, 'second_factor_wrong')
    expect((await person.signIn(recovery_codes[0])).status).toBe(200)
    expect(await noticesOf(person.user.id)).toContain('recovery_codes_new')
    expect(await auditOf('user.recovery_codes_new', person.user.id)).toHaveLength(1)
  })

  it('does not exist without a second factor', async () => {
    const person = await api.signedIn('staff', { password: PASSWORD })
    expectRefusal(
      await person.post(`${PATH}recovery-codes/`, { password: PASSWORD, code: '123456' }),
      409,
      'second_factor_off',
    )
  })
})

describe('turning it off', () => {
  it('takes the password and a code, and signs the person out everywhere else', async () => {
    const person = await enrolled(api)
    const elsewhere = await another(person)
    const turnOff = (body: object) => person.delete(PATH, body)
    expectRefusal(await turnOff({ password: 'something else', code: person.code() }), 400, 'invalid', {
      password: ['password_wrong'],
    })
    expectRefusal(await turnOff({ password: PASSWORD, code: '000000' }), 400, 'invalid', {
      code: ['second_factor_wrong'],
    })
    expect((await turnOff({ password: PASSWORD, code: person.code() })).status).toBe(204)
    expect([await isAlive(elsewhere), await isAlive(person)]).toEqual([false, true])
    expect((await signInAs(person)).status).toBe(200)
    expect((await person.get(PATH)).body).toMatchObject({ enabled: false, recovery_codes_left: 0 })
    expect(await noticesOf(person.user.id)).toEqual(['second_factor_on', 'second_factor_off'])
    expect(await auditOf('user.second_factor_off', person.user.id)).toHaveLength(1)
    expectRefusal(await turnOff({ password: PASSWORD, code: '123456' }), 409, 'second_factor_off')
  })

  it('is refused to people whose role needs one', async () => {
    const person = await enrolled(api, 'manager')
    api.effects.settings.second_factor_roles = ['manager']
    const credentials = { password: PASSWORD, code: person.code() }
    expectRefusal(await person.delete(PATH, credentials), 403, 'second_factor_mandatory')
    expect((await person.get(PATH)).body).toMatchObject({ enabled: true, required: true })
  })

  it('is possible by a superuser for a person who has lost the phone: everywhere signed out, recorded and notified', async () => {
    const superuser = await api.signedIn('superuser')
    const person = await enrolled(api)
    const reset = (id: number) => superuser.delete(`/api/user/${id}/second-factor/`)
    const isOn = async () =>
      Object((await superuser.get(`/api/user/${person.user.id}/`)).body).has_second_factor
    expect(await isOn()).toBe(true)
    expect((await reset(person.user.id)).status).toBe(204)
    expect(await isOn()).toBe(false)
    expect(await isAlive(person)).toBe(false)
    expect((await signInAs(person)).status).toBe(200)
    expect(await noticesOf(person.user.id)).toEqual(['second_factor_on', 'second_factor_reset'])
    expect(await auditOf('user.second_factor_reset', person.user.id)).toMatchObject([
      { actor: superuser.user.id, object_id: String(person.user.id) },
    ])
    expectRefusal(await reset(person.user.id), 409, 'second_factor_off')
    expectRefusal(await reset(999_999_999), 404, 'not_found')
  })

  it('is not possible by superusers for themselves: that takes the password and a code', async () => {
    const person = await enrolled(api, 'superuser')
    expectRefusal(await person.delete(`/api/user/${person.user.id}/second-factor/`), 403, 'forbidden')
  })

  it('is visible to superusers alone', async () => {
    const person = await enrolled(api, 'manager')
    const own = await person.get(`/api/users/${person.user.id}/`)
    expect(own.body).not.toHaveProperty('has_second_factor')
    const list = await person.get('/api/user/?limit=100')
    expect(JSON.stringify(list.body)).not.toContain('has_second_factor')
  })
})

describe('a role that needs a second factor', () => {
  const open = [
    'GET /api/second-factor/',
    'GET /api/users/identity/',
    'POST /api/second-factor/',
    'POST /api/second-factor/confirm/',
    'POST /api/token/logout/',
  ]

  it('may call nothing before it is set up, except the routes of the setup', async () => {
    api.effects.settings.second_factor_roles = ['superuser']
    const person = await api.signedIn('superuser', { password: PASSWORD })
    const answered: string[] = []
    for (const { method, path, level, facts } of routes) {
      if (level === 'public') continue
      const named = path
        .replaceAll(/:(id|user_id)/g, String(person.user.id))
        .replaceAll(/:\w+/g, randomUUID())
      const who =
        path === '/api/token/logout/' ? await api.signedIn('superuser', { password: PASSWORD }) : person
      for (const address of [named, ...('csv' in facts ? [`${named}?format=csv`] : [])]) {
        const body = facts.streams_form ? new FormData() : {}
        const response = await who.call(method, address, method === 'GET' ? undefined : body)
        if (Object(response.body).code !== 'second_factor_setup_required') answered.push(`${method} ${path}`)
        else expectRefusal(response, 403, 'second_factor_setup_required')
      }
    }
    expect(answered.toSorted()).toEqual(open)
  })

  it('lets its people sign in, says so, and opens everything once it is set up', async () => {
    const person = await api.signedIn('director', { password: PASSWORD })
    const bystander = await api.signedIn('manager')
    const list = () => person.get('/api/gs-template-setting/')
    const identity = async () => Object((await person.get('/api/users/identity/')).body)
    expect((await list()).status).toBe(200)
    api.effects.settings.second_factor_roles = ['director', 'superuser']
    // The setting applies at the next request, also to people who are signed in already.
    expectRefusal(await list(), 403, 'second_factor_setup_required')
    expect((await identity()).second_factor_setup_required).toBe(true)
    expect((await signInAs(person)).status).toBe(200)
    expect((await bystander.get('/api/gs-template-setting/')).status).toBe(200)

    const { body } = await person.post(PATH, { password: PASSWORD })
    expectRefusal(await list(), 403, 'second_factor_setup_required')
    await person.post(`${PATH}confirm/`, { code: codeAt(secretOf(body), api.clock.now) })
    expect((await list()).status).toBe(200)
    expect((await identity()).second_factor_setup_required).toBe(false)
  })

  it('is restricted again when the second factor is reset', async () => {
    api.effects.settings.second_factor_roles = ['staff']
    const person = await enrolled(api)
    const superuser = await api.signedIn('superuser')
    await superuser.delete(`/api/user/${person.user.id}/second-factor/`)
    const again = api.bearing(TokenPair.parse((await signInAs(person)).body).access)
    expectRefusal(await again.get('/api/gs-template-setting/'), 403, 'second_factor_setup_required')
  })
})

describe('the keys that seal secrets', () => {
  it('are rotated without any effect on people, and the old one can be removed', async () => {
    const rotating = await testApi()
    const [old_key, new_key] = [randomBytes(32), randomBytes(32)]
    rotating.effects.vault = createVault([old_key])
    const person = await enrolled(rotating)
    const both = createVault([new_key, old_key])
    expect(await resealSecondFactors(rotating.db, both)).toEqual({ sealed: 1, already: 0, unreadable: [] })
    expect(await resealSecondFactors(rotating.db, both)).toEqual({ sealed: 0, already: 1, unreadable: [] })
    rotating.effects.vault = createVault([new_key])
    expect((await person.signIn(person.code())).status).toBe(200)
    expect(await unreadableSecondFactors(rotating.db, createVault([new_key]))).toEqual([])
  })

  it('that are lost leave recovery codes and a reset, and the affected people are named', async () => {
    const losing = await testApi()
    const person = await enrolled(losing)
    losing.effects.vault = createVault([randomBytes(32)])
    expect(await unreadableSecondFactors(losing.db, losing.effects.vault)).toEqual([person.user.username])
    expect(await resealSecondFactors(losing.db, losing.effects.vault)).toMatchObject({
      sealed: 0,
      unreadable: [person.user.username],
    })
    expectRefusal(await person.signIn(person.code()), 401, 'second_factor_unreadable')
    expectRefusal(await person.post(PATH, { password: PASSWORD, code: person.code() }), 400, 'invalid', {
      code: ['second_factor_unreadable'],
    })
    expect((await person.signIn(person.recovery_codes[0])).status).toBe(200)
  })

  it('open no secret in the row of another person', async () => {
    const [one, other] = [await enrolled(api), await enrolled(api)]
    await api.db
      .updateTable('second_factor')
      .set(eb => ({
        secret: eb.selectFrom('second_factor as own').select('secret').where('own.user_id', '=', one.user.id),
      }))
      .where('user_id', '=', other.user.id)
      .execute()
    expectRefusal(await other.signIn(one.code()), 401, 'second_factor_unreadable')
    await api.db.deleteFrom('second_factor').where('user_id', '=', other.user.id).execute()
  })
})
