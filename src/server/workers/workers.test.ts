import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { RunEvent } from '#shared/api/executions.ts'
import { testApi } from '#server/http/testing/api.ts'
import { enqueueRuns, isRunWaiting } from '#server/queue/queue.ts'
import type { Role } from '#server/interval.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { RUN_CHANNEL } from '#server/resources/runs/queries.ts'
import { startWorker } from '#server/worker.ts'
import type { TestSettings } from './testing/workers-program.ts'
import { openWorkerProcesses, type WorkerProcesses, type WorkerProcessesOptions } from './worker-processes.ts'
import { recordWorkerDeath } from '#server/resources/runs/lease-queries.ts'

const agency = await testAgency()
const { db, url, listen, sandbox } = agency
const api = await testApi()
const person = await api.signedIn('staff')
const requestApi = async () => (await person.get('/api/gs-template-folder/')).status

const Line = z.looseObject({
  msg: z.string(),
  run: z.string().optional(),
  step: z.string().optional(),
  worker_pid: z.number().optional(),
})
type Line = z.infer<typeof Line>

let role: Role | null = null
afterEach(async () => {
  await role?.stop(0)
  role = null
  await sandbox.setFaults([])
})

/**
 * The worker as the product starts it, with four runs at a time in one process and one more in a process of
 * its own.
 */
async function work(
  settings: Partial<TestSettings> = {},
  onLine: (line: Line) => void = () => undefined,
  visits: Pick<WorkerProcessesOptions, 'hasVisitors' | 'after' | 'rest_limit_bytes'> = {
    hasVisitors: () => true,
  },
): Promise<WorkerProcesses> {
  const write = (line: string) => onLine(Line.parse(JSON.parse(line)))
  const log = pino({ level: 'info' }, { write })
  const processes = openWorkerProcesses({
    program: join(import.meta.dirname, 'testing/workers-program.ts'),
    settings: {
      database_url: url,
      sandbox: { base_url: sandbox.base_url, folder: sandbox.folder },
      hungry: [],
      busy: [],
      done: '',
      capacity: 1_000_000,
      lease_s: 10,
      ...settings,
    } satisfies TestSettings,
    most: { shared: 1, alone: 1 },
    concurrency: 4,
    isRunWaiting: pool => isRunWaiting(db, pool),
    ...visits,
    heap_mb: 96,
    // A busy machine must not be taken for a process that does not close.
    stop_ms: 120_000,
    log,
    onDeath: run_ids => void recordWorkerDeath(db, run_ids),
  })
  role = await startWorker(agency, { processes, log })
  return processes
}

/** Starts runs; resolves when each of them has ended, with the outcomes. */
async function begin(runs: string[]): Promise<{ each: Map<string, Promise<string>> }> {
  const ends = new Map(runs.map(run => [run, Promise.withResolvers<string>()]))
  const unlisten = await listen(RUN_CHANNEL, payload => {
    const { run, status } = RunEvent.parse(JSON.parse(payload))
    if (status === 'completed' || status === 'error') ends.get(run)?.resolve(status)
  })
  await db.transaction().execute(async trx => {
    await trx.updateTable('run').set({ resumes_at: null }).where('id', 'in', runs).execute()
    await enqueueRuns(trx, runs)
  })
  const each = new Map([...ends].map(([run, end]) => [run, end.promise]))
  void Promise.all(each.values()).then(unlisten)
  return { each }
}

/** A new run of a new report, whose last table had so many cells. */
async function runOf(cells = 0) {
  const { id } = await agency.report()
  const last = { status: 'completed', finished_at: new Date(), rows: cells / 10, columns: 10 } as const
  if (cells > 0) await agency.queue(id, last)
  return { report: id, run: await waiting(id) }
}
const LARGE = 2_000_000
/** A run of the report that no process claims before it has begun. */
const waiting = (report: number, fields: { is_large?: true } = {}) =>
  agency.queue(report, { resumes_at: new Date(Date.now() + 3600_000), ...fields })
const statuses = (runs: { run: string }[], each: Map<string, Promise<string>>) =>
  Promise.all(runs.map(({ run }) => each.get(run)))

