import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { connect, type Db } from '#server/db/connect.ts'
import { MOST_AT_ONCE } from '#server/http/capacity.ts'
import { createTokens } from '#server/http/tokens.ts'
import { percentile } from '#server/testing/quantile.ts'
import { listenForParent, productLimits, serverOver } from './api.ts'
import { seedReports } from './api-seed.ts'
import { openSockets } from './overload-sockets.ts'
import type { BenchTable } from './case.ts'
import { startDatabase } from './database.ts'

// More requests than a process can answer, at a pace that heeds no answer: what is still served, how soon the
// others get, and how soon all is well again.

const REPORTS = 40_000
const PHASE_MS = 4000
/**
 * As a proxy in front keeps them; fewer than wait to be accepted at a time (511), beyond which clients try
 * again after seconds.
 */
const CONNECTIONS = 500
/**
 * Of clients that ask again as soon as they are answered: enough to keep everything busy, too few to be shed.
 */
const CLIENTS = 50
const SLOW_SOCKETS = 1000
const BODIES_AT_ONCE = 8
const LIST = '/api/gs-template-setting/?limit=25'

export const tables: BenchTable[] = [
  {
    id: 'R11',
    what: 'lists of reports by 40 people at 1 ×, 2 × and 10 × of what is answered at most (served at 10 × ≥ 90 % of the peak, shed p99 ≤ 50 ms, health always, normal within 5 s)',
    measure,
  },
]

interface BenchServer {
  url: string
  key: Uint8Array
  most_at_once: number
}

if (!isMainThread && workerData?.bench === 'overload') await serve(workerData)

async function measure() {
  const { db, url, stop } = await startDatabase()
  await seedReports(db, REPORTS)
  const key = randomBytes(32)
  const tokens = await tokensOf(db, key)
  const rows: Record<string, string>[] = []
  for (const most_at_once of [Infinity, MOST_AT_ONCE])
    rows.push(...(await measureOne({ url, key, most_at_once }, tokens)))
  await stop()
  return [...rows, { load: `machine: load ${loadavg()[0]?.toFixed(0)} at the end` }]
}

/** Of everybody but the superuser. */
async function tokensOf(db: Db, key: Uint8Array): Promise<string[]> {
  const { rows } = await sql<{ user_id: number; family: string }>`
    insert into refresh_family (id, user_id, created_at)
    select gen_random_uuid(), id, now() from users where identity = 'staff' returning user_id, id as family`.execute(
    db,
  )
  const { signAccess } = createTokens(key)
  return await Promise.all(rows.map(claims => signAccess(claims, new Date())))
}

async function measureOne(options: BenchServer, tokens: readonly string[]) {
  const server = new Worker(new URL(import.meta.url), { workerData: { bench: 'overload', ...options } })
  const [port]: number[] = await once(server, 'message')
  const asker = await askerOf(port ?? 0, tokens)
  const cpu = async () => {
    server.postMessage('cpu')
    const [ms]: number[] = await once(server, 'message')
    return ms ?? 0
  }
  await closedLoop(asker, 1000)
  const idle = await idleTimes(asker)
  const phases: [what: string, phase: Phase][] = []
  const phase = async (what: string, work: () => Promise<Counted>) => {
    console.error(`${options.most_at_once} at once: ${what}`)
    const beforeMs = await cpu()
    const clientBeforeMs = cpuMs()
    const counted = await watched(port ?? 0, work)
    const client_ms = cpuMs() - clientBeforeMs
    phases.push([what, { ...counted, client_ms, cpu_ms: (await cpu()) - beforeMs }])
    return counted.served.length / counted.seconds
  }
  const waiting = `${CLIENTS} clients that wait for their answers`
  const peak = await phase(waiting, () => closedLoop(asker, PHASE_MS))
  const open = (what: string, times: number) => phase(what, () => openLoop(asker, peak * times))
  for (const times of [1, 2, 10]) await open(`${times} ×`, times)
  const normalMs = await untilNormal(asker, percentile(idle, 0.99))
  await phase(waiting, () => closedLoop(asker, PHASE_MS))
  if (Number.isFinite(options.most_at_once)) {
    const slow = await slowSockets(port ?? 0)
    await open(`2 × beside ${SLOW_SOCKETS} slow sockets`, 2)
    slow.stop()
    const over = new AbortController()
    const bodies = manyBodies(port ?? 0, tokens, over.signal)
    await open(`2 × beside bodies of 1 MiB, ${BODIES_AT_ONCE} at once`, 2)
    over.abort()
    await bodies
  }
  asker.close()
  await server.terminate()
  const best = Math.max(...phases.filter(([what]) => what === waiting).map(([, each]) => perCpu(each)))
  return [
    ...phases.map(([what, each]) => rowOf(options, what, { ...each, best })),
    { ...emptyRow(options), load: 'until normal after 10 ×', served: `${normalMs.toFixed(0)} ms` },
  ]
}

/**
 * Answers for each second of the thread's processor time: what other programs of the machine do changes that
 * little.
 */
const perCpu = ({ served, cpu_ms }: Phase) => served.length / (cpu_ms / 1000)

interface Counted {
  offered: number
  seconds: number
  served: number[]
  shed: number[]
  /** Neither: broken off, or another status. */
  other: number
}
type Watched = Counted & { health: { times: number[]; missed: number } }
interface Phase extends Watched {
  cpu_ms: number
  /** Processor time of the client thread, on the same machine. */
  client_ms: number
}

