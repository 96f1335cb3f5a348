import { sql } from 'kysely'
import pino from 'pino'
import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { startScheduler } from '#server/worker.ts'

const { db } = await testDatabase()

it('notifies the owner of a schedule that has ended, once, however many schedulers there are', async () => {
  const past = { date_start: '2026-01-01', date_end: '2026-01-31', dynamic_range: 0 }
  const due = { update_frequency: 2, next_run_at: new Date('2026-02-20T01:00:00Z') }
  const { report, owner } = await insertReport(db, { ...past, ...due })
  await insertReport(db, { ...past, update_frequency: 2, next_run_at: null })
  const log = pino({ level: 'silent' })
  const schedulers = [1, 2, 3].map(() =>
    startScheduler(db, {
      isReady: sql`true`,
      testLogins: async () => 0,
      sweepErasures: async () => 0,
      renewLogins: async () => 0,
      audit_days: 730,
      time_zone: 'Asia/Taipei',
      log,
    }),
  )
  const notices = () => db.selectFrom('notification').select(['user_id', 'kind', 'report']).execute()
  await expect.poll(notices).toHaveLength(1)
  const { next_run_at } = await db
    .selectFrom('report')
    .select('next_run_at')
    .where('id', '=', report)
    .executeTakeFirstOrThrow()
  expect(next_run_at).toBeNull()
  await Promise.all(schedulers.map(scheduler => scheduler.stop(1000)))
  expect(await notices()).toEqual([{ user_id: owner, kind: 'schedule_ended', report }])
  expect(await db.selectFrom('run').select('id').execute()).toEqual([])
})
