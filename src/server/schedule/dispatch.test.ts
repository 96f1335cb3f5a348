import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { countRead } from '#server/db/testing/count-read.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { dispatchDue, type DispatchEffects } from './dispatch.ts'

const { db } = await testDatabase()
const NINE = new Date('2026-11-20T01:00:00Z')
const enqueued: string[] = []
const odd: number[] = []
const ended: number[] = []
const effects = (now: Date, ready = true): DispatchEffects => ({
  db,
  enqueue: async (_, run_ids) => void enqueued.push(...run_ids),
  isReady: ready ? sql`true` : sql`false`,
  now: () => now,
  notifyEnded: async (_, reports) => void ended.push(...reports.map(report => report.id)),
  onUnexpected: (_, report) => void odd.push(report),
})
const daily = (fields = {}) => insertReport(db, { update_frequency: 2, next_run_at: NINE, ...fields })
const runsOf = (report: number) =>
  db.selectFrom('run').select(['id', 'due_at', 'status']).where('report', '=', report).execute()
const nextOf = async (report: number) =>
  (await db.selectFrom('report').select('next_run_at').where('id', '=', report).executeTakeFirstOrThrow())
    .next_run_at
const end = (run: string) =>
  db.updateTable('run').set({ status: 'completed' }).where('id', '=', run).execute()

beforeEach(async () => {
  enqueued.length = 0
  await sql`truncate report cascade`.execute(db)
})

describe('dispatching', () => {
  it('begins a run for a report that is due and moves its next occurrence on', async () => {
    const { report } = await daily()
    expect(await dispatchDue(effects(NINE))).toBe(1)
    const runs = await runsOf(report)
    expect(runs).toMatchObject([{ due_at: NINE, status: 'queued' }])
    expect(enqueued).toEqual(runs.map(run => run.id))
    expect(await nextOf(report)).toEqual(new Date('2026-11-21T01:00:00Z'))
  })

  it('leaves reports alone that are not due yet', async () => {
    await daily()
    expect(await dispatchDue(effects(new Date(NINE.getTime() - 1)))).toBe(0)
  })

  it('begins each occurrence once, however many schedulers dispatch at the same time', async () => {
    const reports = await Promise.all(Array.from({ length: 60 }, () => daily()))
    await Promise.all(Array.from({ length: 8 }, () => dispatchDue(effects(NINE))))
    for (const { report } of reports) expect(await runsOf(report)).toHaveLength(1)
    expect(new Set(enqueued).size).toBe(60)
  })

  it('enqueues one run for all that was missed while nothing was dispatched', async () => {
    const { report } = await daily()
    expect(await dispatchDue(effects(new Date('2026-11-25T12:00:00Z')))).toBe(1)
    expect(await nextOf(report)).toEqual(new Date('2026-11-26T01:00:00Z'))
  })

  it('keeps an occurrence due while the report is still running, and begins it afterwards', async () => {
    const { report } = await daily()
    await dispatchDue(effects(NINE))
    const [first] = await runsOf(report)
    const tomorrow = new Date('2026-11-21T01:00:00Z')
    expect(await dispatchDue(effects(tomorrow))).toBe(0)
    await end(first?.id ?? '')
    expect(await dispatchDue(effects(tomorrow))).toBe(1)
    expect(await runsOf(report)).toHaveLength(2)
  })

  it('stops at a fixed range that ended more than 14 days ago', async () => {
    const { report } = await daily({ dynamic_range: 0, date_start: '2026-10-01', date_end: '2026-11-05' })
    expect(await dispatchDue(effects(NINE))).toBe(0)
    expect(await nextOf(report)).toBeNull()
    expect(await dispatchDue(effects(NINE))).toBe(0)
    expect(ended).toEqual([report])
    const { report: within } = await daily({
      dynamic_range: 0,
      date_start: '2026-10-01',
      date_end: '2026-11-06',
    })
    await dispatchDue(effects(NINE))
    expect(await runsOf(within)).toHaveLength(1)
  })

  it('skips the occurrence of a report with a gap and tries the next', async () => {
    const { report } = await daily()
    expect(await dispatchDue(effects(NINE, false))).toBe(0)
    expect(await runsOf(report)).toEqual([])
    expect(await nextOf(report)).toEqual(new Date('2026-11-21T01:00:00Z'))
  })

  it('runs a one-time report once', async () => {
    const { report } = await daily({ update_frequency: 1 })
    await dispatchDue(effects(NINE))
    expect(await nextOf(report)).toBeNull()
  })

  it('moves each report on by its own schedule, though they are due together', async () => {
    const weekly = { update_frequency: 3, update_day_of_week: 5 }
    const schedules = [
      { fields: {}, next: '2026-11-21T01:00:00Z' },
      { fields: { update_time: '09:15:00' }, next: '2026-11-20T01:15:00Z' },
      { fields: { timezone: 'Asia/Tokyo' }, next: '2026-11-21T00:00:00Z' },
      { fields: weekly, next: '2026-11-27T01:00:00Z' },
      { fields: { ...weekly, update_day_of_week: 6 }, next: '2026-11-21T01:00:00Z' },
      { fields: { update_frequency: 4, update_day_of_month: 5 }, next: '2026-12-05T01:00:00Z' },
      { fields: { update_frequency: 4, update_day_of_month: 6 }, next: '2026-12-06T01:00:00Z' },
    ]
    const reports = []
    for (const { fields } of [...schedules, ...schedules]) reports.push((await daily(fields)).report)
    expect(await dispatchDue(effects(NINE))).toBe(reports.length)
    const nexts = await Promise.all(reports.map(nextOf))
    const expected = [...schedules, ...schedules].map(({ next }) => new Date(next))
    expect(nexts).toEqual(expected)
  })

  it('reads as much of the runs in progress for a report, however many there are', async () => {
    const readOfRuns = async () => {
      await daily()
      return await countRead(db, 'run', session => dispatchDue({ ...effects(NINE), db: session }))
    }
    const few = await readOfRuns()
    for (let count = 0; count < 50; count++) await daily()
    await dispatchDue(effects(NINE))
    expect(await readOfRuns()).toBe(few)
  })

  it('delays no other report when the next occurrence of one cannot be computed', async () => {
    const { report: broken } = await daily({ update_time: '24:00:00' })
    const { report } = await daily()
    expect(await dispatchDue(effects(NINE))).toBe(1)
    expect(await runsOf(report)).toHaveLength(1)
    expect(odd).toEqual([broken])
    expect(await nextOf(broken)).toEqual(new Date('2026-11-20T02:00:00Z'))
  })

  it('begins nothing when its runs cannot be enqueued', async () => {
    const { report } = await daily()
    const broken = { ...effects(NINE), enqueue: () => Promise.reject(new Error('no queue')) }
    await expect(dispatchDue(broken)).rejects.toThrow('no queue')
    expect(await runsOf(report)).toEqual([])
    expect(await nextOf(report)).toEqual(NINE)
  })
})
