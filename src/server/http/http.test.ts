import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { routes } from '#server/app.ts'
import { createTestDatabase } from '#server/db/testing/database.ts'
import { connect as connectDatabase } from '#server/db/connect.ts'
import { refuse } from './refusal.ts'
import { route } from './route.ts'
import { createServer } from './server.ts'
import { callerOf, expectRefusal, testApi, type ApiResponse } from './testing/api.ts'

const failing = route('POST', '/api/test/fail/', {
  summary: 'Fails after it has written.',
  level: 'public',
  body: z.strictObject({ how: z.enum(['refuse', 'throw', 'wrong reply']), name: z.string() }),
  reply: z.object({ id: z.number() }),
  async run({ body: { how, name }, db }) {
    await db.insertInto('advertiser').values({ name }).execute()
    if (how === 'refuse') throw refuse('conflict', { extra: { newer: 1 } })
    if (how === 'throw') throw new Error('a secret that must not leave: hunter2')
    return { id: Number.NaN }
  },
})

const web_dir = mkdtempSync(join(inject('test_folder'), 'web-'))
mkdirSync(join(web_dir, 'assets'))
writeFileSync(
  join(web_dir, 'index.html'),
  '<!doctype html><html lang="en"><head><title>Sheetcast</title></head></html>',
)
const filesOf = (name: string) => ({
  style: `/assets/page-${name}.css`,
  en: [`/assets/${name}-Ab3dEf9h.css`, `/assets/${name}-Ab3dEf9h.js`],
  'zh-TW': [`/assets/${name}-zh-TW-Ab3dEf9h.js`],
})
writeFileSync(
  join(web_dir, 'pages.json'),
  JSON.stringify({
    first_paint: '/assets/first-paint.js',
    parts: {},
    pages: {
      '/': filesOf('overview'),
      '/gs-template': filesOf('list'),
      '/customer/$id/edit': filesOf('customer'),
      '/sign-in': filesOf('sign-in'),
      '*': filesOf('any'),
    },
  }),
)
writeFileSync(join(web_dir, 'assets', 'main-Ab3dEf9h.js'), 'export {}')
writeFileSync(join(web_dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

const api = await testApi({ routes: [...routes, failing], web_dir })
const { anonymous } = api
const raw = (path: string, init: RequestInit = {}) => fetch(api.origin + path, init)

describe('every response', () => {
  /** One of each class: page, file, data, refusals of every origin, health. */
  const paths = [
    '/',
    '/gs-template?p=3',
    '/assets/main-Ab3dEf9h.js',
    '/icon.svg',
    '/healthz',
    '/readyz',
    '/metrics',
  ]
  const more = [
    '/api/schema.json',
    '/api/docs',
    '/api/token/',
    '/api/nothing/',
    '/api/users/identity/',
    '/api/%zz',
    '/x.php',
  ]

  it.each([...paths, ...more])('carries the security headers and an id: %s', async path => {
    const { headers } = await raw(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-')
  })

  it('is not cached when it is data, and forbids markup from text when it is a page', async () => {
    expect((await raw('/api/token/')).headers.get('cache-control')).toBe('no-store')
    const { get } = await api.signedIn('staff')
    expect((await get('/api/users/identity/')).headers.get('cache-control')).toBe('no-store')
    expect((await raw('/')).headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script'",
    )
  })

  it('has an id of its own, which a client cannot choose', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () =>
        (await raw('/healthz', { headers: { 'x-request-id': 'mine' } })).headers.get('x-request-id'),
      ),
    )
    expect(new Set([...ids, 'mine']).size).toBe(3)
  })
})