describe.runIf(process.platform === 'linux')('a process that executes runs', () => {
  it('gets none of our secrets in its environment', async () => {
    vi.stubEnv('SMTP_URL', 'smtp://ann:canary@smtp.example')
    vi.stubEnv('CREDENTIAL_KEYS', 'canary')
    let pid: number | undefined
    await work({}, line => (pid ??= line.worker_pid))
    const run = await runOf()
    const { each } = await begin([run.run])
    expect(await each.get(run.run)).toBe('completed')
    vi.unstubAllEnvs()
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(environment).toContain('PATH=')
    expect(environment).not.toContain('canary')
  })
})

describe('a process without a run', () => {
  it.each([
    { rests: 3, visits: 2, what: 'stays while somebody has a page open' },
    { rests: 10, visits: 100, what: 'ends at last although there are visitors' },
  ])('$what', async ({ rests, visits }) => {
    // A minute is over as soon as the run is, and whenever another one would begin.
    const minutes: (() => void)[] = []
    let left = visits
    const processes = await work({}, undefined, {
      hasVisitors: () => left-- > 0,
      after(_, over) {
        minutes.push(over)
        return { cancel: () => void minutes.splice(minutes.indexOf(over), 1) }
      },
    })
    const run = await runOf()
    const { each } = await begin([run.run])
    expect(await each.get(run.run)).toBe('completed')
    const count = () => processes.usage().reduce((sum, pool) => sum + pool.processes, 0)
    await vi.waitUntil(() => minutes.length > 0, { timeout: 120_000 })
    for (let rest = 1; rest <= rests; rest++) {
      expect(count()).toBe(1)
      minutes.shift()?.()
    }
    expect({ count: count(), minutes }).toEqual({ count: 0, minutes: [] })
  })
})

describe('a run that needs more memory than there is', () => {
  it('crashes its process and not the API, is quarantined at last, and costs no other run its table', async () => {
    const hungry = await runOf()
    const others = [await runOf(), await runOf(), await runOf()]
    const apiStatuses: Promise<number>[] = []
    const passing: Promise<unknown>[] = []
    const processes = await work({ hungry: [hungry.report], lease_s: 1 }, ({ msg }) => {
      if (!msg.startsWith('worker process died')) return
      apiStatuses.push(requestApi())
      // As if the time had passed in which a dead worker's request could still be applied.
      passing.push(db.deleteFrom('spreadsheet_write').execute())
    })
    const { each } = await begin([hungry, ...others].map(({ run }) => run))
    expect(await each.get(hungry.run)).toBe('error')
    expect(await statuses(others, each)).toEqual(['completed', 'completed', 'completed'])
    expect(await Promise.all(apiStatuses)).toEqual([200, 200, 200])
    await Promise.all(passing)
    expect(processes.deaths()).toBe(3)
    expect(await agency.runRow(hungry.run)).toMatchObject({
      code: 'internal_error',
      detail: { lost_leases: 3 },
    })
  })
})

