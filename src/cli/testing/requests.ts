import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Fleet, Member } from './fleet.ts'

/**
 * Sends requests repeatedly over kept-alive connections, as a proxy in front does: a request whose connection
 * was closed before any response is sent again, and one that was executed all the same shows by its key.
 */
export function startTraffic(fleet: Fleet, { apis, reports }: { apis: Member[]; reports: number[] }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const stopped = new AbortController()
  const failures: string[] = []
  const unconfirmed: string[] = []
  let responses = 0
  const ask = async (
    api: Member,
    { method, path, body }: { method: string; path: string; body?: object },
  ) => {
    const key = randomUUID()
    const headers = {
      authorization: await fleet.bearer(),
      'idempotency-key': key,
      ...(body && { 'content-type': 'application/json' }),
    }
    const done = Promise.withResolvers<{ status: number; text: string } | 'closed'>()
    const outgoing = request(api.origin + path, { method, headers, agent }, response => {
      let text = ''
      response.on('data', bytes => (text += bytes))
      response.on('end', () => done.resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', done.reject)
    })
    outgoing.on('error', error => {
      const wasReused = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      if (!wasReused) return done.reject(error)
      if (body) unconfirmed.push(key)
      done.resolve('closed')
    })
    outgoing.end(body && JSON.stringify(body))
    return await done.promise
  }
  const loop = async (first: number) => {
    for (let count = first; !stopped.signal.aborted; count++) {
      const api = apis[count % apis.length]
      const report = reports[count % reports.length]
      if (!api) continue
      const expected =
        count % 5 === 0
          ? { method: 'POST', path: '/api/gs-template-execution/', body: { reports: [report] } }
          : { method: 'GET', path: '/api/gs-template-setting/?limit=10' }
      const response = await ask(api, expected).catch(error => String(error))
      if (response === 'closed') continue
      if (typeof response === 'string') failures.push(response)
      else if (response.status === 200 || response.status === 201 || response.text.includes('report_busy'))
        responses++
      else failures.push(`${response.status} ${response.text}`)
      await sleep(20)
    }
  }
  let loops: Promise<void>[] = []
  return {
    begin() {
      loops = Array.from({ length: 4 }, (_, index) => loop(index * 3))
    },
    async click(report: number): Promise<string> {
      const [api] = apis
      const response =
        api &&
        (await ask(api, { method: 'POST', path: '/api/gs-template-execution/', body: { reports: [report] } }))
      if (typeof response !== 'object') throw new Error('the click was not answered')
      const { reports: clicked } = JSON.parse(response.text) as { reports: { run: string }[] }
      return clicked[0]?.run ?? ''
    },
    async stop() {
      stopped.abort()
      await Promise.all(loops)
      agent.destroy()
      const { rows: taken } = await sql<{ key: string }>`
        select idempotency_key as key from execution where idempotency_key = any(${unconfirmed})`.execute(
        fleet.db,
      )
      return {
        responses,
        failures: [...failures, ...taken.map(({ key }) => `${key} was taken and not answered`)],
        closed: unconfirmed.length,
      }
    },
  }
}