describe('a path', () => {
  it('responds the same without its last slash, without a redirect', async () => {
    const { get } = await api.signedIn('staff')
    const [one, other] = [await get('/api/department/'), await get('/api/department')]
    expect(other).toMatchObject({ status: 200, body: one.body })
    expect((await get('/users/identity')).status).toBe(200)
  })

  it('of the API that does not exist is a 404 for everybody and every method', async () => {
    for (const response of [
      await anonymous.get('/api/nothing/'),
      await anonymous.post('/api/'),
      await anonymous.call('PUT', '/api/token/'),
      await anonymous.get('/api/token/'),
    ])
      expectRefusal(response, 404, 'not_found')
    const { get } = await api.signedIn('staff')
    for (const id of ['abc', '0', '-1', '1.5', '9'.repeat(30), '%00', '1%2F2'])
      expectRefusal(await get(`/api/gs-template-setting/${id}/`), 404, 'not_found')
  })
})

describe('a body', () => {
  const send = async (body: string | null, headers: Record<string, string>): Promise<ApiResponse> => {
    const response = await raw('/api/token/', { method: 'POST', body, headers })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const json = { 'content-type': 'application/json' }

  it('is JSON, of at most 1 MiB', async () => {
    expectRefusal(await send('{"username":', json), 400, 'invalid')
    expectRefusal(await send('{"__proto__": {"a": 1}}', json), 400, 'invalid')
    const surplus = await send('{"username":"a","password":"b","toString":"c"}', json)
    expect(JSON.stringify(surplus.body)).toContain('"codes":{"toString":["field_unknown"]}')
    expectRefusal(
      await send('username=a', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    )
    expectRefusal(await send('<a/>', { 'content-type': 'text/xml' }), 415, 'unsupported_media_type')
    expectRefusal(
      await send(JSON.stringify({ username: 'a'.repeat(1024 * 1024) }), json),
      413,
      'payload_too_large',
    )
  })

  it('holds no text that a database cannot keep', async () => {
    const named = (name: string) => send(`{"username":"${name}","password":"x"}`, json)
    for (const name of ['a\\u0000', '\\ud800', 'x\\uDFFFy', '\\\\\\u0000'])
      expectRefusal(await named(name), 400, 'invalid')
    for (const name of ['\\ud83d\\ude00', '\\\\u0000', '😀'])
      expectRefusal(await named(name), 401, 'unauthenticated')
  })

  it('may be missing, which is the same as an empty one', async () => {
    const missing = { username: ['field_required'], password: ['field_required'] } as const
    expectRefusal(await send(null, json), 400, 'invalid', missing)
    expectRefusal(await send('', json), 400, 'invalid', missing)
    expectRefusal(await send('{}', json), 400, 'invalid', missing)
  })

  it('is not read for anonymous requests', async () => {
    const body = 'x'.repeat(2 * 1024 * 1024)
    const response = await raw('/api/gs-template-setting/', { method: 'POST', body, headers: json })
    expect(response.status).toBe(401)
  })

  it('keeps a field from hiding the members of the problem', async () => {
    const { get } = await api.signedIn('staff')
    const response = await get('/api/gs-template-setting/?status=nonsense')
    expect(response.body).toMatchObject({
      status: 400,
      code: 'invalid',
      codes: { status: ['field_invalid'] },
    })
  })
})

describe('a request', () => {
  const advertiser = (name: string) =>
    api.db.selectFrom('advertiser').select('id').where('name', '=', name).executeTakeFirst()

  it('is one transaction, which a refusal undoes', async () => {
    const response = await anonymous.post('/api/test/fail/', { how: 'refuse', name: 'refused' })
    expectRefusal(response, 409, 'conflict')
    expect(response.body).toMatchObject({ newer: 1 })
    expect(await advertiser('refused')).toBeUndefined()
  })

  it('that fails unexpectedly reveals only its request id', async () => {
    for (const how of ['throw', 'wrong reply']) {
      const response = await anonymous.post('/api/test/fail/', { how, name: how })
      expectRefusal(response, 500, 'internal_error')
      expect(JSON.stringify(response.body)).not.toMatch(/secret|hunter2|NaN|at .*\.ts/)
      expect(response.body).toMatchObject({ request_id: response.headers.get('x-request-id') })
    }
    expect(await advertiser('throw')).toBeUndefined()
  })

  it('that is no HTTP gets a 400 and the connection is closed', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      '\u0000\u0001\r\n\r\n',
    ]) {
      const text = await sendBytes(bytes)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('x-content-type-options: nosniff')
      expect(text).toContain('application/problem+json')
    }
    expect(await sendBytes(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })
})

function sendBytes(bytes: string): Promise<string> {
  const { port } = new URL(api.origin)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', data => (text += String(data)))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('the web part', () => {
  it('is cached for ever where the name carries a hash, and revalidated elsewhere', async () => {
    expect((await raw('/assets/main-Ab3dEf9h.js')).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    )
    expect((await raw('/icon.svg')).headers.get('cache-control')).toBe('no-cache')
    const page = await raw('/gs-template/template?id=3')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(await page.text()).toContain('Sheetcast')
  })

  it('preloads the files of an address, in the language used last in this browser', async () => {
    const page = async (path: string, cookie = '') =>
      await (await raw(path, { headers: { accept: 'text/html', cookie } })).text()
    const signed_in = 'access_token=a; refresh_token_exp=1'
    for (const [path, cookie, name] of [
      ['/gs-template?p=3', signed_in, 'list'],
      ['/gs-template/', signed_in, 'list'],
      ['/', 'refresh_token_exp=1', 'overview'],
      ['/sheets/abc', signed_in, 'any'],
      ['/customer/7/edit', signed_in, 'customer'],
      ['/customer//edit', signed_in, 'any'],
      ['/customer/7', signed_in, 'any'],
      ['/sign-in', signed_in, 'sign-in'],
      // A visitor who is not signed in is about to be.
      ['/gs-template', '', 'sign-in'],
    ] as const) {
      const english = await page(path, cookie)
      expect(english).toContain(
        `<link rel="stylesheet" crossorigin href="/assets/page-${name}.css" data-has="/assets/${name}-Ab3dEf9h.css"><link rel="modulepreload" crossorigin href="/assets/${name}-Ab3dEf9h.js"></head>`,
      )
      const chinese = await page(path, `${cookie}; language=zh-TW`)
      expect(chinese).toContain('<html lang="zh-Hant-TW">')
      expect(chinese).toContain(`href="/assets/${name}-zh-TW-Ab3dEf9h.js"></head>`)
    }
    expect((await raw('/', { headers: { accept: 'text/html' } })).headers.get('vary')).toContain('cookie')
    expect((await raw('/pages.json')).status).toBe(404)
  })

  it('is never served in place of a file or of data', async () => {
    for (const path of [
      '/assets/gone-Ab3dEf9h.js',
      '/gone.js',
      '/api/gone',
      '/users/x',
      '/../../package.json',
      '/%2e%2e/package.json',
    ])
      expect([path, (await raw(path)).headers.get('content-type')]).toEqual([
        path,
        expect.stringContaining('problem+json'),
      ])
    expect((await raw('/', { headers: { accept: 'application/json' } })).status).toBe(404)
  })
})