function rowOf(options: BenchServer, load: string, phase: Phase & { best: number }): Record<string, string> {
  const { offered, seconds, served: good, shed, other, health, best } = phase
  return {
    ...emptyRow(options),
    load,
    'offered/s': (offered / (PHASE_MS / 1000)).toFixed(0),
    served: `${(good.length / seconds).toFixed(0)}/s`,
    'served/s of processor': `${perCpu(phase).toFixed(0)} (${((perCpu(phase) / best) * 100).toFixed(0)} %)`,
    'served p99': `${percentile(good, 0.99).toFixed(0)} ms`,
    'shed/s': (shed.length / seconds).toFixed(0),
    'shed p50, p99': `${percentile(shed, 0.5).toFixed(0)}, ${percentile(shed, 0.99).toFixed(0)} ms`,
    other: String(other),
    'threads busy': `${(phase.cpu_ms / seconds / 10).toFixed(0)} %, client ${(phase.client_ms / seconds / 10).toFixed(0)} %`,
    'health p99, missed': `${percentile(health.times, 0.99).toFixed(0)} ms, ${health.missed} of ${health.times.length + health.missed}`,
  }
}

const emptyRow = ({ most_at_once }: BenchServer) => ({ 'at once': String(most_at_once) })

type Asker = Awaited<ReturnType<typeof askerOf>>

async function askerOf(port: number, tokens: readonly string[]) {
  const sockets = await openSockets(port, CONNECTIONS)
  const requests = tokens.map(token => requestOf({ token }))
  let nth = 0
  return {
    ask: () => sockets.ask(requests[nth++ % requests.length] ?? Buffer.alloc(0)),
    close: sockets.close,
  }
}

function requestOf({
  path = LIST,
  token,
  body = '',
}: {
  path?: string
  token?: string
  body?: string
}): Buffer {
  const lines = [
    `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: localhost',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Of clients that ask again as soon as they are answered. */
async function closedLoop({ ask: next }: Asker, mostMs: number): Promise<Counted> {
  const began = performance.now()
  const counted: Counted = { offered: 0, seconds: 0, served: [], shed: [], other: 0 }
  const client = async () => {
    while (performance.now() - began < mostMs) await askOne(counted, next)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  counted.seconds = (performance.now() - began) / 1000
  return counted
}

async function askOne(counted: Counted, next: Asker['ask']) {
  counted.offered += 1
  const { status, took_ms } = await next()
  if (status === 200) counted.served.push(took_ms)
  else if (status === 503 || status === 429) counted.shed.push(took_ms)
  else counted.other += 1
}

/**
 * So many a second, whatever becomes of them. What is answered after the end counts with the time that it
 * took.
 */
async function openLoop({ ask: next }: Asker, perSecond: number): Promise<Counted> {
  const counted: Counted = { offered: 0, seconds: 0, served: [], shed: [], other: 0 }
  const began = performance.now()
  const sending: Promise<void>[] = []
  for (let passed = 0; passed < PHASE_MS; passed = performance.now() - began) {
    const due = Math.floor((passed / 1000) * perSecond)
    // Late itself, it does not send all at once what it has missed.
    const most = Math.min(due, counted.offered + 50)
    while (counted.offered < most) sending.push(askOne(counted, next))
    await sleep(2)
  }
  await Promise.all(sending)
  counted.seconds = (performance.now() - began) / 1000
  return counted
}

/** Asks for the health all along. */
async function watched(port: number, work: () => Promise<Counted>): Promise<Watched> {
  const health = { times: [] as number[], missed: 0 }
  const healthSocket = await openSockets(port, 1)
  const request = requestOf({ path: '/healthz' })
  const counted = work()
  const over = new AbortController()
  const ended = counted.finally(() => over.abort())
  while (!over.signal.aborted) {
    const { status, took_ms } = await healthSocket.ask(request)
    if (status === 200) health.times.push(took_ms)
    else health.missed += 1
    await sleep(50)
  }
  healthSocket.close()
  return { ...(await ended), health }
}

async function idleTimes({ ask: next }: Asker): Promise<number[]> {
  const times: number[] = []
  for (let nth = 0; nth < 100; nth++) times.push((await next()).took_ms)
  return times
}

/** Until ten in a row are served in twice the idle time. */
async function untilNormal({ ask: next }: Asker, idleMs: number): Promise<number> {
  const began = performance.now()
  for (let inARow = 0; inARow < 10;) {
    const { status, took_ms } = await next()
    inARow = status === 200 && took_ms <= 2 * idleMs ? inARow + 1 : 0
    if (performance.now() - began > 30_000) break
  }
  return performance.now() - began
}

/** Bodies of which a byte a second comes. */
async function slowSockets(port: number) {
  const head =
    'POST /api/token/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n'
  const sockets = Array.from({ length: SLOW_SOCKETS }, () => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(head)
    return socket
  })
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(' ')
  }, 1000)
  return {
    stop() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Valid JSON of the largest size that says nothing of use, again and again. */
async function manyBodies(port: number, tokens: readonly string[], over: AbortSignal) {
  const sockets = await openSockets(port, BODIES_AT_ONCE)
  const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024 - 20) })
  const client = async (_: unknown, nth: number) => {
    const request = requestOf({ token: tokens[nth] ?? '', body, path: '/api/gs-template-folder/' })
    while (!over.aborted) await sockets.ask(request)
  }
  await Promise.all(Array.from({ length: BODIES_AT_ONCE }, client))
  sockets.close()
}

async function serve({ url, key, most_at_once }: BenchServer) {
  const { db } = await connect(url, { command: 'bench serve' })
  await listenForParent(await serverOver(db, key, { requestLimits: productLimits(), most_at_once }))
  parentPort?.on('message', () => {
    parentPort?.postMessage(cpuMs())
  })
}

/** Of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
