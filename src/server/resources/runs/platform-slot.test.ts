import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ACCOUNTS } from '#sandbox/dataset/agency.ts'
import { platformLimiter } from '#server/admission/platform-limiter.ts'
import { queueChannel } from '#server/queue/queue.ts'
import { testAgency } from './testing/agency.ts'

const { db, listen, report, queue, attempt } = await testAgency()
const limiter = platformLimiter(db, sleep)
const TAIWAN = ACCOUNTS.find(({ name }) => name === 'Aurora Cosmetics Taiwan')?.id ?? ''
const account = { platform: 'meta', kind: 'account', id: TAIWAN, at_once: 4 } as const

it('waits without a worker while an account has no free slot, and is woken by the run that leaves', async () => {
  const others = [1, 2, 3].map(() =>
    limiter.forRun({ id: crypto.randomUUID(), is_urgent: false }, async () => {}),
  )
  for (const other of others) await other.acquire(account)
  // Of other days, so that the one does not wait for the request of the other.
  const [first, second] = [await report(), await report({ date_end: '2026-11-09' })]
  const run = await queue(second.id)
  const woken = Promise.withResolvers<string>()
  const unlisten = await listen(await queueChannel(db), woken.resolve)
  let second_row = null
  await attempt(await queue(first.id), {
    limiterFor: limiter.forRun,
    async step(step) {
      // The first one holds the slot, and what it has read.
      if (step === 'page') second_row ??= await attempt(run, { limiterFor: limiter.forRun })
    },
  })
  expect(second_row).toMatchObject({
    status: 'queued',
    code: 'quota_exhausted',
    failures: 0,
    platform_requests: 0,
  })
  expect(await woken.promise).toBe('shared')
  await unlisten()
  const { rows } = await sql`
    select resumes_at <= now() as is_due from run where id = ${run}`.execute(db)
  expect(rows).toEqual([{ is_due: true }])
  expect(await attempt(run, { limiterFor: limiter.forRun })).toMatchObject({
    status: 'completed',
    failures: 0,
  })
  for (const other of others) await other.close('for good')
  expect(await db.selectFrom('quota_slot').selectAll().execute()).toEqual([])
})

it('that waits for a quota until tomorrow is still in progress, and its schedule goes on', async () => {
  const { id } = await report({ update_frequency: 2, next_run_at: new Date(Date.now() + 3600_000) })
  await limiter.report(account, { used_percent: 100, pause_ms: 14 * 3600_000 })
  const waiting = await attempt(await queue(id, { trigger: 'schedule' }), { limiterFor: limiter.forRun })
  expect(waiting).toMatchObject({ status: 'queued', code: 'quota_exhausted', failures: 0 })
  expect(waiting.resumes_at?.getTime()).toBeGreaterThan(Date.now() + 13.9 * 3600_000)
  const row = await db
    .selectFrom('report')
    .select(['update_frequency', 'target_state', 'next_run_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ update_frequency: 2, target_state: 'ok', next_run_at: expect.any(Date) })
})
