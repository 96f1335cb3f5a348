import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { startEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { DatabaseProblem } from './problem.ts'
import { createTestDatabase } from './testing/database.ts'

const LONG = process.env['LONG'] === '1'
/** Of runs, and as many lines of the audit trail. */
const ROWS = Number(process.env['ROWS'] ?? (LONG ? 1_000_000 : 2000))
const REPORTS = ROWS / 20
/** The state that databases come from: of the release before, and in the full form of an early one. */
const STATES = LONG ? ['0013_notices', '0024_support_images'] : ['0024_support_images']

const migrations = await readMigrations()
const empty = await createTestDatabase()
await migrate(empty.url)
const expected = await describeSchema(empty.url)
const releasers = [empty.drop]
afterAll(async () => {
  for (const release of releasers) await release()
})

describe.each(STATES)('a database in use at %s', state => {
  it('is migrated by processes that are killed half-way, while others go on using it, and loses nothing', async () => {
    const known = migrations.findIndex(({ name }) => name === state) + 1
    expect(known).toBeGreaterThan(0)
    const pending = migrations.slice(known)
    // The full form kills at each of them.
    const killedAt = (LONG ? pending : pending.slice(-1)).map(({ name }) => name)
    const database = await openOwn()
    await migrate(database.url, { migrations: migrations.slice(0, known) })
    await fill(database.url)
    const load = startLoad(database.url)
    const locks = watchLocks(database.url)
    const began = performance.now()
    const kills: string[] = []
    for (const name of killedAt) if (await migrateUntil(name, database.url)) kills.push(name)
    await resume(database.url)
    const tookMs = Math.round(performance.now() - began)
    const { slowest, statements, failures } = await load.stop()
    const longest = await locks.stop()

    expect(failures).toEqual([])
    expect(await describeSchema(database.url)).toBe(expected)
    const [counted] = await query(
      database.url,
      `select (select count(*)::int from run where status = 'completed') as runs, (select count(*)::int from report) as reports,
        (select count(*)::int from audit where action = 'report.run') as lines,
        (select count(*)::int from pg_index where not indisvalid) as broken`,
    )
    expect(counted).toEqual({ runs: ROWS, reports: REPORTS, lines: ROWS, broken: 0 })
    expect(kills).toEqual(killedAt)
    // Reported, not asserted: it depends on the machine, too.
    console.log(
      `${state}: ${ROWS} runs, ${kills.length} kills, ${tookMs} ms; meanwhile ${statements} statements of others, the slowest ${slowest.ms} ms (${slowest.name}), the longest wait for a lock of a migration ${longest.ms} ms${longest.behind}`,
    )
  })
})

/** The full form has a server of its own that waits for the disk, as in production. */
async function openOwn(): Promise<{ url: string }> {
  if (!LONG) {
    const database = await createTestDatabase()
    releasers.push(database.drop)
    return database
  }
  const data_dir = await mkdtemp(join(tmpdir(), 'sheetcast-large-'))
  const server = await startEmbedded({ data_dir, command: 'test' })
  releasers.push(async () => {
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
  })
  return server
}

async function fill(url: string) {
  await query(
    url,
    `insert into users (username, identity, user_type) select 'person ' || n, 'staff', 1 from generate_series(1, 100) n`,
  )
  await query(
    url,
    `insert into report (owner, name, timezone, header_language, arrangement, fill_zero, dimensions, channels, dynamic_range, update_frequency)
     select n % 100 + 1, 'Report ' || n, 'Asia/Taipei', 'en', 'joined', false, '["date"]', '[]', 1, 0 from generate_series(1, ${REPORTS}) n`,
  )
  await query(
    url,
    `insert into run (id, report, owner, trigger, status, finished_at, rows)
     select gen_random_uuid(), n % ${REPORTS} + 1, (n % ${REPORTS}) % 100 + 1, 'schedule', 'completed', now(), 365 from generate_series(1, ${ROWS}) n`,
  )
  await query(
    url,
    `insert into audit (at, actor, action, object, object_id, detail)
     select now() - n * interval '1 second', n % 100 + 1, 'report.run', 'report', n::text, '{"rows": 365}' from generate_series(1, ${ROWS}) n`,
  )
  await query(url, 'analyze')
}

/** What the program queries all day, without a pause, until it is stopped. */
function startLoad(url: string) {
  const statements: Record<string, (n: number) => string> = {
    'list reports': n =>
      `select id, name, next_run_at from report where owner = ${1 + (n % 100)} and deleted_at is null order by id limit 25`,
    'read runs': n =>
      `select id, status from run where report = ${1 + (n % REPORTS)} order by queued_at desc limit 5`,
    'begin a run': n =>
      `insert into run (id, report, owner, trigger, status) values (gen_random_uuid(), ${1 + (n % REPORTS)}, ${1 + ((n % REPORTS) % 100)}, 'click', 'error')`,
    'change a report': n => `update report set last_modified_at = now() where id = ${1 + (n % REPORTS)}`,
    'write the trail': n => `insert into audit (actor, action) values (${1 + (n % 100)}, 'report.change')`,
    'read a person': n => `select id, identity from users where id = ${1 + (n % 100)}`,
  }
  const stopping = new AbortController()
  let count = 0
  let slowest = { name: '', ms: 0 }
  const failures: string[] = []
  const sessions = Object.entries(statements).map(async ([name, statement]) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    for (let n = 0; !stopping.signal.aborted; n++) {
      const began = performance.now()
      await client.query(statement(n)).catch(error => failures.push(`${name}: ${error}`))
      const ms = Math.round(performance.now() - began)
      if (ms > slowest.ms) slowest = { name, ms }
      count++
    }
    await client.end()
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(sessions)
      return { slowest, statements: count, failures }
    },
  }
}

