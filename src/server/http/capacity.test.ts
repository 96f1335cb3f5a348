import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '#server/app.ts'
import { sendBytes } from './testing/bytes.ts'
import { DATA_POLICY, securityHeaders } from './headers.ts'
import { route } from './route.ts'
import { createRequestLimits, queueLimits } from './request-limits.ts'
import { expectRefusal, testApi, type ApiResponse } from './testing/api.ts'

const MOST = 3
const work = { began: 0, gate: Promise.withResolvers<void>() }
const hold = async () => {
  work.began += 1
  await work.gate.promise
  return 'done'
}
const spec = { summary: 'Goes on until it is let go.', transaction: 'own', reply: z.string() } as const
const holding = route('GET', '/api/test/holding/', { ...spec, level: 'public', run: hold })
const holdingOfPerson = route('GET', '/api/test/holding-of-person/', {
  ...spec,
  level: 'external_user',
  run: hold,
})
const quick = route('POST', '/api/test/quick/', {
  ...spec,
  summary: 'Reads a body.',
  level: 'public',
  body: z.strictObject({ text: z.string() }),
  run: async ({ body }) => body.text,
})
const api = await testApi({
  routes: [...routes, holding, holdingOfPerson, quick],
  most_at_once: MOST,
  most_connections: 60,
})
const { anonymous, app } = api

const read = () => anonymous.post('/api/test/quick/', { text: 'read' })
const start = () => anonymous.get('/api/test/holding/')

/** So many are in progress until the test releases them; meanwhile `then` happens. */
async function whileHeld(then: (held: Promise<ApiResponse>[]) => Promise<void>, begin = start, count = MOST) {
  work.began = 0
  work.gate = Promise.withResolvers()
  const held = Array.from({ length: count }, begin)
  try {
    await expect.poll(() => work.began).toBe(Math.min(count, MOST))
    await then(held)
  } finally {
    work.gate.resolve()
    await Promise.allSettled(held)
  }
}

/** Bytes of a request that does not end, once the server has begun to read it. */
async function beginToSend(bytes: string): Promise<{ socket: Socket; requests: IncomingMessage }> {
  const arrived = once(app.server, 'request')
  const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  const [requests] = await arrived
  return { socket, requests }
}
const TRICKLE = `POST /api/test/quick/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{"text"`

