import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { AccessClaims } from '#server/http/tokens.ts'

/** The person with the reports, and the manager of the department that they are alone in. */
export interface SeededAccount {
  owner: AccessClaims
  manager: AccessClaims
}

/**
 * One person with this many reports in this many folders, a fifth of these subfolders; a run each, a client
 * per fifty reports with a month of spend, and a hundred reports of others that are shared with them.
 */
export async function seedAccount(
  db: Db,
  { reports, folders, department }: { reports: number; folders: number; department: number },
): Promise<SeededAccount> {
  const [owner, other, manager] = await db
    .insertInto('users')
    .values(
      ['owner', 'other', 'manager'].map(name => ({
        username: `${name} of ${reports}`,
        identity: name === 'manager' ? ('manager' as const) : ('staff' as const),
        user_type: 1,
        ...(name !== 'other' && { department }),
      })),
    )
    .returning('id')
    .execute()
  if (!owner || !other || !manager) throw new Error('nobody')
  await sql`
    insert into folder (owner, name, layer)
    select ${owner.id}, 'Client ' || n, 1 from generate_series(1, ${(folders * 4) / 5}::int) n`.execute(db)
  await sql`
    insert into folder (owner, name, layer, parent)
    select owner, 'Part', 2, id from folder where owner = ${owner.id} order by id limit ${folders / 5}::int`.execute(
    db,
  )
  await insertReports(db, { owner: owner.id, reports })
  await insertReports(db, { owner: other.id, reports: 100 })
  await sql`
    insert into report_share (report, user_id, access, shared_by)
    select id, ${owner.id}, 'viewer', owner from report where owner = ${other.id}`.execute(db)
  await sql`
    insert into run (id, report, owner, trigger, status, finished_at, rows)
    select gen_random_uuid(), id, owner, 'schedule', 'completed', now(), 365 from report
    where owner in (${owner.id}, ${other.id})`.execute(db)
  await sql`update report set last_run_at = now() where owner in (${owner.id}, ${other.id})`.execute(db)
  await insertClients(db, { owner: owner.id, clients: Math.ceil(reports / 50) })
  await sql`vacuum analyze`.execute(db)
  return { owner: await claimsOf(db, owner.id), manager: await claimsOf(db, manager.id) }
}

async function claimsOf(db: Db, user_id: number): Promise<AccessClaims> {
  const family = randomUUID()
  await db.insertInto('refresh_family').values({ id: family, user_id, created_at: new Date() }).execute()
  return { user_id, family }
}

/** Clients whom the owner serves, with an account each, which the owner's reports use in turn. */
async function insertClients(db: Db, { owner, clients }: { owner: number; clients: number }) {
  const named = `of ${owner}, `
  await sql`
    insert into advertiser (name) select ${named} || n from generate_series(1, ${clients}::int) n`.execute(db)
  await sql`
    insert into advertiser_member (advertiser, user_id)
    select id, ${owner} from advertiser where starts_with(name, ${named})`.execute(db)
  await sql`
    insert into ad_account (channel, external_id, name, currency, timezone, provider, advertiser)
    select 'fb', 'act_' || id, name, 'TWD', 'Asia/Taipei', 'meta', id from advertiser
    where starts_with(name, ${named})`.execute(db)
  await sql`
    with own as (
      select array_agg(account.id order by account.id) as ids from ad_account account
      join advertiser on advertiser.id = account.advertiser where starts_with(advertiser.name, ${named}))
    insert into report_account (report, block, ad_account)
    select report.id, 0, own.ids[1 + report.id % ${clients}::int] from report, own
    where report.owner = ${owner}`.execute(db)
  await sql`
    insert into spend_day (ad_account, day, cost)
    select account.id, current_date - n, 1000 from ad_account account
      join advertiser on advertiser.id = account.advertiser, generate_series(1, 30) n
    where starts_with(advertiser.name, ${named})`.execute(db)
}

async function insertReports(db: Db, { owner, reports }: { owner: number; reports: number }) {
  const block = (channel: string) =>
    JSON.stringify([
      { channel, label: null, accounts: [1], metrics: ['cost'], filters: [], on_error: 'leave_empty' },
    ])
  await sql`
    with home as (select array_agg(id order by id) as ids from folder where owner = ${owner})
    insert into report (owner, folder, name, spreadsheet_url, spreadsheet_id, sheet_name, target_state, timezone, header_language, arrangement,
      fill_zero, dimensions, channels, dynamic_range, update_frequency, next_run_at, created_at, last_modified_at)
    select ${owner}, case when n % 100 = 0 then null else home.ids[1 + n % greatest(1, cardinality(home.ids))] end,
      case when n % 5000 = 17 then 'Zephyr ' else 'Report ' end || n,
      'https://docs.google.com/spreadsheets/d/' || n, 'sheet ' || ${owner}::int || ' ' || n, case when n % 50 = 0 then '' else 'Data' end, 'ok',
      'Asia/Taipei', 'en', 'joined', false, '["date"]',
      case when n % 9 = 0 then ${block('aw')}::jsonb else ${block('fb')}::jsonb end, 1, 2, now() + n * interval '1 s', made, made
    from home, generate_series(0, ${reports - 1}::int) n, lateral (select now() - n * interval '10 s' as made) at`.execute(
    db,
  )
}
