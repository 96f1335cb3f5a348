import { fork, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freePort } from '#server/free-port.ts'
import { connect, type Db } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { inParallel } from '#server/in-parallel.ts'
import { hashPassword } from '#server/resources/session/passwords.ts'
import { percentile } from '#server/testing/quantile.ts'
import { accountOf } from './backpressure-harness.ts'
import type { BenchTable } from './case.ts'
import { probeList, signedIn, type Ask } from './product-client.ts'

// One table of ten million cells beside many small ones: what it costs these, requests of the list meanwhile,
// and the memory. The platform and the spreadsheet service are a process of their own that has all responses
// ready. A spreadsheet has no room for ten million cells and their staging copy, so that the large run ends
// with `cell_limit` when its table is stored, which is where the memory was needed.

const SMALL = Number(process.env.SMALL ?? 200)
/** Small runs at a time, so that a run's time is not the length of the queue. */
const AT_ONCE = 8
/** Between two requests of the list. */
const PAUSE_MS = 20
/** Accounts, days and campaigns of the large report: 9 columns. */
const LARGE = { accounts: 4, days: 1000, campaigns: Number(process.env.CAMPAIGNS ?? 277) }
const PASSWORD = 'glacier tuba orchid'

export const tables: BenchTable[] = [
  {
    id: 'P5, P8',
    what: `${SMALL} small reports, then as many beside one of ${((LARGE.accounts * LARGE.days * LARGE.campaigns * 9) / 1e6).toFixed(1)} million cells (API p99 ≤ 2 × idle; ≤ 550 MB for its process)`,
    measure,
  },
]

async function measure() {
  const system = await startInstant(makeReports)
  try {
    return await measured(system)
  } finally {
    await system.stop()
  }
}

async function measured(system: InstantProduct & { small: number[]; large: number }) {
  const { db, small, large, ask } = system
  const idle = await probeList(ask, PAUSE_MS, count => count < 300)
  // What is loaded and compiled by the first ones is none of the large one's doing.
  await burst(db, ask, small.slice(0, 20))
  const alone = await besides(ask, () => burst(db, ask, small))
  const memoryBefore = system.peak()
  const began = performance.now()
  const ended = runToEnd(db, ask, large)
  const over = new AbortController()
  void ended.finally(() => over.abort())
  const besideTimes: number[] = []
  const beside = await besides(ask, async () => {
    do besideTimes.push(...(await burst(db, ask, small)))
    while (!over.signal.aborted)
    return besideTimes
  })
  const { code, cells } = await ended
  const tookS = (performance.now() - began) / 1000
  return [
    { what: 'machine', figure: `load ${loadavg()[0]?.toFixed(1)} at the end` },
    {
      what: 'the large report',
      figure: `${(cells / 1e6).toFixed(1)} million cells, ${code ?? 'completed'} after ${tookS.toFixed(0)} s`,
    },
    { what: 'small reports, alone', figure: spread(alone.runs) },
    { what: `small reports, beside it (${beside.runs.length})`, figure: spread(beside.runs) },
    { what: 'list of reports, idle', figure: spread(idle) },
    { what: 'list of reports, small ones', figure: against(alone.api, idle) },
    { what: 'list of reports, beside the large one', figure: against(beside.api, idle) },
    { what: 'peak of the main process', figure: `${system.peak().main} MB, ${memoryBefore.main} before` },
    {
      what: 'peak of the largest process for runs',
      figure: `${system.peak().runs} MB, ${memoryBefore.runs} before`,
    },
  ]
}

/** Durations of runs, and of the list that is requested meanwhile. */
async function besides(ask: Ask, work: () => Promise<number[]>) {
  const over = new AbortController()
  const runs = work().finally(() => over.abort())
  const api = await probeList(ask, PAUSE_MS, () => !over.signal.aborted)
  return { runs: await runs, api }
}

/** Runs all of them, a few at a time; returns how long each took from the click on. */
async function burst(db: Db, ask: Ask, reports: readonly number[]) {
  const times: number[] = []
  await inParallel(reports, AT_ONCE, async report => {
    const began = performance.now()
    const { code } = await runToEnd(db, ask, report)
    if (code !== null) throw new Error(`a small report ended with ${code}`)
    times.push(performance.now() - began)
  })
  return times
}

async function runToEnd(db: Db, ask: Ask, report: number) {
  await ask('POST', '/api/gs-template-execution/', { reports: [report] })
  for (;;) {
    const { rows } = await sql<{ status: string; code: string | null; cells: number }>`
      select status, code, coalesce((select sum((block ->> 'rows')::int) from jsonb_array_elements(blocks) block), 0)::int * 9 as cells
      from run where report = ${report} order by id desc limit 1`.execute(db)
    const [run] = rows
    if (run && (run.status === 'completed' || run.status === 'error')) return run
    await sleep(20)
  }
}

