import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { routes } from '#server/app.ts'
import { sendBytes } from './testing/bytes.ts'
import { DATA_POLICY, PAGE_POLICY, securityHeaders, WORKER_POLICY } from './headers.ts'
import { refuse } from './refusal.ts'
import { route } from './route.ts'
import { REQUEST_MS } from './server.ts'
import { testApi } from './testing/api.ts'

const web_dir = mkdtempSync(join(inject('test_folder'), 'web-'))
mkdirSync(join(web_dir, 'assets'))
writeFileSync(join(web_dir, 'index.html'), '<!doctype html><html lang="en"><head></head></html>')
writeFileSync(
  join(web_dir, 'pages.json'),
  JSON.stringify({
    first_paint: '/assets/first-paint.js',
    parts: {},
    pages: { '*': { style: null, en: [], 'zh-TW': [] } },
  }),
)
writeFileSync(join(web_dir, 'assets', 'main-Ab3dEf9h.js'), 'export {}')
writeFileSync(join(web_dir, 'assets', 'hash-worker-Ab3dEf9h.js'), 'export {}')
writeFileSync(join(web_dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

const refusing = (['rate_limited', 'overloaded', 'conflict', 'internal_error'] as const).map(code =>
  route('GET', `/api/test/${code}/`, {
    summary: 'Refuses.',
    level: 'public',
    transaction: 'own',
    async run() {
      throw refuse(code)
    },
  }),
)
const silent = route('GET', '/api/test/nothing/', {
  summary: 'Has nothing to say.',
  level: 'public',
  transaction: 'own',
  run: async () => {},
})
const hosts = { names: new Set(['localhost', '127.0.0.1']), open_paths: [] }
const api = await testApi({ routes: [...routes, ...refusing, silent], web_dir, hosts })
/** The same with short timeouts: what never ends is ended soon. */
const hasty = await testApi({ hosts, request_ms: 300 })
const superuser = await api.signedIn('superuser')
const client = await api.signedIn('external_user')
const inHaste = await hasty.signedIn('external_user')

const as = ({ token }: { token: string }) => `authorization: Bearer ${token}\r\n`
const JSON_BODY = 'content-type: application/json\r\n'
const request = (line: string, headers = '', body = '') =>
  `${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}${body && `content-length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`

/** One of every class: the request, its bytes, the status, and its policy when it is no data. */
const classes: [what: string, bytes: string, status: number, policy?: string][] = [
  ['the page', request('GET /', 'accept: text/html\r\n'), 200, PAGE_POLICY],
  ['the page’s head', request('HEAD /gs-template', 'accept: text/html\r\n'), 200, PAGE_POLICY],
  ['a file', request('GET /assets/main-Ab3dEf9h.js'), 200],
  ['a thread of a page', request('GET /assets/hash-worker-Ab3dEf9h.js'), 200, WORKER_POLICY],
  ['an image', request('GET /icon.svg'), 200],
  [
    'a file that has not changed',
    request('GET /icon.svg', 'if-modified-since: Fri, 01 Jan 2100 00:00:00 GMT\r\n'),
    304,
  ],
  ['a range of a file', request('GET /icon.svg', 'range: bytes=0-3\r\n'), 200],
  ['a range beyond a file', request('GET /icon.svg', 'range: bytes=9999-\r\n'), 200],
  ['a file that must not have changed', request('GET /icon.svg', 'if-match: "x"\r\n'), 400],
  ['a file that does not exist', request('GET /gone.js'), 404],
  [
    'the documentation',
    request('GET /api/docs'),
    200,
    expect.stringMatching(
      /^default-src 'none'; .*style-src 'sha256-[^']+'; require-trusted-types-for 'script'$/,
    ),
  ],
  ['the schema', request('GET /api/schema.json'), 200],
  ['health', request('GET /healthz'), 200],
  ['readiness', request('GET /readyz'), 200],
  ['metrics', request('GET /metrics'), 200],
  ['data', request('GET /api/users/identity/', as(superuser)), 200],
  [
    'something made',
    request('POST /api/gs-template-folder/', as(superuser) + JSON_BODY, '{"name":"Made"}'),
    201,
  ],
  ['nothing to say', request('GET /api/test/nothing/'), 204],
  ['a list as CSV', request('GET /api/audit/?format=csv', as(superuser)), 200],
  [
    'a report as YAML',
    request(`GET /api/gs-template-setting/export/?ids=${(await client.report()).id}`, as(client)),
    200,
  ],
  ['an invalid JSON body', request('POST /api/token/', JSON_BODY, '{'), 400],
  ['an invalid field', request('POST /api/token/', JSON_BODY, '{"a":1}'), 400],
  ['an invalid address', request('GET /api/%zz'), 400],
  ['nobody', request('GET /api/users/identity/'), 401],
  ['an insufficient role', request('GET /api/audit/', as(client)), 403],
  ['a route that does not exist', request('GET /api/nothing/'), 404],
  ['a method that a route does not have', request('PUT /api/token/'), 404],
  ['an unknown method', request('PROPFIND /api/token/'), 404],
  [
    'options',
    request('OPTIONS /api/token/', 'origin: https://evil.example\r\naccess-control-request-method: POST\r\n'),
    404,
  ],
  ['trace', request('TRACE /api/token/'), 404],
  ['a conflict', request('GET /api/test/conflict/'), 409],
  ['a body that is too large', request('POST /api/token/', JSON_BODY, `"${'x'.repeat(1024 * 1024)}"`), 413],
  [
    'a body above the limit of public routes',
    request('POST /api/token/', JSON_BODY, `{"username":"${'x'.repeat(16 * 1024)}"}`),
    413,
  ],
  ['another content type', request('POST /api/token/', 'content-type: text/xml\r\n', '<a/>'), 415],
  [
    'a form where none is accepted',
    request('POST /api/token/', 'content-type: multipart/form-data; boundary=x\r\n', '--x--'),
    415,
  ],
  [
    'a form where none is accepted, in capitals',
    request('POST /api/token/', 'content-type: Multipart/Form-Data; boundary=x\r\n', '--x--'),
    415,
  ],
  ['another host', request('GET /').replace('localhost', 'evil.example'), 421],
  ['another host and an invalid address', request('GET /%zz').replace('localhost', 'evil.example'), 421],
  ['too many requests', request('GET /api/test/rate_limited/'), 429],
  ['a failure', request('GET /api/test/internal_error/'), 500],
  ['an overloaded server', request('GET /api/test/overloaded/'), 503],
  // What Node responds by itself unless it is configured otherwise.
  ['no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['two hosts', request('GET /', 'host: localhost\r\n'), 400],
  ['an invalid length', request('POST /api/token/', 'content-length: x\r\n'), 400],
  ['two lengths', request('POST /api/token/', 'content-length: 1\r\ntransfer-encoding: chunked\r\n'), 400],
  [
    'an invalid chunk',
    request('POST /api/token/', `${JSON_BODY}transfer-encoding: chunked\r\n`) + 'zz\r\n',
    400,
  ],
  ['a request that does not end', 'GET / HTTP/1.1\r\nhost: localhost\r\n', 408],
  ['a body that does not end', request('POST /api/token/', `${JSON_BODY}content-length: 99\r\n`), 408],
  ['an expectation', request('GET /healthz', 'expect: nonsense\r\n'), 417],
  ['headers that are too large', request('GET /', `x: ${'x'.repeat(100_000)}\r\n`), 431],
]

describe('the headers of every class of responses', () => {
  it.each(classes)('protect %s', async (_, bytes, status, policy) => {
    const response = await sendBytes(status === 408 ? hasty.origin : api.origin, bytes)
    expect(response, response.body.slice(0, 300)).toMatchObject({ status, headers: securityHeaders })
    expect(response.headers).toMatchObject({
      'content-security-policy': policy ?? DATA_POLICY,
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'cache-control': expect.stringMatching(/^(no-store|no-cache|public, max-age=31536000, immutable)$/),
    })
    expect(Object.keys(response.headers)).not.toEqual(
      expect.arrayContaining(['server', 'x-powered-by', 'access-control-allow-origin']),
    )
    if (status < 400 || bytes.startsWith('HEAD')) return
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(JSON.parse(response.body)).toMatchObject({ status })
  })

  it('protect live events', async () => {
    const response = await fetch(`${api.origin.replace('127.0.0.1', 'localhost')}/api/events/`, {
      headers: { authorization: `Bearer ${client.token}`, accept: 'text/event-stream' },
    })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...securityHeaders,
      'content-security-policy': DATA_POLICY,
    })
    await response.body?.cancel()
  })

  it('tell no site, not even this one, the address that a platform sends a person back to', async () => {
    const page = async (path: string) =>
      (await sendBytes(api.origin, request(`GET ${path}`, 'accept: text/html\r\n'))).headers
    const policy = 'referrer-policy'
    expect((await page('/oauth/callback?code=x&state=y'))[policy]).toBe('no-referrer')
    expect((await page('/oauth/other?code=x'))[policy]).toBe('same-origin')
  })

  it('have a policy without unsafe sources, with Trusted Types on pages', () => {
    expect(PAGE_POLICY + DATA_POLICY).not.toContain('unsafe-')
    expect(PAGE_POLICY).toContain("require-trusted-types-for 'script'")
    expect(PAGE_POLICY).toContain("frame-ancestors 'none'")
  })

  it('let the thread that reads lists of people connect nowhere and load nothing', () => {
    expect(WORKER_POLICY).toBe(
      "default-src 'none'; script-src 'wasm-unsafe-eval'; base-uri 'none'; frame-ancestors 'none'",
    )
  })
})

describe('a body that trickles in', () => {
  // Each sends a byte now and then, so that only the time limit of the whole request can end it.
  it.each([
    ['of a sign-in', `POST /api/token/ HTTP/1.1\r\nhost: localhost\r\n${JSON_BODY}`],
    [
      'of a signed-in person',
      `POST /api/gs-template-folder/ HTTP/1.1\r\nhost: localhost\r\n${as(inHaste)}${JSON_BODY}`,
    ],
    ['in chunks', `POST /api/gs-template-folder/ HTTP/1.1\r\nhost: localhost\r\n${as(inHaste)}${JSON_BODY}`],
    [
      'of a form with an image',
      `POST /api/support/issues/ HTTP/1.1\r\nhost: localhost\r\n${as(inHaste)}content-type: multipart/form-data; boundary=x\r\n`,
    ],
    [
      'of a report file',
      `POST /api/gs-template-setting/import/ HTTP/1.1\r\nhost: localhost\r\n${as(inHaste)}content-type: application/yaml\r\n`,
    ],
  ])('is ended with 408: %s', async (what, head) => {
    const isChunked = what === 'in chunks'
    const response = await trickled(
      head + (isChunked ? 'transfer-encoding: chunked\r\n' : 'content-length: 10000\r\n'),
      isChunked ? '1\r\n \r\n' : ' ',
    )
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    expect(response).toContain('application/problem+json')
  })

  it('is ended although it has been refused already', async () => {
    const head = `POST /api/gs-template-folder/ HTTP/1.1\r\nhost: localhost\r\n${JSON_BODY}content-length: 100000\r\n`
    expect(await trickled(head, ' ')).toMatch(/^HTTP\/1\.1 (401|408) /)
  })

  it('has 30 seconds by default, and a file ten minutes', async () => {
    const { app } = await testApi()
    expect(REQUEST_MS).toBe(30_000)
    expect(app.server.headersTimeout).toBe(30_000)
    expect(app.server.requestTimeout).toBe(600_000)
  })
})

/** Goes on until the connection is ended by the server. */
function trickled(head: string, bit: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  let timer: NodeJS.Timeout | undefined
  const socket = connect(Number(new URL(hasty.origin).port), '127.0.0.1', () => {
    socket.write(`${head}\r\n`)
    timer = setInterval(() => socket.write(bit), 20)
  })
  socket.on('data', data => (text += String(data)))
  // The server has closed the connection while a byte was on its way.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(timer)
    resolve(text)
  })
  return promise
}
