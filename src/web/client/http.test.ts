import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, queryText } from './http.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'

describe('the client', () => {
  it('carries the access token and parses the response', async () => {
    const { client } = signedIn({ token: 'good' })
    expect(await client.get('/api/thing/')).toEqual({ method: 'GET', authorization: 'Bearer good', body: '' })
  })

  it('sends a body as JSON', async () => {
    const { client } = signedIn({ token: 'good' })
    expect(await client.patch('/api/thing/', { body: { name: '名稱' } })).toMatchObject({
      body: '{"name":"名稱"}',
    })
  })

  it('keeps a request alive when the page is left only when requested', async () => {
    const { client, keepalives } = signedIn({ token: 'good' })
    await client.patch('/api/thing/', { keepalive: true })
    await client.patch('/api/thing/')
    expect(keepalives).toEqual([true, false])
  })

  it('sends within the call when there is a token, before anything else runs', async () => {
    const { client, sent } = signedIn({ token: 'good' })
    const response = client.get('/api/thing/')
    expect(sent).toEqual(['/api/thing/'])
    await response
  })

  it('renews once after a 401 and tries once more', async () => {
    const { client, calls } = signedIn({ token: 'old', fresh: 'good' })
    expect(await client.get('/api/thing/')).toMatchObject({ authorization: 'Bearer good' })
    expect(calls).toEqual(['renew'])
  })

  it('passes the refusal on when the renewal fails', async () => {
    const { client, calls } = signedIn({ token: 'old', fresh: null })
    await expect(client.get('/api/thing/')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(calls).toEqual(['renew'])
  })

  it('ends the session when a fresh token is refused too', async () => {
    const { client, calls } = signedIn({ token: 'old', fresh: 'also old' })
    await expect(client.get('/api/thing/')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(calls).toEqual(['renew', 'end'])
  })

  it('ends the session at once when the refresh token is over', async () => {
    const { client, calls } = signedIn({ token: 'old', renewable: false })
    await expect(client.get('/api/thing/')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(calls).toEqual(['end'])
  })

  it('sends nothing without a token', async () => {
    const { client, sent } = signedIn({ token: null })
    await expect(client.get('/api/thing/')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(sent).toEqual([])
  })

  it('reads codes by field, the request and the wait from a problem', async () => {
    const { client } = signedIn({ token: 'good' })
    const problem = await client.post('/api/refused/').catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      code: 'invalid',
      status: 400,
      fields: { name: ['folder_name'] },
      request_id: 'r1',
      retry_after_ms: 3000,
    })
  })

  it('repeats a rate-limited read once when the server allows it, and reports a second refusal', async () => {
    const { client, sent, pauses } = signedIn({ token: 'good' })
    expect(await client.get('/busy/once')).toMatchObject({ method: 'GET' })
    expect(pauses).toEqual([2000])
    expect(sent).toEqual(['/busy/once', '/busy/once'])
    await expect(client.get('/busy/always')).rejects.toMatchObject({
      code: 'rate_limited',
      retry_after_ms: 2000,
    })
    expect(pauses).toEqual([2000, 2000])
  })

  it('does not wait for long, and never sends a change twice', async () => {
    const { client, sent, pauses } = signedIn({ token: 'good' })
    await expect(client.get('/busy/long')).rejects.toMatchObject({ retry_after_ms: 60_000 })
    await expect(client.post('/busy/always')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(sent).toHaveLength(2)
    expect(pauses).toEqual([])
  })

  it('reports a gateway error as unreachable, and HTML instead of JSON as unreadable', async () => {
    const { client } = signedIn({ token: 'good' })
    await expect(client.get('/gateway')).rejects.toMatchObject({ code: 'unreachable' })
    await expect(client.get('/portal')).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('reports a response that breaks off as unreachable, whatever its status', async () => {
    const { client } = signedIn({ token: 'good' })
    await expect(client.get('/broken/200')).rejects.toMatchObject({ code: 'unreachable' })
    await expect(client.get('/broken/500')).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('says whether the server could be reached', async () => {
    const { client, reached } = signedIn({ token: 'good', away: true })
    await expect(client.get('/api/thing/')).rejects.toMatchObject({ code: 'unreachable' })
    expect(reached).toEqual([false])
  })
})

describe('queryText', () => {
  it('leaves out what is empty and escapes the rest', () => {
    expect(queryText({ search: '', folder: null, p: 0, ids: '1,2', name: 'a&b 名' })).toBe(
      '?p=0&ids=1%2C2&name=a%26b+%E5%90%8D',
    )
    expect(queryText({})).toBe('')
  })
})

/** So many more refusals of `/busy/once`. */
let busy = 1

/** A server of its own: any token but `good` is refused. */
const server = createServer(async (request, response) => {
  const body = await textOf(request)
  const respond = (status: number, content: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, headers).end(typeof content === 'string' ? content : JSON.stringify(content))
  if (request.url === '/gateway') return respond(502, '<h1>Bad gateway</h1>')
  if (request.url === '/portal') return respond(200, '<h1>Please accept our terms</h1>')
  if (request.url?.startsWith('/broken/')) {
    response.writeHead(Number(request.url.slice(-3)), { 'content-length': '100' }).write('{"access":')
    // Once the beginning has arrived.
    return setImmediate(() => response.destroy())
  }
  if (request.headers.authorization !== 'Bearer good') return respond(401, { code: 'unauthenticated' })
  if (request.url === '/busy/long') return respond(429, { code: 'rate_limited' }, { 'retry-after': '60' })
  if (request.url === '/busy/always' || (request.url === '/busy/once' && busy-- > 0))
    return respond(429, { code: 'rate_limited' }, { 'retry-after': '2' })
  if (request.url === '/api/refused/')
    return respond(
      400,
      { code: 'invalid', codes: { name: ['folder_name'] }, request_id: 'r1' },
      { 'retry-after': '3' },
    )
  return respond(200, { method: request.method, authorization: request.headers.authorization, body })
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => new Promise(resolve => server.close(resolve)))

async function textOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

interface Situation {
  token: string | null
  fresh?: string | null
  renewable?: boolean
  away?: boolean
}

function signedIn({ token, fresh = null, renewable = true, away = false }: Situation) {
  const calls: string[] = []
  const sent: string[] = []
  const keepalives: unknown[] = []
  const reached: boolean[] = []
  const pauses: number[] = []
  const session: Pick<Session, 'token' | 'renew' | 'isRenewable' | 'end'> = {
    token: () => token ?? Promise.resolve(null),
    isRenewable: () => renewable,
    renew: async () => {
      calls.push('renew')
      return fresh
    },
    end: () => calls.push('end'),
  }
  const client = createClient({
    fetch: (path, init) => {
      sent.push(path)
      keepalives.push(init.keepalive)
      return fetch((away ? 'http://127.0.0.1:1' : origin) + path, init)
    },
    session,
    reachable: reach => reached.push(reach),
    pause: async ms => void pauses.push(ms),
  })
  return { client, calls, sent, keepalives, reached, pauses }
}
