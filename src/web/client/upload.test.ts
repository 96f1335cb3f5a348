// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { createClient } from './http.ts'
import { fetchWithProgress } from './upload.ts'

/** What a browser has for requests, as far as an upload uses it; a test says what the server does. */
class FakeRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly headers = new Map<string, string>()
  status = 0
  responseText = ''
  sent: unknown = null
  line = ''

  open(method: string, path: string) {
    this.line = `${method} ${path}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value)
  }
  getAllResponseHeaders() {
    return 'content-type: application/json\r\nretry-after: 3\r\n'
  }
  send(body: unknown) {
    this.sent = body
  }
  abort() {
    this.end('abort')
  }

  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  }
  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.end('load')
  }
  end(event: 'load' | 'error' | 'abort') {
    this.dispatchEvent(new Event(event))
    this.dispatchEvent(new Event('loadend'))
  }
}

/** An upload whose server is the test; the token is renewed once when it is refused. */
function begun(signal = new AbortController().signal) {
  const requests: FakeRequest[] = []
  const shares: number[] = []
  let token = 'old'
  const open = () => {
    const request = new FakeRequest()
    requests.push(request)
    return request as unknown as XMLHttpRequest
  }
  const client = createClient({
    fetch: fetchWithProgress(share => shares.push(share), open),
    session: {
      token: async () => token,
      renew: async () => (token = 'new'),
      isRenewable: () => true,
      end: () => {},
    },
    reachable: () => {},
    pause: async () => {},
  })
  const body = new FormData()
  body.append('file', new File(['abc'], 'a.txt'))
  const reply = client.post('/api/file/', { body, signal })
  return { reply, requests, shares, body }
}

/** The request of this number, once it is there. */
async function nth(requests: readonly FakeRequest[], index: number): Promise<FakeRequest> {
  await expect.poll(() => requests[index]?.sent).not.toBeNull()
  await expect.poll(() => requests.length).toBeGreaterThan(index)
  const request = requests[index]
  if (!request) throw new Error('no such request')
  return request
}

it('sends the form with the token, and says how far it is', async () => {
  const { reply, requests, shares, body } = begun()
  const request = await nth(requests, 0)
  expect(request.line).toBe('POST /api/file/')
  expect(request.headers.get('authorization')).toBe('Bearer old')
  // The browser writes this one, with the boundary of the form.
  expect(request.headers.has('content-type')).toBe(false)
  expect(request.sent).toBe(body)
  request.progress(1, 4)
  request.progress(4, 4)
  request.answer(201, { id: 7 })
  expect(await reply).toEqual({ id: 7 })
  expect(shares).toEqual([0.25, 1])
})

it('is sent anew with a new token when the old one has expired on the way', async () => {
  const { reply, requests } = begun()
  const first = await nth(requests, 0)
  first.answer(401, { code: 'unauthenticated' })
  const second = await nth(requests, 1)
  expect(second.headers.get('authorization')).toBe('Bearer new')
  second.answer(201, { id: 7 })
  expect(await reply).toEqual({ id: 7 })
})

it('reads a refusal as every other one', async () => {
  const { reply, requests } = begun()
  const request = await nth(requests, 0)
  request.answer(400, { code: 'invalid', codes: { file: ['file_type'] } })
  await expect(reply).rejects.toMatchObject({
    code: 'invalid',
    fields: { file: ['file_type'] },
    retry_after_ms: 3000,
  })
})

it('says that the server cannot be reached when the connection breaks off', async () => {
  const { reply, requests } = begun()
  const request = await nth(requests, 0)
  request.end('error')
  await expect(reply).rejects.toMatchObject({ code: 'unreachable' })
})

it('stops when it is aborted, and is not even begun after that', async () => {
  const stop = new AbortController()
  const { reply, requests } = begun(stop.signal)
  await nth(requests, 0)
  stop.abort()
  await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
  const late = begun(stop.signal)
  await expect(late.reply).rejects.toMatchObject({ name: 'AbortError' })
  expect(late.requests.map(({ sent }) => sent)).toEqual([null])
})
