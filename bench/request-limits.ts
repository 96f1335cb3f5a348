import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { connect } from '#server/db/connect.ts'
import type { RequestLimits } from '#server/http/request-limits.ts'
import { generousLimits } from '#server/http/testing/request-limits.ts'
import { createTokens } from '#server/http/tokens.ts'
import { percentile } from '#server/testing/quantile.ts'
import { listenForParent, productLimits, serverOver } from './api.ts'
import { seedReports, type Seeded } from './api-seed.ts'
import type { BenchTable } from './case.ts'
import { startDatabase } from './database.ts'

// What one person waits for while another one requests everything at once: with limits, and without any.

const REPORTS = 10_000
const EXPORTS = 20
/** Of the person who only reads a list. */
const LIST_REQUESTS = 150
const PAUSE_MS = 15

export const tables: BenchTable[] = [
  {
    id: 'limits of a person',
    what: `B reads a list while A has ${EXPORTS} lists of ${REPORTS.toLocaleString('en')} reports as CSV, or makes folders 60 at a time (p99 beside A ≤ 5 × alone)`,
    measure,
  },
]

interface BenchServer {
  url: string
  key: Uint8Array
  isLimited: boolean
}

if (!isMainThread && workerData?.bench === 'request-limits') await serve(workerData)

async function measure() {
  const { db, url, stop } = await startDatabase()
  const seeded = await seedReports(db, REPORTS)
  const rows: Record<string, string>[] = []
  for (const isLimited of [false, true]) rows.push(...(await measureOne(url, { seeded, isLimited })))
  await stop()
  return rows
}

async function measureOne(url: string, { seeded, isLimited }: { seeded: Seeded; isLimited: boolean }) {
  const key = randomBytes(32)
  const server = new Worker(new URL(import.meta.url), {
    workerData: { bench: 'request-limits', url, key, isLimited },
  })
  const [port]: number[] = await once(server, 'message')
  const callerOf = async (claims: Seeded['owner']) => {
    const token = await createTokens(key).signAccess(claims, new Date())
    return (path: string, body?: object) => ask({ port: port ?? 0, path, token, body })
  }
  const [greedy, other] = [await callerOf(seeded.superuser), await callerOf(seeded.owner)]
  const list = '/api/gs-template-setting/?limit=25'
  await listTimes(() => other(list), { until: null })
  const alone = await listTimes(() => other(list), { until: null })
  const csv = () => greedy('/api/gs-template-setting/?scope=all&format=csv')
  const exports = Array.from({ length: EXPORTS }, csv)
  const besideExports = await listTimes(() => other(list), { until: Promise.all(exports) })
  const folders = manyFolders(greedy, isLimited ? 'With' : 'Without')
  const besideWrites = await listTimes(() => other(list), { until: folders })
  const statuses = Map.groupBy(await Promise.all(exports), status => status)
  await server.terminate()
  const row = (what: string, { times, refused }: ListTimes) => ({
    limits: isLimited ? 'yes' : 'no',
    'B’s list': what,
    p50: `${percentile(times, 0.5).toFixed(0)} ms`,
    p99: `${percentile(times, 0.99).toFixed(0)} ms`,
    'p99 ratio': (percentile(times, 0.99) / percentile(alone.times, 0.99)).toFixed(1),
    listTimes: String(times.length),
    'not served': String(refused),
  })
  return [
    row('alone', alone),
    row(
      `beside ${[...statuses].map(([status, all]) => `${all.length} × ${status || 'broken off'}`).join(', ')}`,
      besideExports,
    ),
    row(`beside folders: ${[...(await folders)].map(([s, n]) => `${n} × ${s}`).join(', ')}`, besideWrites),
  ]
}

/** Six seconds of 60 clients that make folders of one person, which take turns in the database. */
async function manyFolders(greedy: (path: string, body: object) => Promise<number>, name: string) {
  const end = performance.now() + 6000
  const counted = new Map<number, number>()
  let made = 0
  const client = async () => {
    while (performance.now() < end) {
      const status = await greedy('/api/gs-template-folder/', { name: `${name} ${made++}` })
      counted.set(status, (counted.get(status) ?? 0) + 1)
      if (status === 429) await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: 60 }, client))
  return counted
}

type ListTimes = Awaited<ReturnType<typeof listTimes>>

/** Milliseconds of each request; this many, or as long as something else goes on. */
async function listTimes(send: () => Promise<number>, { until }: { until: Promise<unknown> | null }) {
  const times: number[] = []
  let refused = 0
  const over = new AbortController()
  void until?.finally(() => over.abort())
  while (until ? !over.signal.aborted : times.length < LIST_REQUESTS) {
    const began = performance.now()
    if ((await send()) !== 200) refused += 1
    times.push(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return { times, refused }
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })

async function ask({
  port,
  path,
  token,
  body,
}: {
  port: number
  path: string
  token: string
  body?: object | undefined
}) {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    path,
    agent,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
  })
  outgoing.end(body ? JSON.stringify(body) : undefined)
  const [response] = await once(outgoing, 'response')
  response.resume()
  // Broken off amid the response: a session with the database did not come in time.
  const isWhole = await once(response, 'end').then(
    () => true,
    () => false,
  )
  return isWhole ? Number(response.statusCode) : 0
}

async function serve({ url, key, isLimited }: BenchServer) {
  const { db } = await connect(url, { command: 'bench serve' })
  await listenForParent(
    await serverOver(db, key, { requestLimits: isLimited ? productLimits() : noLimits() }),
  )
}

/** The behaviour without limits: each batch is read as soon as the one before is sent. */
function noLimits(): RequestLimits {
  return { ...generousLimits(), batch: (_, work) => work() }
}