describe('the documentation', () => {
  it('is OpenAPI 3.1 of every route', async () => {
    const { openapi, paths } = z
      .object({
        openapi: z.string(),
        paths: z.record(z.string(), z.record(z.string(), z.looseObject({ summary: z.string() }))),
      })
      .parse((await anonymous.get('/api/schema.json')).body)
    expect(openapi).toBe('3.1.0')
    for (const { method, path } of routes)
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()], path).toBeDefined()
    expect(paths['/api/file/']?.['post']).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
          },
        },
      },
    })
  })

  it('is a page without script', async () => {
    const { body, headers } = await anonymous.get('/api/docs')
    expect(headers.get('content-type')).toContain('text/html')
    expect(body).toContain('/api/gs-template-setting/')
    expect(body).not.toMatch(/<script/i)
  })
})

describe('health', () => {
  it('is served to everybody, metrics to this machine', async () => {
    await anonymous.get('/api/department/')
    expect(await anonymous.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await anonymous.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const { body } = await anonymous.get('/metrics')
    expect(body).toContain(
      'sheetcast_http_requests_total{method="GET",route="/api/department/",status="401"}',
    )
    expectRefusal(
      await anonymous.get('/metrics', { headers: { 'x-forwarded-for': '203.0.113.1' } }),
      404,
      'not_found',
    )
  })
})

describe('while the database is away', () => {
  it('responds 503 with Retry-After, stays alive, and goes on when it is back', async () => {
    const { url, drop } = await createTestDatabase({ template: 'sheetcast_template' })
    const name = new URL(url).pathname.slice(1)
    const database = await connectDatabase(url, { command: 'test', pool_size: 2 })
    const app = await createServer({
      db: database.db,
      effects: api.effects,
      routes,
      checks: { database: async () => (await database.pool.query('select 1')).rowCount === 1 },
      now: () => new Date(),
      log: false,
      web_dir: null,
      max_event_loop_delay_ms: 0,
    })
    const caller = callerOf(await app.listen({ host: '127.0.0.1', port: 0 }), {})
    const signIn = () => caller.post('/api/token/', { username: 'nobody', password: 'x' })
    try {
      expectRefusal(await signIn(), 401, 'unauthenticated')
      await api.pool.query(`alter database ${name} with allow_connections false`)
      await api.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        name,
      ])
      const response = await signIn()
      expectRefusal(response, 503, 'overloaded')
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await caller.get('/readyz')).status).toBe(503)
      expect((await caller.get('/healthz')).status).toBe(200)
      await api.pool.query(`alter database ${name} with allow_connections true`)
      expectRefusal(await signIn(), 401, 'unauthenticated')
      expect((await caller.get('/readyz')).status).toBe(200)
    } finally {
      await app.close()
      await database.close()
      await drop()
    }
  })
})

