import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { createTestDatabase } from './testing/database.ts'

const database = await createTestDatabase()
afterAll(database.drop)

it('the migration to plain names keeps what waits: slots, waitlists and the runs in them', async () => {
  const migrations = await readMigrations()
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0033_plain_names'),
  )
  await migrate(database.url, { migrations: before })
  await query(`
    insert into users (id, username, identity, user_type) overriding system value values (1, 'ann', 'staff', 1);
    insert into report (id, owner, name, timezone, header_language, arrangement, fill_zero, dimensions, channels, dynamic_range, update_frequency)
      overriding system value values (1, 1, 'Daily', 'Asia/Taipei', 'en', 'joined', false, '["date"]', '[]', 1, 0);
    insert into run (id, report, owner, trigger, status, line, turn_at, round)
      values ('019a0000-0000-7000-8000-000000000001', 1, 1, 'schedule', 'queued', 'sheets line schedule user robot', '2026-11-02', 3);
    insert into quota (scope, turns, per_minute) values
      ('sheets line schedule user robot', array['2026-11-01'::timestamptz], 60),
      ('meta account 7 (line)', '{}', null),
      ('meta account 7', '{}', null);
    insert into quota_slot (scope, holder, nth, state, is_urgent, until)
      select 'ga4 account 1', gen_random_uuid(), 0, state, false, '2026-11-03' from unnest(array['waiting', 'called', 'held']) as state`)

  await migrate(database.url)

  expect(await query('select waitlist, waitlist_until, round from run')).toEqual([
    { waitlist: 'sheets waitlist schedule user robot', waitlist_until: new Date('2026-11-02Z'), round: 3 },
  ])
  expect(await query('select scope, permits from quota order by scope')).toEqual([
    { scope: 'meta account 7', permits: [] },
    { scope: 'sheets waitlist schedule user robot', permits: [new Date('2026-11-01Z')] },
  ])
  expect(await query('select state from quota_slot order by state')).toEqual([
    { state: 'held' },
    { state: 'waiting' },
    { state: 'woken' },
  ])
})

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