describe('a large report', () => {
  it('delays neither the API nor small reports, and the next large one waits for it', async () => {
    const done = join(sandbox.folder, 'done')
    const [large, next] = [await runOf(LARGE), await runOf(LARGE)]
    const small = [await runOf(), await runOf(), await runOf()]
    const started = Promise.withResolvers<void>()
    const steps: string[] = []
    const processes = await work({ busy: [large.report], done }, ({ run, step }) => {
      if (run === large.run && step === 'planned') started.resolve()
      if (run === large.run || run === next.run) steps.push(`${run === next.run ? 'next' : 'large'} ${step}`)
    })
    const { each } = await begin([large.run, next.run])
    await started.promise
    // From here on its process calculates without a pause until it is stopped.
    const { each: of_small } = await begin(small.map(({ run }) => run))
    for (let call = 0; call < 20; call++) expect(await requestApi()).toBe(200)
    expect(await statuses(small, of_small)).toEqual(['completed', 'completed', 'completed'])
    expect(processes.usage()).toMatchObject([{ processes: 1 }, { processes: 1 }])
    expect(steps).toEqual(['large claimed', 'large planned'])
    writeFileSync(done, '')
    expect(await statuses([large, next], each)).toEqual(['completed', 'completed'])
    expect(steps.indexOf('next claimed')).toBeGreaterThan(steps.indexOf('large completed'))
  })

  it.each([
    ['while it is read', 25],
    // Ten groups of three cells, and a row for the header.
    ['when it is finished', 31],
  ])(
    'is one from the moment at which its table is too large, %s, and reads nothing twice',
    async (_, capacity) => {
      const { id } = await agency.report()
      const first = await waiting(id)
      const steps: string[] = []
      const processes = await work({ capacity }, ({ run, step }) => {
        if (run === first && step) steps.push(step)
      })
      const requestsOf = async (run: string) => {
        await db.deleteFrom('shared_fetch').execute()
        const before = (await sandbox.requests()).length
        expect(await (await begin([run])).each.get(run)).toBe('completed')
        return (await sandbox.requests()).slice(before).filter(({ path }) => path.includes('insights')).length
      }
      const requests = await requestsOf(first)
      expect(requests).toBeGreaterThan(0)
      // Of this one it is known.
      const second = await waiting(id, { is_large: true })
      expect(await requestsOf(second)).toBe(requests)
      expect(await agency.runRow(first)).toMatchObject({ attempt: 1, is_large: true })
      expect(await agency.runRow(second)).toMatchObject({ attempt: 1, is_large: true })
      expect(steps.filter(step => step === 'claimed')).toHaveLength(1)
      // It is there for the next run.
      await expect.poll(() => processes.usage().map(({ processes: count }) => count)).toEqual([1, 0])
    },
  )

  it.each([
    { what: 'stays for the next ones, large and small', limit: undefined, visitors: true, after: 1, pids: 1 },
    { what: 'is succeeded when it has too much memory', limit: 1, visitors: true, after: 1, pids: 3 },
    { what: 'ends when nobody is there', limit: undefined, visitors: false, after: 0, pids: 3 },
  ])('takes a process that is idle, which $what', async ({ limit, visitors, after, pids }) => {
    const runs = [await runOf(), await runOf(LARGE), await runOf(LARGE), await runOf()]
    const pidOf = new Map<string, number | undefined>()
    const hasEnded = new Map(runs.map(({ run }) => [run, Promise.withResolvers<void>()]))
    const onLine = ({ msg, run = '', step, worker_pid }: Line) => {
      if (step === 'claimed') pidOf.set(run, worker_pid)
      if (msg === 'run ended') hasEnded.get(run)?.resolve()
    }
    const processes = await work({}, onLine, {
      hasVisitors: () => visitors,
      ...(limit !== undefined && { rest_limit_bytes: limit }),
    })
    const counts = () => processes.usage().map(({ processes: count }) => count)
    for (const [index, { run }] of runs.entries()) {
      expect(await (await begin([run])).each.get(run)).toBe('completed')
      await hasEnded.get(run)?.promise
      const rest = index === 0 || index === 3 ? 1 : after
      await expect.poll(counts).toEqual([rest, 0])
    }
    const [small, large] = runs.map(({ run }) => pidOf.get(run))
    expect(large).toBe(small)
    expect(new Set(pidOf.values()).size).toBe(pids)
    expect(processes.deaths()).toBe(0)
  })

  it('waits for a process of its own when there is no room for another one', async () => {
    const done = join(sandbox.folder, 'done too')
    const [large, { run }] = [await runOf(LARGE), await runOf()]
    const started = Promise.withResolvers<void>()
    await work({ capacity: 20, busy: [large.report], done }, line => {
      if (line.run === large.run && line.step === 'planned') started.resolve()
    })
    const { each: of_large } = await begin([large.run])
    await started.promise
    const { each } = await begin([run])
    await expect.poll(async () => (await agency.runRow(run)).is_large, { timeout: 60_000 }).toBe(true)
    writeFileSync(done, '')
    expect([await of_large.get(large.run), await each.get(run)]).toEqual(['completed', 'completed'])
    const row = await agency.runRow(run)
    expect(row).toMatchObject({ attempt: 2, failures: 0, lost_leases: 0, is_large: true })
    expect(row.timeline).toMatchObject([
      { phase: 'fetching', attempt: 1 },
      { phase: 'waiting', why: 'room' },
      { phase: 'fetching', attempt: 2 },
      {},
      {},
      {},
    ])
  })

  it('ends with the limit of a spreadsheet when not even a process of its own can hold it', async () => {
    const run = await agency.queue((await agency.report()).id)
    expect(await agency.attempt(run, { pool: 'alone', capacity: { shared: 10, alone: 20 } })).toMatchObject({
      status: 'error',
      code: 'cell_limit',
    })
  })
})