/** How long others waited for a lock that a migration held, and behind what. */
function watchLocks(url: string) {
  const stopping = new AbortController()
  let longest = { ms: 0, behind: '' }
  const watching = watch()
  async function watch() {
    const client = new Client({ connectionString: url, application_name: 'watch' })
    await client.connect()
    while (!stopping.signal.aborted) {
      const { rows } = await client.query<{ ms: number; behind: string }>(WAITING)
      const [first] = rows
      if (first && first.ms > longest.ms) longest = first
      await sleep(10)
    }
    await client.end()
  }
  return {
    async stop() {
      stopping.abort()
      await watching
      return longest
    },
  }
}

const WAITING = `
  select round(extract(epoch from clock_timestamp() - waiting.waitstart) * 1000)::int as ms,
    ' behind ' || regexp_replace(left(migrating.query, 200), '\\s+', ' ', 'g') as behind
  from pg_locks waiting
  join pg_stat_activity asking on asking.pid = waiting.pid and asking.application_name not like 'sheetcast migrate%'
  join pg_stat_activity migrating on migrating.pid = any(pg_blocking_pids(waiting.pid)) and migrating.application_name like 'sheetcast migrate%'
  where not waiting.granted and waiting.waitstart is not null
  order by 1 desc limit 1`

/**
 * Migrates in a process of its own, which is killed as soon as it reports that it has begun this migration;
 * false when it never did.
 */
async function migrateUntil(name: string, url: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let hasBegun = false
  for await (const line of createInterface({ input: child.stdout }))
    if (line === `migrating: ${name}`) {
      hasBegun = true
      child.kill('SIGKILL')
    }
  await ended
  return hasBegun
}

const PROGRAM = `
  import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
  const options = { log: line => console.log(line) }
  await migrate(process.argv[1], options)
    .catch(error => { if (error.code !== 'half_migrated') throw error; return migrate(process.argv[1], { ...options, resume: true }) })`

/** As an operator would: again, and with --resume where the message says so. */
async function resume(url: string) {
  try {
    await migrate(url)
  } catch (error) {
    if (!(error instanceof DatabaseProblem) || error.code !== 'half_migrated') throw error
    await migrate(url, { resume: true })
  }
}

async function query(url: string, text: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
