import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { AccessClaims } from '#server/http/tokens.ts'
import { exampleBlock } from './database.ts'

export interface Seeded {
  superuser: AccessClaims
  /** One of the people; they have this many reports, this one among them. */
  owner: AccessClaims
  owned: number
  report: number
}

const OWNED = 1000

/**
 * This many reports, a thousand a person, in fifty folders each; names in Latin and Chinese, one of 5,000
 * rare in both, and one run each.
 */
export async function seedReports(db: Db, reports: number): Promise<Seeded> {
  await sql`
    insert into users (username, identity, user_type)
    select 'person ' || n, case when n = 0 then 'superuser' else 'staff' end, 1
    from generate_series(0, ${reports / OWNED}::int) n order by n`.execute(db)
  const [superuser, first] = await db.selectFrom('users').select('id').orderBy('id').limit(2).execute()
  if (!superuser || !first) throw new Error('nobody')
  await insertFolders(db, first.id, reports)
  await insertReports(db, first.id, reports)
  await sql`
    insert into run (id, report, owner, trigger, status, finished_at, rows)
    select gen_random_uuid(), id, owner, 'schedule', 'completed', now(), 365 from report`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { id: report } = await db
    .selectFrom('report')
    .select('id')
    .where('owner', '=', first.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    superuser: await signedIn(db, superuser.id),
    owner: await signedIn(db, first.id),
    owned: OWNED,
    report,
  }
}

/** Ten under the root of each person, and four in each of those. */
async function insertFolders(db: Db, first: number, reports: number) {
  await sql`
    insert into folder (owner, name, layer)
    select ${first} + n / 10, 'Folder ' || n % 10, 1 from generate_series(0, ${reports / 100 - 1}::int) n`.execute(
    db,
  )
  await sql`
    insert into folder (owner, name, layer, parent)
    select owner, 'Part ' || n, 2, id from folder, generate_series(1, 4) n`.execute(db)
}

async function insertReports(db: Db, first: number, reports: number) {
  await sql`
    with home as (select owner, array_agg(id) as ids from folder group by owner)
    insert into report (owner, folder, name, spreadsheet_url, spreadsheet_id, sheet_name, target_state, timezone, header_language, arrangement,
      fill_zero, dimensions, channels, dynamic_range, update_frequency, next_run_at, created_at, last_modified_at)
    select home.owner, home.ids[1 + n % 50],
      case when n % 5000 = 17 then 'Zephyr 星雲計劃 ' else
        (array['Aurora', 'Borealis', 'Cedar', 'Delta', 'Ember', 'Fjord'])[1 + n % 6] || ' '
        || (array['廣告成效', '每日報表', '品牌搜尋', '週報 weekly', 'monthly'])[1 + n % 5] || ' ' end || n,
      'https://docs.google.com/spreadsheets/d/' || n, 'sheet ' || n, 'Data', 'ok', 'Asia/Taipei', 'en', 'joined',
      false, '["date","campaign"]', ${JSON.stringify([exampleBlock])}::jsonb, 1, 2, now() + interval '1 day', made, made
    from generate_series(0, ${reports - 1}::int) n
      join home on home.owner = ${first} + n / ${OWNED}::int,
      lateral (select now() - n * interval '10 s' as made) at`.execute(db)
}

export async function signedIn(db: Db, user_id: number): Promise<AccessClaims> {
  const family = randomUUID()
  await db.insertInto('refresh_family').values({ id: family, user_id, created_at: new Date() }).execute()
  return { user_id, family }
}
