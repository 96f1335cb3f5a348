import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Execution } from '#shared/api/executions.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { mailTo, startFurtherApi, startFurtherWorker, stopped } from './further-processes.ts'
import { startPreparedProcess } from './start-prepared.ts'
import type { ProductProcess } from './product.ts'

/**
 * One database, two processes that serve HTTP and two that execute runs. Requests alternate between the first
 * two, as behind a load balancer without sticky sessions.
 */
let product: ProductProcess
let origins: string[]
const children: ChildProcess[] = []

beforeAll(async () => {
  product = await startPreparedProcess({ ROLES: 'api' })
  const url = (await findEmbedded(product.env.DATA_DIR ?? '')) ?? ''
  const other = await startFurtherApi(product, url)
  const startWorker = () => startFurtherWorker(product, url, mailTo(product))
  children.push(other.child, startWorker(), startWorker())
  origins = [product.origin, other.origin]
})
afterAll(async () => {
  await Promise.all(children.map(stopped))
  await product?.stop()
})

const Tokens = z.object({ access: z.string(), refresh: z.string(), user_id: z.number().optional() })
const Ids = z.object({
  results: z.array(
    z.object({ id: z.number(), name: z.string(), gaps: z.array(z.string()), channels: z.array(z.unknown()) }),
  ),
})

/** A client whose requests alternate between the processes. */
async function somebody(username: string) {
  let count = 0
  const next = () => origins[count++ % 2] ?? ''
  const post = (path: string, body: object, headers = {}) =>
    fetch(next() + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = Tokens.parse(
    await (await post('/api/token/', { username, password: 'sheetcast-demo' })).json(),
  )
  const bearer = () => ({ authorization: `Bearer ${tokens.access}` })
  const tokens = signedIn
  return {
    tokens,
    id: signedIn.user_id ?? 0,
    post: (path: string, body: object, headers = {}) => post(path, body, { ...bearer(), ...headers }),
    get: (path: string) => fetch(next() + path, { headers: bearer() }),
    postTo: (origin: string, path: string, body: object, headers = {}) =>
      fetch(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(), ...headers },
        body: JSON.stringify(body),
      }),
    /** The event stream of one process until it has sent all of these. */
    async listen(origin: string) {
      const left = new AbortController()
      const response = await fetch(`${origin}/api/events/`, { headers: bearer(), signal: left.signal })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let received = ''
      const until = async (...texts: string[]) => {
        while (!texts.every(text => received.includes(text))) {
          const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
          if (done) throw new Error(`the stream ended before ${texts.join(', ')}:\n${received}`)
          received += value
        }
        return received
      }
      await until('retry:')
      return { until, leave: () => left.abort() }
    },
  }
}

describe('several processes on one database', () => {
  it('are one product to a signed-in person', async () => {
    const manager = await somebody('manager')
    for (let time = 0; time < 4; time++) expect((await manager.get('/users/identity/')).status).toBe(200)
    // Renewed by the one, good for the other; the old one twice within its seconds (two tabs) as well.
    const [first = '', second = ''] = origins
    const renew = (origin: string) =>
      manager.postTo(origin, '/api/token/refresh/', { refresh: manager.tokens.refresh })
    const renewed = await Promise.all([renew(first), renew(second)])
    expect(renewed.map(({ status }) => status)).toEqual([200, 200])
    const { access } = z.object({ access: z.string() }).parse(await renewed[0]?.json())
    const response = await fetch(`${second}/users/identity/`, {
      headers: { authorization: `Bearer ${access}` },
    })
    expect(response.status).toBe(200)
    // Signed out at the one, and at the other.
    const leaver = await somebody('finance')
    await leaver.postTo(first, '/api/token/logout/', {})
    expect(
      (await leaver.postTo(second, '/api/token/refresh/', { refresh: leaver.tokens.refresh })).status,
    ).toBe(401)
  })

  it('count wrong passwords together', async () => {
    const guess = async (attempt: number) =>
      (
        await fetch(`${origins[attempt % 2]}/api/token/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'nobody in particular', password: `guess ${attempt}` }),
        })
      ).status
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(await guess(attempt))
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  })

  it('execute a click once, and each streams the events of the other', async () => {
    const [first = '', second = ''] = origins
    const [manager, staff] = [await somebody('manager'), await somebody('staff')]
    const { results } = Ids.parse(
      await (await manager.get('/api/gs-template-setting/?limit=25&scope=mine&channel=fb')).json(),
    )
    // Of one channel: others may have to wait for a platform's rate limit.
    const ready = results.filter(({ gaps, channels }) => gaps.length + channels.length === 1).slice(0, 2)
    expect(ready.length).toBeGreaterThan(1)
    const stream = await manager.listen(second)
    const staffsStream = await staff.listen(first)

    // The same click sent to both at once.
    const click = (origin: string) =>
      manager.postTo(
        origin,
        '/api/gs-template-execution/',
        { reports: ready.map(({ id }) => id) },
        { 'idempotency-key': 'once' },
      )
    const clicked = await Promise.all([click(first), click(second)])
    const executions = await Promise.all(
      clicked.map(async response => Execution.parse(await response.json())),
    )
    expect(executions[0]?.id).toBe(executions[1]?.id)
    let latest = executions[0]
    while (latest && latest.pending > 0) {
      await sleep(100)
      latest = Execution.parse(await (await manager.get(`/api/gs-template-execution/${latest.id}/`)).json())
    }
    expect(latest?.total).toBe(ready.length)
    await stream.until(...(latest?.reports ?? []).map(({ run }) => run))
    stream.leave()

    // Shared at the one, streamed by the other.
    const report = ready[0]?.id ?? 0
    const shared = await manager.postTo(second, `/api/gs-template-setting/${report}/share/`, {
      user: staff.id,
      access: 'viewer',
    })
    expect(shared.status).toBe(201)
    await staffsStream.until('event: notification')
    staffsStream.leave()
  })
})
