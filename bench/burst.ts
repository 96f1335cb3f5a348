import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { connect, type Db } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { percentile } from '#server/testing/quantile.ts'
import { startFurtherWorker } from '../e2e/further-processes.ts'
import { startProduct, type ProductProcess } from '../e2e/product.ts'
import type { BenchTable } from './case.ts'
import { countDamaged, hasten, killed, makeReports, owners, watchMemory } from './burst-harness.ts'
import { probeList, signedIn, unfinished } from './product-client.ts'

// Nine o'clock: everybody's reports are due in one minute, and Google grants one system user 60 writes a
// minute, and 300 to a project. The clock is accelerated by granting more, to the product and in the sandbox
// alike; everything else takes the time that it takes.

const SIZE = Number(process.env.BURST ?? (process.env.LONG ? 10_000 : 1000))
const SPEED = Number(process.env.SPEED ?? (process.env.LONG ? 20 : 10))
const SYSTEM_USERS = Number(process.env.SYSTEM_USERS ?? 1)
/** Reports a second that the quotas let through: one write each. */
const BOUND = (Math.min(60 * SYSTEM_USERS, 300) / 60) * SPEED
const KILL_EVERY_MS = 6000
/** Between two requests of the list. */
const PAUSE_MS = 100
/** For making spreadsheets and looking at them. */
const WITHOUT_LIMIT = 100_000

export const tables: BenchTable[] = [
  {
    id: 'P6, P4, P8',
    what: `${SIZE.toLocaleString('en')} reports due at nine, one process, ${SYSTEM_USERS === 1 ? 'one system user' : `${SYSTEM_USERS} system users`}, time hastened × ${SPEED} (≤ 1.1 × the quota's bound, 0 failed, 0 damaged, nobody waits over 3 × their fair share)`,
    measure: () => measure({ kills: false }),
  },
  {
    id: 'P6, R2',
    what: `the same with three workers, one of which is killed every ${KILL_EVERY_MS / 1000} s`,
    measure: () => measure({ kills: true }),
  },
]

async function measure({ kills }: { kills: boolean }) {
  const quota = {
    SHEETS_REQUESTS_PER_MINUTE_USER: String(60 * SPEED),
    SHEETS_REQUESTS_PER_MINUTE_PROJECT: String(300 * SPEED),
    SANDBOX_SYSTEM_USERS: String(SYSTEM_USERS),
  }
  const product = await startProduct({
    ...quota,
    ...(kills && { ROLES: 'api,scheduler,worker', WORKER_CONCURRENCY: '2' }),
  })
  const url = (await findEmbedded(product.env.DATA_DIR ?? '')) ?? ''
  const { db, close } = await connect(url, { command: 'bench' })
  await untilDone(db)
  await hasten(product, WITHOUT_LIMIT)
  const reports = await makeReports(db, product, SIZE)
  await hasten(product, SPEED)
  const ask = await signedIn(product.origin)
  const idle = await probeList(ask, PAUSE_MS, count => count < 200)
  const begin = await countsOf(product)
  const killing = kills ? startKilling(product, url) : null
  const dueAt = new Date()
  await sql`update report set next_run_at = ${dueAt} where id = any(${reports})`.execute(db)
  const memory = watchMemory(product.pid)
  const started = performance.now()
  let waits = true
  const busy = await probeList(ask, PAUSE_MS, async () => {
    waits = await isUnderWay(db, reports, dueAt)
    return waits
  })
  const took_s = (performance.now() - started) / 1000
  const peak = memory()
  const kill_count = await killing?.stop()
  const counts = await countsOf(product)
  await hasten(product, WITHOUT_LIMIT)
  const result = {
    took_s,
    ended: await endedOf(db, reports),
    fairness: await fairnessOf(db, reports, dueAt),
    damaged: await countDamaged(db, product, reports),
    peak,
    counts: {
      writes: counts.writes - begin.writes,
      reads: counts.reads - begin.reads,
      refused: counts.refused - begin.refused,
      reports: counts.reports - begin.reports,
    },
    idle,
    busy,
    kill_count,
  }
  await close()
  await product.stop()
  return present(result)
}

async function untilDone(db: Db) {
  while ((await unfinished(db)) > 0) await sleep(200)
}

async function isUnderWay(db: Db, reports: readonly number[], dueAt: Date) {
  const { rows } = await sql<{ ended: number }>`
    select count(*)::int as ended from run
    where report = any(${[...reports]}) and due_at = ${dueAt} and finished_at is not null`.execute(db)
  return (rows[0]?.ended ?? 0) < reports.length
}

async function endedOf(db: Db, reports: readonly number[]) {
  const { rows } = await sql<{ completed: number; failed: number; runs: number; attempts: number }>`
    select count(*) filter (where status = 'completed')::int as completed, count(*) filter (where status <> 'completed')::int as failed,
      count(*)::int as runs, sum(attempt)::int as attempts
    from run where report = any(${[...reports]})`.execute(db)
  return rows[0] ?? { completed: 0, failed: 0, runs: 0, attempts: 0 }
}

/**
 * For each owner: when their last report was ready, beside when it would have been under a round robin of the
 * owners.
 */
