import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import { routes } from '#server/app.ts'
import { connect, type Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { MOST_AT_ONCE } from '#server/http/capacity.ts'
import {
  BURST_MINUTES,
  createRequestLimits,
  queueLimits,
  type RequestLimits,
} from '#server/http/request-limits.ts'
import { createServer } from '#server/http/server.ts'
import { quietEffects } from '#server/http/testing/quiet-effects.ts'
import { generousLimits } from '#server/http/testing/request-limits.ts'
import { createTokens, type AccessClaims } from '#server/http/tokens.ts'
import { percentile } from '#server/testing/quantile.ts'
import type { BenchTable } from './case.ts'
import { startDatabase } from './database.ts'
import { seedReports, type Seeded } from './api-seed.ts'
import { scansOf } from './api-scans.ts'

// The API beside a bare client that sends the very statements that the API sends, in the same transactions,
// over as many sessions.

const REPORTS = process.env.LONG ? 1_000_000 : 100_000
const CLIENTS = 50
const REQUESTS = 1000
/** A round of slow responses ends after this long. */
const ROUND_MS = 2500
const ROUNDS = 2

export const tables: BenchTable[] = [
  {
    id: 'P7',
    what: `the API with ${REPORTS.toLocaleString('en')} reports and ${(REPORTS / 20).toLocaleString('en')} folders, ${CLIENTS} clients at once (p50 ≤ 2 ×, p99 ≤ 3 × the same SQL by a bare client; no scan)`,
    measure: () => besideBareSql(async db => requestsOf(await seedReports(db, REPORTS))),
  },
]

interface BenchServer {
  url: string
  key: Uint8Array
}

if (!isMainThread && workerData?.bench === 'api') await serve(workerData)

export interface ReadRequest {
  what: string
  claims: AccessClaims
  path: string
}

/** Requests to a server over a seeded database, each beside its own statements. */
export async function besideBareSql(seed: (db: Db) => Promise<ReadRequest[]>) {
  const { db, pool, url, stop } = await startDatabase()
  const requests = await seed(db)
  const key = randomBytes(32)
  const server = new Worker(new URL(import.meta.url), {
    workerData: { bench: 'api', url, key },
  })
  const [port]: number[] = await once(server, 'message')
  const rows: Record<string, string>[] = []
  for (const target of requests) {
    const token = await createTokens(key).signAccess(target.claims, new Date())
    const statements = await statementsOf(pool, key, { path: target.path, token })
    console.error(target.what)
    const figures = await compare(
      () => askOverHttp({ port: port ?? 0, path: target.path, token }),
      () => askBare(pool, statements),
    ).catch(problem => ({ p50: String(problem) }))
    rows.push({ request: target.what, ...figures, scans: await scansOf(pool, statements) })
  }
  await server.terminate()
  await stop()
  return rows
}

function requestsOf({ superuser, owner, report, owned }: Seeded): ReadRequest[] {
  const list = '/api/gs-template-setting/'
  const search = (text: string) => `${list}?scope=all&limit=25&search=${encodeURIComponent(text)}`
  return [
    { what: 'list of all, first page', claims: superuser, path: `${list}?scope=all&limit=25` },
    {
      what: 'list of all, last page',
      claims: superuser,
      path: `${list}?scope=all&limit=25&offset=9975`,
    },
    { what: 'own list, first page', claims: owner, path: `${list}?limit=25` },
    { what: 'own list, last page', claims: owner, path: `${list}?limit=25&offset=${owned - 25}` },
    { what: 'search "zephyr", rare', claims: superuser, path: search('zephyr') },
    { what: 'search "urora", frequent', claims: superuser, path: search('urora') },
    { what: 'search "星雲計", rare', claims: superuser, path: search('星雲計') },
    { what: 'search "星雲", rare', claims: superuser, path: search('星雲') },
    { what: 'search "成效", frequent', claims: superuser, path: search('成效') },
    {
      what: 'search "星雲" in own ones',
      claims: owner,
      path: `${list}?limit=25&search=${encodeURIComponent('星雲')}`,
    },
    { what: 'folders', claims: owner, path: '/api/gs-template-folder/' },
    { what: 'read one', claims: owner, path: `${list}${report}/` },
  ]
}

/** Rounds alternate, so that a busy machine affects both. */
async function compare(ours: () => Promise<void>, floor: () => Promise<void>) {
  const times = { ours: [] as number[], floor: [] as number[] }
  await round(floor, 300)
  await round(ours, 300)
  for (let count = 0; count < ROUNDS; count++) {
    times.floor.push(...(await round(floor, ROUND_MS)))
    times.ours.push(...(await round(ours, ROUND_MS)))
  }
  const p50 = { ours: percentile(times.ours, 0.5), floor: percentile(times.floor, 0.5) }
  const p99 = { ours: percentile(times.ours, 0.99), floor: percentile(times.floor, 0.99) }
  return { ...beside('p50', p50, 2), ...beside('p99', p99, 3) }
}

function beside(name: string, { ours, floor }: { ours: number; floor: number }, most: number) {
  const ratio = ours / floor
  return {
    [name]: `${ours.toFixed(1)} ms`,
    [`${name} floor`]: `${floor.toFixed(1)} ms`,
    [`${name} ratio`]: `${ratio.toFixed(2)}${ratio > most ? ' (!)' : ''}`,
  }
}

/**
 * Milliseconds of every request of this many clients, each of which sends the next one as soon as it has the
 * response.
 */
async function round(ask: () => Promise<void>, mostMs: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + mostMs
  let left = REQUESTS
  const client = async () => {
    while (left-- > 0 && performance.now() < end) {
      const started = performance.now()
      await ask()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return times
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

async function askOverHttp({ port, path, token }: { port: number; path: string; token: string }) {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    path,
    agent,
    headers: { authorization: `Bearer ${token}` },
  })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
}

async function askBare(pool: Pool, statements: readonly CompiledQuery[]) {
  const session = await pool.connect()
  await session.query('start transaction isolation level read committed')
  for (const { sql, parameters } of statements) await session.query(sql, [...parameters])
  await session.query('commit')
  session.release()
}

/**
 * All statements that the API sends for one request, without the beginning and the end of the transaction.
 */
async function statementsOf(pool: Pool, key: Uint8Array, { path, token }: { path: string; token: string }) {
  const queries: CompiledQuery[] = []
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: event => void queries.push(event.query),
  })
  const app = await serverOver(db, key)
  const { statusCode, body } = await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
  if (statusCode !== 200) throw new Error(`${path}: ${body}`)
  await app.close()
  return queries.filter(query => /^\s*(select|with)/i.test(query.sql))
}

async function serve({ url, key }: BenchServer) {
  const { db } = await connect(url, { command: 'bench serve' })
  await listenForParent(await serverOver(db, key))
}

interface ServerOptions {
  requestLimits?: RequestLimits
  most_at_once?: number
  /** Where files are stored. */
  files_dir?: string
}

/** None of these requests reaches further than the database. */
export function serverOver(
  db: Db,
  key: Uint8Array,
  { requestLimits = generousLimits(), most_at_once = MOST_AT_ONCE, files_dir }: ServerOptions = {},
) {
  return createServer({
    db,
    effects: { ...quietEffects(key, files_dir), requestLimits, noteExport: async () => {} },
    routes,
    checks: {},
    now: () => new Date(),
    log: false,
    web_dir: null,
    max_event_loop_delay_ms: 0,
    most_at_once,
  })
}

/** Listens on a free port, and sends it to the thread that started this one. */
export async function listenForParent(app: FastifyInstance) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : null)
}

/** What each person may have a server do when nothing else is set. */
export function productLimits() {
  return createRequestLimits({ queues: queueLimits, writes: { per_minute: 120, burst: 120 * BURST_MINUTES } })
}
