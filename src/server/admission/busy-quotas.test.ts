import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { deleteIdleQuotas, listBusyQuotas } from './busy-quotas.ts'
import { pauseQuota, reserveRetry, takePermit } from './rate.ts'

const { db } = await testDatabase()
const rate = { per_minute: 60, burst: 5 }

it('lists quotas that are paused or used up, and leaves out rows that only space out retries', async () => {
  await takePermit(db, 'in use', rate)
  for (let sent = 0; sent < 6; sent++) await takePermit(db, 'used up', rate)
  await pauseQuota(db, 'paused', 60_000)
  await reserveRetry(db, 'paused', rate)
  const busy = await listBusyQuotas(db)
  expect(busy.map(({ scope, is_paused }) => [scope, is_paused])).toEqual([
    ['paused', true],
    ['used up', false],
  ])
})

it('deletes quotas that have been unused for a day unless they are paused, and slots whose lease has expired', async () => {
  await sql`truncate quota, quota_slot`.execute(db)
  for (const key of ['at rest', 'paused', 'in use']) await takePermit(db, key, rate)
  await sql`update quota set next_at = now() - interval '2 days' where scope <> 'in use'`.execute(db)
  await pauseQuota(db, 'paused', 60_000)
  await sql`
    insert into quota_slot (scope, holder, nth, state, is_urgent, until)
    select 'in use', gen_random_uuid(), 0, 'waiting', false, now() - age * interval '1 hour' from unnest(array[1, 48]) as age`.execute(
    db,
  )
  await deleteIdleQuotas(db)
  const { rows: quotas } = await sql<{ scope: string }>`select scope from quota order by scope`.execute(db)
  expect(quotas.map(({ scope }) => scope)).toEqual(['in use', 'paused'])
  expect(await db.selectFrom('quota_slot').selectAll().execute()).toHaveLength(1)
})
