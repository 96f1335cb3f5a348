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
  const unanswered: string[] = []
  let answers = 0
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
    const outgoing = request(api.origin + path, { method, headers, agent }, answer => {
      let text = ''
      answer.on('data', bytes => (text += bytes))
      answer.on('end', () => done.resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', done.reject)
    })
    outgoing.on('error', error => {
      const wasReused = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      if (!wasReused) return done.reject(error)
      if (body) unanswered.push(key)
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
      const answer = await ask(api, expected).catch(error => String(error))
      if (answer === 'closed') continue
      if (typeof answer === 'string') failures.push(answer)
      else if (answer.status === 200 || answer.status === 201 || answer.text.includes('report_busy'))
        answers++
      else failures.push(`${answer.status} ${answer.text}`)
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
      const answer =
        api &&
        (await ask(api, { method: 'POST', path: '/api/gs-template-execution/', body: { reports: [report] } }))
      if (typeof answer !== 'object') throw new Error('the click was not answered')
      const { reports: clicked } = JSON.parse(answer.text) as { reports: { run: string }[] }
      return clicked[0]?.run ?? ''
    },
    async stop() {
      stopped.abort()
      await Promise.all(loops)
      agent.destroy()
      const { rows: taken } = await sql<{ key: string }>`
        select idempotency_key as key from execution where idempotency_key = any(${unanswered})`.execute(
        fleet.db,
      )
      return {
        answers,
        failures: [...failures, ...taken.map(({ key }) => `${key} was taken and not answered`)],
        closed: unanswered.length,
      }
    },
  }
}