describe('the address of a client', () => {
  it('comes from the trusted proxies, never from the client', async () => {
    const addressesAt = async (trust_proxy: number) => {
      const { anonymous: caller, db } = await testApi({ trust_proxy })
      const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
      await caller.post('/api/token/', { username: 'nobody', password: 'x' }, { headers })
      return await db.selectFrom('sign_in_failure').select('address').execute()
    }
    expect(await addressesAt(0)).toEqual([{ address: '127.0.0.1' }])
    expect(await addressesAt(1)).toEqual([{ address: '203.0.113.7' }])
  })
})

describe('a server that is shutting down', () => {
  it('finishes requests in progress and closes keep-alive connections', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = route('GET', '/api/test/slow/', {
      summary: 'Waits.',
      level: 'public',
      transaction: 'own',
      reply: z.string(),
      run: () => gate.promise.then(() => 'done'),
    })
    const { app, anonymous: caller } = await testApi({ routes: [slow] })
    const arrived = new Promise(resolve => app.server.once('request', resolve))
    const response = caller.get('/api/test/slow/')
    await arrived
    const closed = app.close()
    gate.resolve()
    expect(await response).toMatchObject({ status: 200, body: 'done' })
    await closed
  })
})

describe('an overloaded server', () => {
  it('sheds requests with Retry-After, but never its health', async () => {
    const app = await createServer({
      db: api.db,
      effects: api.effects,
      routes,
      checks: {},
      now: () => new Date(),
      log: false,
      web_dir: null,
      // Any delay at all is too much.
      max_event_loop_delay_ms: 0.001,
    })
    afterAll(() => app.close())
    const caller = callerOf(await app.listen({ host: '127.0.0.1', port: 0 }), {})
    await expect.poll(async () => (await caller.get('/api/department/')).status).toBe(503)
    const shed = await caller.get('/api/department/')
    expectRefusal(shed, 503, 'overloaded')
    expect(Number(shed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await caller.get('/healthz')).status).toBe(200)
  })
})