describe('a process at its capacity', () => {
  it('refuses the next requests at once, with all headers, and serves again when one has ended', async () => {
    await whileHeld(async held => {
      for (const response of await Promise.all([read(), start(), anonymous.get('/api/department/')])) {
        expectRefusal(response, 503, 'overloaded')
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Object.fromEntries(response.headers)).toMatchObject({
          ...securityHeaders,
          'content-security-policy': DATA_POLICY,
          'cache-control': 'no-store',
          'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        })
      }
      work.gate.resolve()
      for (const response of await Promise.all(held)) expect(response).toMatchObject({ status: 200 })
      expect(await read()).toMatchObject({ status: 200, body: 'read' })
    })
  })

  it('reads neither the body nor the token of what it refuses', async () => {
    const { readAccess } = api.effects.tokens
    let checked = 0
    api.effects.tokens.readAccess = async (...given) => {
      checked += 1
      return await readAccess(...given)
    }
    await whileHeld(async () => {
      const { status } = await sendBytes(
        api.origin,
        `POST /api/gs-template-folder/ HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer a.b.c\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"name":`,
      )
      expect(status).toBe(503)
      expect(checked).toBe(0)
    })
    api.effects.tokens.readAccess = readAccess
  })

  it('goes on serving its health, and the count of its refusals', async () => {
    await whileHeld(async () => {
      await read()
      expect((await anonymous.get('/healthz')).status).toBe(200)
      expect((await anonymous.get('/readyz')).status).toBe(200)
      const { body } = await anonymous.get('/metrics')
      expect(body).toContain(`sheetcast_http_requests_under_way ${MOST}`)
      expect(body).toMatch(/sheetcast_http_requests_shed_total [1-9]/)
    })
  })
})

describe('a slot', () => {
  it('is not taken by a body that trickles in, nor by one that is broken off', async () => {
    const trickling: Awaited<ReturnType<typeof beginToSend>>[] = []
    for (let nth = 0; nth < 2 * MOST; nth++) trickling.push(await beginToSend(TRICKLE))
    expect((await read()).status).toBe(200)
    const [first, ...others] = trickling
    const whole = once(first?.socket ?? api.app.server, 'data')
    first?.socket.write(':"late"}')
    expect(String(await whole)).toMatch(/^HTTP\/1\.1 200 /)
    const ended = others.map(({ requests }) => once(requests.socket, 'close'))
    for (const { socket } of others) socket.destroy()
    await Promise.all(ended)
    // Neither more nor fewer than before.
    await whileHeld(async () => expectRefusal(await read(), 503, 'overloaded'))
    expect((await read()).status).toBe(200)
  })

  it('of a client that disconnects is free when the work has ended, and no sooner', async () => {
    work.began = 0
    work.gate = Promise.withResolvers()
    const started: Awaited<ReturnType<typeof beginToSend>>[] = []
    for (let nth = 0; nth < MOST; nth++)
      started.push(await beginToSend('GET /api/test/holding/ HTTP/1.1\r\nhost: localhost\r\n\r\n'))
    await expect.poll(() => work.began).toBe(MOST)
    const closed = started.map(({ requests }) => once(requests.socket, 'close'))
    for (const { socket } of started) socket.destroy()
    await Promise.all(closed)
    expectRefusal(await read(), 503, 'overloaded')
    work.gate.resolve()
    await expect.poll(async () => (await read()).status).toBe(200)
    await whileHeld(async () => expectRefusal(await read(), 503, 'overloaded'))
  })

  it('is not held by live events, nor by an export that is read slowly', async () => {
    const person = await api.signedIn('external_user')
    await person.report()
    const gate = Promise.withResolvers<void>()
    const { batch } = api.effects.requestLimits
    let waiting = 0
    api.effects.requestLimits.batch = async (...given) => {
      waiting += 1
      await gate.promise
      return await batch(...given)
    }
    const headers = { authorization: `Bearer ${person.token}` }
    const left = new AbortController()
    const request = (path: string) => fetch(api.origin + path, { headers, signal: left.signal })
    for (let nth = 0; nth < MOST; nth++) expect((await request('/api/events/')).status).toBe(200)
    const exports = Array.from({ length: MOST }, () => request('/api/gs-template-setting/?format=csv'))
    await expect.poll(() => waiting).toBe(MOST)
    await whileHeld(async held => {
      work.gate.resolve()
      for (const response of await Promise.all(held)) expect(response.status).toBe(200)
    })
    gate.resolve()
    for (const response of await Promise.all(exports)) expect(response.status).toBe(200)
    left.abort()
    api.effects.requestLimits.batch = batch
  })
})

describe('one person', () => {
  it('who requests everything at once takes few of the slots, and waits only for themselves', async () => {
    const { of_one, waiting } = queueLimits.read
    const busy = await testApi({ routes: [...routes, holdingOfPerson], most_at_once: of_one + 1 })
    busy.effects.requestLimits = createRequestLimits({
      queues: queueLimits,
      writes: { per_minute: 120, burst: 360 },
    })
    const [greedy, other] = [await busy.signedIn('external_user'), await busy.signedIn('external_user')]
    work.began = 0
    work.gate = Promise.withResolvers()
    const requests = Array.from({ length: of_one + waiting + 5 }, () =>
      greedy.get('/api/test/holding-of-person/'),
    )
    expectRefusal(await Promise.race(requests), 429, 'rate_limited')
    await expect.poll(() => work.began).toBe(of_one)
    expect((await other.get('/api/gs-template-folder/')).status).toBe(200)
    work.gate.resolve()
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(of_one + waiting)
    expect(statuses.filter(status => status === 429)).toHaveLength(5)
  })
})

describe('connections', () => {
  it('are limited; one that ends frees a slot', async () => {
    const { app: small, origin } = await testApi({ routes: [quick], most_connections: 2 })
    const open = async () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      return socket
    }
    const arrivals = [once(small.server, 'connection'), await open(), await open()] as const
    await arrivals[0]
    const dropped = once(small.server, 'drop')
    const third = await open()
    await dropped
    if (!third.closed) await once(third, 'close')
    arrivals[1].destroy()
    await expect.poll(async () => (await fetch(`${origin}/healthz`).catch(() => null))?.status).toBe(200)
    arrivals[2].destroy()
  })
})
