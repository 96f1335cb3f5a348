import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { expectRefusal, testApi } from './testing/api.ts'

/** What no client library would send: paths, headers and bodies written by hand. */

// Stands in for the built-in spreadsheet service and records its requests.
const fetched: string[] = []
const service = createServer((request, response) => {
  fetched.push(`${request.method} ${request.url}`)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(service, 'listening')
afterAll(() => service.close())
const address = service.address()
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

const { effects: usual } = await testApi()
const api = await testApi({
  effects: { settings: { ...usual.settings, built_in_sheets: { sheets: origin, drive: origin } } },
})
const a = await api.signedIn('external_user', { email: 'a@aurora.example' })
const b = await api.signedIn('external_user', { email: 'b@borealis.example' })

/** One request, byte for byte; the status and what follows it. */
function send(head: string, body = ''): Promise<{ status: number; text: string }> {
  const { port } = new URL(api.origin)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${head}connection: close\r\n\r\n${body}`),
    )
    socket.on('data', data => (text += String(data)))
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }))
    socket.on('error', reject)
  })
}
const as = (person: { token: string }) => `host: x\r\nauthorization: Bearer ${person.token}\r\n`

describe('a path in an unusual form', () => {
  it('opens nothing of another person, and nothing without a session', async () => {
    const { id } = await b.report({ name: 'Secret of B' })
    const path = `/api/gs-template-setting/${id}/`
    const hostile = [
      path,
      `//api/gs-template-setting/${id}/`,
      `/api//gs-template-setting/${id}/`,
      `/api/./gs-template-setting/${id}/`,
      `/api/x/../gs-template-setting/${id}/`,
      `/api/%2e%2e/api/gs-template-setting/${id}/`,
      `/%61pi/gs-template-setting/${id}/`,
      `/API/gs-template-setting/${id}/`,
      `/api/gs-template-setting/${id}/;a=b`,
      `/api/gs-template-setting/${id};/`,
      `/api/gs-template-setting/${id}%2f`,
      `/api/gs-template-setting/${id}%00/`,
      `/api/gs-template-setting/0${id}/`,
      `/api/gs-template-setting/+${id}/`,
      `/api/gs-template-setting/%EF%BC%91/`,
      `/api/gs-template-setting/${id}/?x=1&x=2`,
      `http://evil.example${path}`,
      `/api/gs-template-setting/${id}#/`,
    ]
    for (const target of hostile) {
      const mine = await send(`GET ${target} HTTP/1.1\r\n${as(a)}`)
      expect([target, mine.text.includes('Secret of B'), mine.status >= 400]).toEqual([target, false, true])
      const nobodys = await send(`GET ${target} HTTP/1.1\r\nhost: x\r\n`)
      expect([target, nobodys.text.includes('Secret of B'), nobodys.status >= 400]).toEqual([
        target,
        false,
        true,
      ])
    }
  })

  it('reaches no path of the spreadsheet service but the one of the route', async () => {
    const id = 'x'.repeat(30)
    for (const hostile of [
      '..',
      '.',
      '%2e%2e',
      '%2e',
      '..%2f..',
      '%2e%2e%2f%2e%2e%2fcontrol',
      'a%2fb',
      '%3fx',
      '%23',
      '%00',
      'anyone%20x',
    ]) {
      const before = fetched.length
      const response = await send(`DELETE /api/sheets/${id}/share/${hostile}/ HTTP/1.1\r\n${as(a)}`)
      expect([hostile, response.status, fetched.slice(before)]).toEqual([hostile, 404, []])
    }
    for (const hostile of ['..%2f..%2fcontrol%2freset', '%2e%2e', `${id}%2fpermissions`, `${id}%3falt=x`])
      for (const path of [
        `/api/sheets/${hostile}/`,
        `/api/sheets/${hostile}/values/?gid=0`,
        `/api/sheets/${hostile}/export/?format=xlsx`,
      ]) {
        const before = fetched.length
        await send(`GET ${path} HTTP/1.1\r\n${as(a)}`)
        expect([path, fetched.slice(before)]).toEqual([path, []])
      }
  })
})

