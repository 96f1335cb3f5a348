import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '#server/free-port.ts'
import { connect } from '#server/db/connect.ts'
import { findEmbedded, startEmbedded } from '#server/db/embedded.ts'
import { median } from '#server/testing/quantile.ts'
import { newFolder } from '../e2e/product.ts'
import type { BenchTable } from './case.ts'
import { signedIn } from './product-client.ts'

// `npm start` on a folder that has been started before, beside Node and the same Postgres alone.

const ROUNDS = 5
const RUNS = process.env.LONG === '1' ? 1000 : 50
const ROOT = join(import.meta.dirname, '..')

export const tables: BenchTable[] = [
  { id: 'P12', what: 'start on a prepared folder until /readyz (≤ 2 s)', measure: measureStart },
  { id: 'P12', what: 'memory half a minute after a start, all processes (≤ 250 MB)', measure: measureMemory },
  {
    id: 'P12',
    what: `main process after ${RUNS} runs (LONG=1: 1,000; ≤ 20 MB more)`,
    measure: measureGrowth,
  },
]

async function measureStart() {
  const folder = newFolder()
  // The first start makes the database and the demo, and builds the interface when somebody has changed it.
  await (await start(folder, 'npm')).stop()
  const floorDir = newFolder()
  await (await startEmbedded({ data_dir: floorDir, command: 'bench' })).stop()
  const times = { floor: [] as number[], serve: [] as number[], npm: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.floor.push((await nodeStart()) + (await postgresStart(floorDir)))
    for (const how of ['serve', 'npm'] as const) {
      const { ready_ms, stop } = await start(folder, how)
      times[how].push(ready_ms)
      await stop()
    }
  }
  await Promise.all([folder, floorDir].map(each => rm(each, { recursive: true, force: true })))
  const floor = median(times.floor)
  return [
    { what: 'floor: node, then Postgres', time: seconds(floor), ratio: '1.0' },
    {
      what: 'sheetcast serve',
      time: mark(median(times.serve)),
      ratio: (median(times.serve) / floor).toFixed(1),
    },
    { what: 'npm start', time: mark(median(times.npm)), ratio: (median(times.npm) / floor).toFixed(1) },
  ]
}

async function measureMemory() {
  const folder = newFolder()
  const first = await start(folder, 'serve')
  await untilAtRest(join(folder, 'data'))
  await first.stop()
  const { pid, stop } = await start(folder, 'serve')
  await sleep(30_000)
  const rows: { what: string; megabytes: number }[] = []
  for (const each of await descendants(pid)) rows.push(await memoryOf(each))
  await stop()
  await rm(folder, { recursive: true, force: true })
  const total = rows.reduce((sum, { megabytes }) => sum + megabytes, 0)
  const byWhat = Map.groupBy(rows, row => row.what)
  return [...byWhat]
    .map(([what, each]) => ({
      what: `${each.length} × ${what}`,
      memory: `${each.reduce((sum, row) => sum + row.megabytes, 0).toFixed(0)} MB`,
    }))
    .concat({ what: 'together', memory: `${total.toFixed(0)} MB${total > 250 ? ' (!)' : ''}` })
}

const MOST_GROWTH_MB = 20

async function measureGrowth() {
  const folder = newFolder()
  const data = join(folder, 'data')
  const first = await start(folder, 'serve')
  await untilAtRest(data)
  await first.stop()
  const { origin, pid, stop } = await start(folder, 'serve')
  await sleep(30_000)
  const mainMemory = async () => (await memoryOf(await processOf(pid))).megabytes
  const before = await mainMemory()
  const ask = await signedIn(origin)
  const { results } = Reports.parse(await ask('GET', '/api/gs-template-setting/?limit=25'))
  const reports = results.filter(({ gaps }) => gaps.length === 0).map(({ id }) => id)
  for (let runs = 0; runs < RUNS; runs += reports.length) {
    await ask('POST', '/api/gs-template-execution/', { reports })
    await untilAtRest(data)
  }
  await sleep(30_000)
  const after = await mainMemory()
  await stop()
  await rm(folder, { recursive: true, force: true })
  const growth = after - before
  const isOver = growth > MOST_GROWTH_MB
  return [
    { what: 'before', memory: `${before.toFixed(0)} MB` },
    { what: 'after', memory: `${after.toFixed(0)} MB` },
    { what: 'growth', memory: `${growth.toFixed(0)} MB${isOver ? ' (!)' : ''}` },
  ]
}

const Reports = z.object({ results: z.array(z.looseObject({ id: z.number(), gaps: z.array(z.unknown()) })) })

/** The demo's first runs have ended: what works on runs is then no part of what rests. */
async function untilAtRest(dataDir: string) {
  const { db, close } = await connect((await findEmbedded(dataDir)) ?? '', { command: 'bench' })
  const isBusy = () =>
    db
      .selectFrom('run')
      .select('id')
      .where('status', 'in', ['queued', 'fetching', 'writing'])
      .executeTakeFirst()
  while (await isBusy()) await sleep(200)
  await close()
}

async function start(folder: string, how: 'npm' | 'serve') {
  const [port, sandbox_port] = [await freePort(), await freePort()]
  const began = performance.now()
  const [command, ...args] =
    how === 'npm' ? ['npm', 'start', '--silent'] : [process.execPath, 'src/cli/sheetcast.ts', 'serve']
  const child = spawn(command ?? '', args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: String(port),
      SANDBOX_PORT: String(sandbox_port),
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  while (!(await fetch(`http://localhost:${port}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`)
    await sleep(10)
  }
  const ready_ms = performance.now() - began
  const pid = child.pid ?? 0
  return {
    ready_ms,
    pid,
    origin: `http://localhost:${port}`,
    async stop() {
      // npm would hand the signal on to its shell only: the signal goes to the product itself.
      const all = await descendants(pid)
      const product = all.find(
        each => each.command.includes('sheetcast.ts serve') && !each.command.startsWith('sh'),
      )
      process.kill(product?.pid ?? pid, 'SIGTERM')
      await exited
    },
  }
}

interface Process {
  pid: number
  parent: number
  command: string
}

/** A process and all its descendants, as Linux reports them. */
async function descendants(pid: number): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const all = (await Promise.all(pids.map(each => processOf(Number(each)).catch(() => null)))).filter(
    each => each !== null,
  )
  const below = (parent: number): Process[] =>
    all.filter(each => each.parent === parent).flatMap(each => [each, ...below(each.pid)])
  return [...all.filter(each => each.pid === pid), ...below(pid)]
}

async function processOf(pid: number): Promise<Process> {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  const [, parent = '0'] = /\) \S (\d+)/.exec(stat ?? '') ?? []
  return { pid, parent: Number(parent), command: (command ?? '').replaceAll('\0', ' ').trim() }
}

/** What is shared between processes, as Postgres's buffers are, counts once. */
async function memoryOf({ pid, command }: Process) {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return { what: command.includes('postgres') ? 'postgres' : 'node', megabytes: Number(kilobytes) / 1024 }
}

async function nodeStart(): Promise<number> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - began
}

async function postgresStart(data_dir: string): Promise<number> {
  const began = performance.now()
  const server = await startEmbedded({ data_dir, command: 'bench' })
  const took = performance.now() - began
  await server.stop()
  return took
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const mark = (ms: number) => `${seconds(ms)}${ms > 2000 ? ' (!)' : ''}`
