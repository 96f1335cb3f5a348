import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach } from 'vitest'
import { sourceOf, type Source, type World } from '../connector.ts'
import { testWorld } from '../testing.ts'
import { line } from './report.ts'
import { NOW } from './testing.ts'

// A server of our own, for answers that the sandbox does not give.

export const SECRET = 'kept-secret'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

export interface Asked {
  method: string
  path: string
  body: string
}
export type Reply = { status?: number; headers?: Record<string, string>; body: string | Buffer }

/** Answers whatever is asked; keeps it. */
export async function serving(
  answer: (asked: Asked) => Reply,
): Promise<{ source: Source; world: World; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const each = { method: incoming.method ?? '', path: incoming.url ?? '', body }
    asked.push(each)
    const { status = 200, headers = {}, body: told } = answer(each)
    response.writeHead(status, headers).end(told)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const address = server.address()
  const world = testWorld(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, NOW)
  const source = sourceOf(line, { access_key: 'key', secret_key: SECRET, group_ids: 'G1' })
  return { source, world, asked }
}

/** A page of a list. */
export const listOf = (datas: unknown[], totalElements = datas.length, size = 100, page = 1): Reply => ({
  body: JSON.stringify({ paging: { page, size, totalElements }, datas }),
})