describe('a header', () => {
  it('changes neither the method, nor the path, nor the identity of the caller', async () => {
    const { id } = await b.report({ name: 'Secret of B' })
    const path = `/api/gs-template-setting/${id}/`
    const claims = [
      'x-http-method-override: DELETE',
      'x-method-override: DELETE',
      `x-original-url: ${path}`,
      `x-rewrite-url: ${path}`,
      `x-forwarded-user: ${b.user.username}`,
      `x-user-id: ${b.user.id}`,
      `cookie: access_token=${b.token}`,
      'x-forwarded-for: 127.0.0.1',
    ]
    for (const claim of claims) {
      const response = await send(`POST ${path} HTTP/1.1\r\n${as(a)}${claim}\r\ncontent-length: 0\r\n`)
      expect([claim, response.status]).toEqual([claim, 404])
    }
    expect((await b.get(path)).status).toBe(200)
    // A cookie alone is no session: what another site makes a browser send is anonymous.
    const byCookie = await send(`DELETE ${path} HTTP/1.1\r\nhost: x\r\ncookie: access_token=${b.token}\r\n`)
    expect(byCookie.status).toBe(401)
  })

  it('with two lengths of its body is invalid HTTP', async () => {
    for (const lengths of [
      'content-length: 2\r\ncontent-length: 3',
      'content-length: 2\r\ntransfer-encoding: chunked',
      'transfer-encoding: chunked, identity',
      'content-length: +2',
      'content-length : 2',
    ]) {
      const response = await send(
        `POST /api/token/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${lengths}\r\n`,
        '{}',
      )
      expect([lengths, response.status]).toEqual([lengths, 400])
    }
  })

  it('with another person’s token beside one’s own is anonymous', async () => {
    const twice = `authorization: Bearer ${a.token}, Bearer ${b.token}\r\n`
    expect((await send(`GET /api/users/identity/ HTTP/1.1\r\nhost: x\r\n${twice}`)).status).toBe(401)
    expect((await send(`GET /api/events/?token=${b.token} HTTP/1.1\r\nhost: x\r\n`)).status).toBe(401)
  })
})

describe('a body', () => {
  it('cannot set fields that only others may set', async () => {
    for (const surplus of [
      { identity: 'superuser' },
      { department: 1 },
      { email: 'b@borealis.example' },
      { email_confirmed: true },
      { user_type: 1 },
      { is_active: 1 },
      { username: 'superuser' },
      { id: b.user.id },
      { user_id: b.user.id },
    ]) {
      const response = await a.patch(`/api/users/${a.user.id}/`, { language: 'en', ...surplus })
      expectRefusal(response, 400, 'invalid', { [Object.keys(surplus)[0] ?? '']: ['field_unknown'] })
    }
    for (const surplus of [
      { owner: b.user.id },
      { id: 1 },
      { access: 'owner' },
      { history_extended: true },
      { status: 1 },
      { target_state: 'ok' },
    ])
      expectRefusal(await a.post('/api/gs-template-setting/', { name: 'mine', ...surplus }), 400, 'invalid', {
        [Object.keys(surplus)[0] ?? '']: ['field_unknown'],
      })
  })

  it('with a key twice, a prototype or a deep nest is read plainly or refused', async () => {
    const report = await a.report()
    const call = (body: string) =>
      send(
        `PATCH /api/gs-template-setting/${report.id}/ HTTP/1.1\r\n${as(a)}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`,
        body,
      )
    for (const body of [
      '{"version":1,"__proto__":{"owner":1}}',
      '{"version":1,"constructor":{"prototype":{"x":1}}}',
      '{"version":1,"\\u005f_proto__":{"x":1}}',
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      '[{"version":1}]',
      '"version"',
      'null',
      '1e999',
      '\ufeff{}x',
    ])
      expect([body.slice(0, 40), (await call(body)).status]).toEqual([body.slice(0, 40), 400])
    expect((await call('{"version":1,"name":"one","name":"two"}')).text).toContain('"name":"two"')
    expect(Object.hasOwn(Object.prototype, 'owner')).toBe(false)
  })
})

describe('a user name', () => {
  it('that looks like another one is a different one', async () => {
    const superuser = await api.signedIn('superuser')
    await api.signedIn('staff', { username: 'mika', password: 'the right password' })
    const signIn = (username: string) =>
      api.anonymous.post('/api/token/', { username, password: 'the right password' })
    expect((await signIn('mika')).status).toBe(200)
    for (const hostile of [
      'mіka',
      'ｍｉｋａ',
      'mika\u200b',
      'mi\u00adka',
      'mıka',
      'mika\u0000',
      "mika'--",
      'mika%',
      '%',
      '_ika',
    ])
      expect([hostile, (await signIn(hostile)).status === 200]).toEqual([hostile, false])
    const account = { username: 'MIKA', full_name: 'Mika', identity: 'external_user' }
    const taken = await superuser.post('/api/user/', account)
    expectRefusal(taken, 400, 'invalid', { username: ['name_taken'] })
  })
})

describe('many at once', () => {
  it('that never finish their requests hold up no other client', async () => {
    const { port } = new URL(api.origin)
    const slow = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        if (at % 2)
          socket.write(
            'POST /api/token/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
          )
        return socket
      }),
    )
    const responses = await Promise.all(Array.from({ length: 20 }, () => a.get('/api/users/identity/')))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    for (const socket of slow) socket.destroy()
  })

  it('searches with the worst patterns take no longer than other searches', async () => {
    for (const search of [
      '%'.repeat(150),
      '_%'.repeat(75),
      '\\'.repeat(99),
      '('.repeat(150),
      'a'.repeat(150),
      '.*'.repeat(70),
    ])
      for (const list of ['gs-template-setting', 'ad/account', 'user'])
        expect((await a.get(`/api/${list}/?search=${encodeURIComponent(search)}`)).status).toBeLessThan(500)
  })
})
