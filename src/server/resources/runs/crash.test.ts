import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Provider } from '#shared/platforms.ts'
import { drawn } from '#server/testing/random.ts'
import type { WriterLimits } from '#server/sheets/work.ts'
import { dyingWorkers } from './testing/crash.ts'
import { TEST_NOW } from './testing/effects.ts'
import { everyPlatform } from './testing/every-platform.ts'
import { mixedAgency } from './testing/mixed-agency.ts'

const agency = await mixedAgency()
const { db, sandbox, service, block } = agency
const dieAt = dyingWorkers(agency)
const LONG = process.env.LONG === '1'

const one = [block(['Aurora Cosmetics Taiwan'])]
const many = [
  block(['Aurora Cosmetics Taiwan', 'Aurora Cosmetics Outlet']),
  block(['Delta Fitness new (empty)']),
  block(['Delta Fitness 台灣'], { metrics: ['clicks', 'ctr'] }),
]
const inSteps: Partial<WriterLimits> = { small_cells: 5, chunk: { bytes: 10_000, cells: 12 } }

/** Of platforms that prepare reports asynchronously. */
const made = (provider: Provider): typeof one =>
  agency.found
    .filter(account => account.provider === provider)
    .slice(0, 1)
    .map(({ id, channel }) => ({
      channel,
      label: null,
      accounts: [id],
      metrics: ['impressions', 'cost'],
      filters: [],
      on_error: 'leave_empty' as const,
    }))

interface Shape {
  name: string
  /** Called when all accounts have been found. */
  blocks: () => typeof one
  limits: Partial<WriterLimits>
  is_long?: true
}

const shapes: Shape[] = [
  { name: 'a table in one request', blocks: () => one, limits: {} },
  { name: 'a table in steps, assembled in a hidden tab', blocks: () => one, limits: inSteps },
  { name: 'several blocks and accounts', blocks: () => many, limits: {}, is_long: true },
  { name: 'several blocks and accounts in steps', blocks: () => many, limits: inSteps, is_long: true },
  {
    name: 'a table in steps without space for a hidden tab',
    blocks: () => one,
    limits: { small_cells: 5, cells: 725 },
    is_long: true,
  },
  { name: 'a table of a report that LINE prepares', blocks: () => made('line'), limits: {} },
  {
    name: 'a table of a report that LY prepares',
    blocks: () => made('ly_display'),
    limits: {},
    is_long: true,
  },
]

describe('a worker that is killed', () => {
  for (const { name, blocks, limits, is_long } of shapes) {
    it.skipIf(is_long && !LONG)(
      `at any step of ${name} leaves the old table or the new one, and the next worker finishes`,
      async () => {
        const { id, spreadsheet_id } = await agency.report({ blocks: blocks() })
        const read = async (how = {}) => hash('sha1', await service.document(spreadsheet_id, how))
        const setDays = (date_end: string) =>
          db.updateTable('report').set({ date_end }).where('id', '=', id).execute()

        // Two tables of different length alternate; each is first written undisturbed. Where the longer one
        // was, its formats stay.
        const days = ['2026-11-04', '2026-11-09']
        const stepsOf: string[][] = []
        const tables: string[] = []
        for (const end of [...days, ...days, ...days]) {
          await setDays(end)
          const steps: string[] = []
          stepsOf.push(steps)
          await agency.run(id, {
            ...everyPlatform,
            sheets_limits: limits,
            step: async step => void steps.push(step),
          })
          tables.push(await read())
        }
        const expected = tables.slice(2, 4)
        expect(tables.slice(4)).toEqual(expected)
        const [short = [], steps = []] = stepsOf.slice(-2)
        console.log(`${name}: ${steps.length} points: ${steps.join(', ')}`)

        for (const [count, [index, step]] of drawn([...steps.entries()], 6, name).entries()) {
          const table = count % 2
          const [before, after] = [expected[1 - table], expected[table]]
          await setDays(days[table] ?? '')
          const run_id = await agency.queue(id)
          const requested_before = await requestedReports()
          // The shorter table may be written by then.
          const ending = table === 0 && index >= short.length ? 0 : 'SIGKILL'
          expect(await dieAt(index + 1, { run_id, sheets_limits: limits }), step).toBe(ending)
          expect([before, after], step).toContain(await read({ visible: true }))
          await finish(run_id, limits)
          const requested = (await requestedReports()) - requested_before
          expect(requestedTooOften(requested, { steps: table === 0 ? short : steps, index }), step).toBe(0)
          expect(await read(), step).toBe(after)
          expect(await attemptsWithChunks(run_id), step).toHaveLength(1)
          // As if the 200 seconds had passed in which the dead worker's request could still be applied.
          await db.deleteFrom('spreadsheet_write').execute()
        }
        const runs = await db.selectFrom('run').select('status').where('report', '=', id).execute()
        expect(runs.map(run => run.status)).toEqual(
          Array(drawn(steps, 6, name).length + tables.length).fill('completed'),
        )
      },
    )
  }
})

/**
 * As a second worker does once the dead one's lease has ended. Where a report was read, it polls for it as
 * long as LINE may not list a new one.
 */
async function finish(run_id: string, sheets_limits: Partial<WriterLimits>) {
  await sql`update run set lease_until = now() - interval '1 s' where id = ${run_id} and lease_until is not null`.execute(
    db,
  )
  let now_ms = Date.parse(TEST_NOW)
  const effects = { ...everyPlatform, sheets_limits, now: () => new Date(now_ms) }
  let done = await agency.attempt(run_id, effects)
  for (let tables = 0; done.status === 'queued' && tables < 10; tables++) {
    now_ms += 15_000
    await agency.resume(run_id)
    done = await agency.attempt(run_id, effects)
  }
  expect(done).toMatchObject({ status: 'completed', failures: 0 })
}

/** How many reports the platforms have been asked to prepare. */
const requestedReports = () => sandbox.countOf(/^POST .*\/(pfreports|ReportDefinitionService\/add)$/)

/**
 * A recorded report is not requested again. Those that were requested by a worker that died before recording
 * them are (the table's and its total's are requested together), and so may be one that was read, since that
 * is rolled back; once the table is stored, none is.
 */
function requestedTooOften(requested: number, { steps, index }: { steps: string[]; index: number }): number {
  const usual = steps.filter(step => step === 'job kept').length
  const past = steps.slice(0, index + 1)
  const unrecorded = past.includes('job begun') ? usual - past.filter(step => step === 'job kept').length : 0
  const isRolledBack = past.includes('page') && !past.includes('stored')
  const most = isRolledBack ? usual * 2 : usual + unrecorded
  return requested < usual ? requested - usual : Math.max(0, requested - most)
}

const attemptsWithChunks = (run_id: string) =>
  db.selectFrom('run_chunk').select('attempt').distinct().where('run', '=', run_id).execute()