const spread = (times: number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`
const against = (times: number[], idle: number[]) =>
  `${spread(times)}: × ${(percentile(times, 0.99) / percentile(idle, 0.99)).toFixed(1)} of idle`

export type InstantProduct = Awaited<ReturnType<typeof startInstant<object>>>

/** A product whose platform and spreadsheet service answer at once, with reports. */
export async function startInstant<Reports extends object>(make: (db: Db) => Promise<Reports>) {
  const harness = fork(join(import.meta.dirname, 'backpressure-harness.ts'), { execArgv: [] })
  const [harness_port] = await once(harness, 'message')
  const folder = mkdtempSync(join(tmpdir(), 'sheetcast-bench-'))
  // Started as root, the database runs as another user, who must reach it.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const product = spawn(process.execPath, ['src/cli/sheetcast.ts', 'serve'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, ...settingsOf(folder, `http://127.0.0.1:${harness_port}`, port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(product, 'exit')
  const origin = `http://localhost:${port}`
  while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) {
    if (product.exitCode !== null) throw new Error(`the product ended with ${product.exitCode}`)
    await sleep(100)
  }
  const { db, listen, close } = await connect((await findEmbedded(join(folder, 'data'))) ?? '', {
    command: 'bench',
  })
  await sql`
    insert into users (username, identity, user_type, password_hash)
    values ('bench', 'superuser', 1, ${await hashPassword(PASSWORD)})`.execute(db)
  await sql`insert into advertiser (name) values ('Bench')`.execute(db)
  const reports = await make(db)
  const watching = watchMemory(product.pid ?? 0)
  return {
    db,
    listen,
    platform: `http://127.0.0.1:${harness_port}`,
    ...reports,
    ask: await signedIn(origin, { username: 'bench', password: PASSWORD }),
    peak: watching.peak,
    async stop() {
      watching.stop()
      await close()
      product.kill('SIGTERM')
      await exited
      harness.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function settingsOf(folder: string, harness: string, port: number) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = join(folder, 'key.json')
  const account = {
    client_email: 'bench@example.com',
    private_key: privateKey,
    token_uri: `${harness}/token`,
  }
  writeFileSync(key, JSON.stringify({ type: 'service_account', ...account }))
  return {
    SANDBOX: '0',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    WRITES_PER_MINUTE: '1000000',
    GOOGLE_SERVICE_ACCOUNT_FILE: key,
    GOOGLE_SHEETS_BASE_URL: harness,
    GOOGLE_DRIVE_BASE_URL: harness,
    GOOGLE_TOKEN_URL: `${harness}/token`,
    META_BASE_URL: harness,
    META_ACCESS_TOKEN: 'bench',
    SHEETS_REQUESTS_PER_MINUTE_USER: '100000',
    SHEETS_REQUESTS_PER_MINUTE_PROJECT: '100000',
  }
}

/**
 * Small ones of 60 days and ten campaigns, and the large one, each with a spreadsheet and accounts of its
 * own.
 */
async function makeReports(db: Db) {
  const small: number[] = []
  for (let n = 0; n < SMALL; n++)
    small.push(await makeReport(db, `small-${n}`, { accounts: 1, days: 60, campaigns: 10 + n }))
  return { small, large: await makeReport(db, 'large', LARGE) }
}

const METRICS = ['impressions', 'clicks', 'cost', 'conversions', 'ctr', 'cpc', 'cpm']

export async function makeReport(
  db: Db,
  name: string,
  { accounts, days, campaigns, metrics = METRICS }: typeof LARGE & { metrics?: string[] },
): Promise<number> {
  const ids: number[] = []
  for (let nth = 0; nth < accounts; nth++) {
    const externalId = `${accountOf(campaigns, nth)}`
    const { rows } = await sql<{ id: number }>`
      insert into ad_account (channel, provider, external_id, name, currency, timezone, advertiser)
      select 'fb', 'meta', ${externalId}, ${`${name} ${nth}`}, 'USD', 'UTC', id from advertiser
      on conflict do nothing returning id`.execute(db)
    const known = await sql<{
      id: number
    }>`select id from ad_account where external_id = ${externalId}`.execute(db)
    ids.push(rows[0]?.id ?? known.rows[0]?.id ?? 0)
  }
  const block = { channel: 'fb', label: null, accounts: ids, metrics, filters: [], on_error: 'leave_empty' }
  await sql`
    insert into spreadsheet_binding (spreadsheet_id, advertiser, proof, verified_at)
    select ${name}, id, 'permission', now() from advertiser`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into report (owner, name, spreadsheet_id, spreadsheet_url, sheet_name, sheet_id, target_state, timezone, header_language,
      arrangement, fill_zero, dimensions, channels, dynamic_range, date_start, date_end, update_frequency)
    select users.id, ${name}, ${name}, 'https://docs.google.com/spreadsheets/d/S/edit', 'Data', 0, 'ok', 'UTC', 'en', 'joined', false,
      '["date","campaign"]', ${JSON.stringify([block])}::jsonb, 0, current_date - ${days + 1}::int, current_date - 2, 0
    from users returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`insert into report_account (report, block, ad_account) select ${id}, 0, unnest(${ids}::bigint[])`.execute(
    db,
  )
  return id
}

/** The most that the main process and any of its processes for runs have had, in megabytes. */
function watchMemory(pid: number) {
  const peak = { main: 0, runs: 0 }
  const timer = setInterval(() => {
    peak.main = Math.max(peak.main, peakOf(pid))
    for (const child of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
      if (isRunProcessOf(child, pid)) peak.runs = Math.max(peak.runs, peakOf(Number(child)))
  }, 200)
  return { peak: () => ({ ...peak }), stop: () => clearInterval(timer) }
}

function isRunProcessOf(child: string, pid: number) {
  try {
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'utf8')) ?? []
    return (
      Number(parent) === pid && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('workers/process.ts')
    )
  } catch {
    return false
  }
}

function peakOf(pid: number) {
  try {
    return Math.round(
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    )
  } catch {
    return 0
  }
}
