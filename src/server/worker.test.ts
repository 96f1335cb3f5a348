import { spawn, type ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { randomOf, SEED } from '#server/testing/random.ts'
import { z } from 'zod'
import { RunEvent } from '#shared/api/executions.ts'
import { enqueueRuns } from '#server/queue/queue.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { RUN_CHANNEL } from '#server/resources/runs/queries.ts'

const agency = await testAgency()
const { db, url, listen, sandbox, service } = agency
const LONG = process.env.LONG === '1'

const Line = z.object({ run: z.string(), attempt: z.number(), step: z.string() })
type Line = z.infer<typeof Line>
const workers = new Set<ChildProcess>()

function startWorker(onLine: (line: Line, worker: ChildProcess) => void, { lease_s = 1, grace_ms = 0 } = {}) {
  const orders = {
    database_url: url,
    sandbox: { base_url: sandbox.base_url, folder: sandbox.folder },
    lease_s,
    grace_ms,
  }
  const worker = spawn(
    process.execPath,
    [join(import.meta.dirname, 'testing/worker-program.ts'), JSON.stringify(orders)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  workers.add(worker)
  worker.once('exit', () => workers.delete(worker))
  createInterface(worker.stdout).on('line', text => onLine(Line.parse(JSON.parse(text)), worker))
  return worker
}
afterEach(async () => {
  await Promise.all(
    [...workers].map(worker => {
      const ended = once(worker, 'exit')
      worker.kill('SIGKILL')
      return ended
    }),
  )
})

const DAYS = ['2026-11-04', '2026-11-09']
const setDays = (report: number, table: number) =>
  db
    .updateTable('report')
    .set({ date_end: DAYS[table] ?? '' })
    .where('id', '=', report)
    .execute()
const read = async (spreadsheetId: string) => hash('sha1', await service.document(spreadsheetId))

/** How often the tab's table was replaced, by the entry that each run leaves for the next. */
async function writesIn(spreadsheetId: string): Promise<number> {
  const fields =
    'spreadsheetId,properties.title,sheets(properties(sheetId,title,sheetType,hidden,gridProperties),developerMetadata)'
  const [user] = agency.effects().system_users
  if (!user) throw new Error('there is a system user')
  const { sheets } = await user.client.getSpreadsheet(spreadsheetId, { fields })
  const counts = sheets
    .flatMap(sheet => sheet.developerMetadata)
    .map(({ metadataValue }) => z.object({ n: z.number() }).parse(JSON.parse(metadataValue ?? '')).n)
  return Math.max(...counts)
}

/** A report whose two tables of different length have each been written, undisturbed. */
async function seasoned() {
  const { id, spreadsheet_id } = await agency.report()
  const tables: string[] = []
  for (const table of [0, 1, 0, 1]) {
    await setDays(id, table)
    await agency.run(id)
    tables.push(await read(spreadsheet_id))
  }
  return { id, spreadsheet_id, tables: tables.slice(2), table: 1, runs: 4 }
}

describe('several workers', () => {
  it('lose nothing and double nothing, however often they are killed or suspended past their lease', async () => {
    const random = randomOf(SEED)
    const reports: Awaited<ReturnType<typeof seasoned>>[] = []
    for (let count = 0; count < (LONG ? 12 : 4); count++) reports.push(await seasoned())

    const started = new Map<string, number>()
    const completions: string[] = []
    const begin = async (report: (typeof reports)[number]) => {
      report.table = 1 - report.table
      report.runs++
      await setDays(report.id, report.table)
      await db.transaction().execute(async trx => {
        const run = await agency.queue(report.id, {}, trx)
        started.set(run, report.id)
        await enqueueRuns(trx, [run])
      })
    }

    const kills = Number(process.env.KILLS ?? (LONG ? 200 : 4))
    const least = { kills, pauses: Math.ceil(kills / 5) }
    const done = { kills: 0, pauses: 0 }
    const allDone = () => done.kills >= least.kills && done.pauses >= least.pauses
    const hits = new Map<string, number>()
    const paused = new Map<string, { worker: ChildProcess; attempt: number }>()
    let countdown = 10
    const onLine = ({ run, attempt, step }: Line, worker: ChildProcess) => {
      const zombie = paused.get(run)
      if (zombie && attempt > zombie.attempt) {
        zombie.worker.kill('SIGCONT')
        paused.delete(run)
      }
      // A run that has lost its worker three times is quarantined, which has a test of its own.
      const isSpared = (hits.get(run) ?? 0) >= 2 || step === 'completed' || allDone()
      if (--countdown > 0 || isSpared) return
      countdown = 5 + Math.floor(random() * 25)
      hits.set(run, (hits.get(run) ?? 0) + 1)
      // The last ones required are pauses, if none was drawn before.
      const isPause = random() < 0.25 || done.kills >= least.kills
      if (isPause && done.pauses < least.pauses) {
        done.pauses++
        worker.kill('SIGSTOP')
        paused.set(run, { worker, attempt })
      } else {
        done.kills++
        workers.delete(worker)
        worker.kill('SIGKILL')
      }
      // A suspended worker is resumed only when another one has claimed its run.
      if (workers.size - paused.size < 3) startWorker(onLine)
    }

    const finished = Promise.withResolvers<void>()
    const unlisten = await listen(RUN_CHANNEL, payload => {
      const event = RunEvent.parse(JSON.parse(payload))
      if (!started.has(event.run)) return
      if (event.status === 'error') finished.reject(new Error(`${event.run} ended with an error`))
      if (event.status !== 'completed') return
      completions.push(event.run)
      const report = reports.find(one => one.id === event.report)
      const goOn = async () => {
        // As if the 200 seconds had passed in which a dead worker's request could still be applied.
        await db.deleteFrom('spreadsheet_write').where('run', '=', event.run).execute()
        if (!allDone() && report) await begin(report)
        else if (completions.length === started.size) finished.resolve()
      }
      goOn().catch(finished.reject)
    })
    for (let count = 0; count < 3; count++) startWorker(onLine)
    await Promise.all(reports.map(begin))
    await finished.promise
    await unlisten()

    console.log(`${started.size} runs, ${done.kills} kills, ${done.pauses} pauses`)
    expect(completions.toSorted()).toEqual([...started.keys()].toSorted())
    for (const { spreadsheet_id, tables, table, runs } of reports) {
      expect(await read(spreadsheet_id)).toBe(tables[table])
      expect(await writesIn(spreadsheet_id)).toBe(runs)
    }
  })
})

describe('a worker that stops', () => {
  it('releases the runs in progress, which counts neither as a failure nor as a lost lease', async () => {
    await sandbox.setFaults([{ platform: 'meta', path: 'insights', action: 'latency', delay_ms: 60_000 }])
    const { id } = await agency.report()
    const run = await agency.queue(id)
    const fetching = Promise.withResolvers<void>()
    const worker = startWorker(({ step }) => step === 'planned' && fetching.resolve(), { lease_s: 10 })
    await enqueueRuns(db, [run])
    await fetching.promise
    const ended = once(worker, 'exit')
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await sandbox.setFaults([])
    expect(await agency.runRow(run)).toMatchObject({
      status: 'queued',
      failures: 0,
      lost_leases: 0,
      lease_until: null,
      code: null,
    })
    expect(await agency.attempt(run)).toMatchObject({ status: 'completed', attempt: 2 })
  })

  it('finishes what takes less than its patience', async () => {
    const { id } = await agency.report()
    const run = await agency.queue(id)
    const started = Promise.withResolvers<void>()
    const worker = startWorker(({ step }) => step === 'claimed' && started.resolve(), { grace_ms: 100_000 })
    await enqueueRuns(db, [run])
    await started.promise
    const ended = once(worker, 'exit')
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await agency.runRow(run)).toMatchObject({ status: 'completed', attempt: 1 })
  })
})

describe('a run of which no worker was notified', () => {
  it('is found all the same', async () => {
    const completions = new Map<string, () => void>()
    const completed = (run: string) => new Promise<void>(resolve => completions.set(run, resolve))
    startWorker(line => line.step === 'completed' && completions.get(line.run)?.())
    const first = await agency.queue((await agency.report()).id)
    await completed(first)
    // It waits for notifications now.
    const run = await agency.queue((await agency.report()).id)
    await completed(run)
    expect(await agency.runRow(run)).toMatchObject({ status: 'completed' })
  })
})