async function fairnessOf(db: Db, reports: readonly number[], dueAt: Date) {
  const { rows } = await sql<{ username: string; runs: number; last_s: number }>`
    select users.username, count(*)::int as runs, extract(epoch from max(run.finished_at) - ${dueAt}::timestamptz)::float8 as last_s
    from run join users on users.id = run.owner where report = any(${[...reports]}) group by users.username`.execute(
    db,
  )
  const allS = Math.max(...rows.map(({ last_s }) => last_s))
  const total = rows.reduce((sum, { runs }) => sum + runs, 0)
  return owners.flatMap(({ username }) => {
    const own = rows.find(row => row.username === username)
    if (!own) return []
    // While each owner has runs left, each gets an equal share of the permits.
    const sharedRuns = rows.reduce((sum, { runs }) => sum + Math.min(runs, own.runs), 0)
    const fairS = (sharedRuns / total) * allS
    return [{ username, runs: own.runs, last_s: own.last_s, ratio: own.last_s / fairS }]
  })
}

const Totals = z.object({
  totals: z.record(
    z.string(),
    z.object({
      by_status: z.record(z.string(), z.number()),
      by_path: z.record(z.string(), z.number()),
    }),
  ),
})
type Counts = Record<'writes' | 'reads' | 'refused' | 'reports', number>

/** The requests to the spreadsheet service and the ad platforms since the sandbox began. */
async function countsOf({ sandbox }: ProductProcess): Promise<Counts> {
  const { totals } = Totals.parse(await (await fetch(`${sandbox}/control/requests`)).json())
  const counts: Counts = { writes: 0, reads: 0, refused: 0, reports: 0 }
  for (const { by_status, by_path } of Object.values(totals)) {
    counts.refused += by_status[429] ?? 0
    for (const [path, count] of Object.entries(by_path)) {
      if (/^GET \/v4\/spreadsheets|ByDataFilter$/.test(path)) counts.reads += count
      else if (path.includes('/v4/spreadsheets')) counts.writes += count
      else if (path.includes('/insights')) counts.reports += count
    }
  }
  return counts
}

/** Three workers beside the product's own; one of them dies every few seconds, and another one begins. */
function startKilling(product: ProductProcess, url: string) {
  const workers = Array.from({ length: 2 }, () => startFurtherWorker(product, url))
  const stopped = new AbortController()
  let killCount = 0
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await sleep(KILL_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) break
      const victim = workers.shift()
      if (!victim) break
      await killed(victim)
      killCount++
      workers.push(startFurtherWorker(product, url))
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await loop
      await Promise.all(workers.map(killed))
      return killCount
    },
  }
}

interface Result {
  took_s: number
  ended: Awaited<ReturnType<typeof endedOf>>
  fairness: Awaited<ReturnType<typeof fairnessOf>>
  damaged: number
  peak: ReturnType<ReturnType<typeof watchMemory>>
  counts: Counts
  idle: number[]
  busy: number[]
  kill_count: number | undefined
}

function present({ took_s, ended, fairness, damaged, peak, counts, idle, busy, kill_count }: Result) {
  // The permits of the first minute are there at once.
  const boundS = Math.max(0, SIZE - 60 * BOUND) / BOUND
  const flag = (isBad: boolean) => (isBad ? ' (!)' : '')
  const rate = (count: number) =>
    (count / SIZE).toFixed(2) + flag(kill_count === undefined && count / SIZE > 1.1)
  const p99 = [idle, busy].map(times => percentile(times, 0.99))
  return [
    {
      what: 'all ready after',
      figure: `${took_s.toFixed(0)} s, quota's bound ${(SIZE / BOUND).toFixed(0)} s (${boundS.toFixed(0)} s with a full first minute): × ${((took_s * BOUND) / SIZE).toFixed(2)}${flag((took_s * BOUND) / SIZE > 1.1)}`,
    },
    {
      what: 'runs',
      figure: `${ended.completed} completed, ${ended.failed} failed${flag(ended.failed > 0)}, ${ended.runs - SIZE} doubled${flag(ended.runs !== SIZE)}, ${(ended.attempts / SIZE).toFixed(2)} attempts each`,
    },
    { what: 'damaged tables', figure: `${damaged}${flag(damaged > 0)}` },
    { what: 'writes a report', figure: rate(counts.writes) },
    { what: 'reads a report', figure: rate(counts.reads) },
    { what: 'refused for the quota', figure: String(counts.refused) },
    { what: 'requests for reports to the ad platform', figure: String(counts.reports) },
    ...fairness.map(({ username, runs, last_s, ratio }) => ({
      what: `last of ${username}'s ${runs}`,
      figure: `${last_s.toFixed(0)} s, × ${ratio.toFixed(2)} of the fair share${flag(ratio > 3)}`,
    })),
    {
      what: 'list of reports, p99',
      figure: `${p99[1]?.toFixed(0)} ms, idle ${p99[0]?.toFixed(0)} ms: × ${((p99[1] ?? 0) / (p99[0] ?? 1)).toFixed(1)}`,
    },
    {
      what: 'most memory',
      figure: peak
        ? `${peak.main.toFixed(0)} MB for the process that answers, ${peak.runs.toFixed(0)} MB for those that run reports`
        : 'unknown',
    },
    ...(kill_count === undefined ? [] : [{ what: 'kills', figure: String(kill_count) }]),
  ]
}