/** Three accounts are due, as if nothing were known of them; the others are due tomorrow. */
async function makeDue() {
  await db.deleteFrom('spend_account').execute()
  const due = db.selectFrom('ad_account').select('id').where('provider', '=', 'meta').orderBy('id').limit(3)
  await db
    .insertInto('spend_account')
    .columns(['ad_account', 'next_at'])
    .expression(eb =>
      eb
        .selectFrom('ad_account')
        .select(['id', sql<Date>`now() + interval '1 day'`.as('next_at')])
        .where('id', 'not in', due),
    )
    .execute()
}

describe('the daily spend of accounts', () => {
  const refreshed = async () =>
    Number(
      (
        await db
          .selectFrom('spend_account')
          .select(eb => eb.fn.countAll().as('count'))
          .where('known_to', 'is not', null)
          .executeTakeFirstOrThrow()
      ).count,
    )

  it('is fetched in a process that ends with the last response', async () => {
    await makeDue()
    const processes = await work()
    const refreshing = processes.errand({ kind: 'spend', every_ms: 3_600_000 })
    expect(processes.usage()).toMatchObject([{ processes: 1 }, { processes: 0 }])
    await refreshing
    expect(processes.usage()).toMatchObject([{ processes: 0 }, { processes: 0 }])
    expect(await refreshed()).toBe(3)
    expect(processes.deaths()).toBe(0)
  })

  it('is fetched by the process that is there for runs, which stays', async () => {
    const { run } = await runOf()
    const processes = await work()
    const { each } = await begin([run])
    expect(await each.get(run)).toBe('completed')
    await makeDue()
    await processes.errand({ kind: 'spend', every_ms: 3_600_000 })
    expect(await refreshed()).toBe(3)
    expect(processes.usage()).toMatchObject([{ processes: 1 }, { processes: 0 }])
  })

  it('is fetched in a process that no click waits for: that of a large run stays beside it', async () => {
    const done = join(sandbox.folder, 'done with it')
    const { report, run } = await runOf(LARGE)
    const started = Promise.withResolvers<void>()
    const processes = await work({ busy: [report], done }, ({ run: of, step }) => {
      if (of === run && step === 'planned') started.resolve()
    })
    const { each } = await begin([run])
    await started.promise
    await makeDue()
    await sandbox.setFaults([{ platform: 'meta', path: 'insights', action: 'latency', delay_ms: 60_000 }])
    const refreshing = processes.errand({ kind: 'spend', every_ms: 3_600_000 })
    await expect.poll(claimed).toBeGreaterThan(0)
    await sandbox.setFaults([])
    writeFileSync(done, '')
    expect(await each.get(run)).toBe('completed')
    await expect
      .poll(() => processes.usage().map(({ processes: count }) => count), { timeout: 60_000 })
      .toEqual([2, 0])
    await role?.stop(0)
    role = null
    await refreshing
  })

  it('releases the accounts that it is fetching when the worker is stopped', async () => {
    await makeDue()
    await sandbox.setFaults([{ platform: 'meta', path: 'insights', action: 'latency', delay_ms: 60_000 }])
    const processes = await work()
    const refreshing = processes.errand({ kind: 'spend', every_ms: 3_600_000 })
    await expect.poll(claimed).toBeGreaterThan(0)
    await role?.stop(0)
    role = null
    await refreshing
    expect(await claimed()).toBe(0)
    expect(processes.deaths()).toBe(0)
  })

  const claimed = async () =>
    (await db.selectFrom('spend_account').select('ad_account').where('claim', 'is not', null).execute())
      .length
})

describe('a worker that is stopped', () => {
  it('has its processes release the runs in progress, which counts as no lost lease', async () => {
    await sandbox.setFaults([{ platform: 'meta', path: 'insights', action: 'latency', delay_ms: 60_000 }])
    const { run } = await runOf()
    const planned = Promise.withResolvers<void>()
    const processes = await work({}, ({ step }) => step === 'planned' && planned.resolve())
    await begin([run])
    await planned.promise
    await role?.stop(0)
    role = null
    expect(await agency.runRow(run)).toMatchObject({ status: 'queued', lost_leases: 0, lease_until: null })
    expect(processes.usage()).toMatchObject([{ processes: 0 }, { processes: 0 }])
    expect(processes.deaths()).toBe(0)
  })
})
