import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { spreadsheetsOf } from '#server/demo/spreadsheets.ts'
import { startProduct, type ProductProcess } from '../e2e/product.ts'
import type { BenchTable } from './case.ts'
import { hasten } from './burst-harness.ts'
import { unfinished } from './product-client.ts'

// Reports of many accounts on several platforms that fall due at once: the requests to the platforms.

const REPORTS = process.env.LONG ? 1000 : 200
const ACCOUNTS = 20
/** Writing is not measured: the spreadsheet service lets everything through. */
const QUOTA_SPEED = 1000

export const tables: BenchTable[] = [
  {
    id: 'P4',
    what: `${REPORTS} reports over ${ACCOUNTS} accounts of five platforms, due at once: fetches (≤ 1.05 × the distinct (account, grain, days))`,
    measure,
  },
]

async function measure() {
  const product = await startProduct({
    SPEND_REFRESH_MINUTES: '0',
    SHEETS_REQUESTS_PER_MINUTE_USER: '60000',
    SHEETS_REQUESTS_PER_MINUTE_PROJECT: '60000',
  })
  const { db, close } = await connect((await findEmbedded(product.env.DATA_DIR ?? '')) ?? '', {
    command: 'bench',
  })
  try {
    while ((await unfinished(db)) > 0) await sleep(200)
    await hasten(product, QUOTA_SPEED)
    const reports = await makeReports(db, product)
    const started = performance.now()
    await sql`update report set next_run_at = now() where id = any(${reports})`.execute(db)
    while (!(await isDone(db, reports))) await sleep(500)
    const tookS = (performance.now() - started) / 1000
    const { completed, answers, requests, distinct } = await countsOf(db, reports)
    const ratio = answers / distinct
    return [
      { what: 'runs', figure: `${completed} of ${REPORTS} completed, ${tookS.toFixed(0)} s` },
      {
        what: 'P4 fetches',
        figure: `${answers}, ${distinct} distinct: × ${ratio.toFixed(2)}${ratio > 1.05 ? ' (!)' : ''}`,
      },
      { what: 'requests that they took', figure: String(requests) },
    ]
  } finally {
    await close()
    await product.stop()
  }
}

async function isDone(db: Db, reports: number[]): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from run where report = any(${reports}) and finished_at is not null`.execute(db)
  return rows[0]?.n === reports.length
}

async function makeReports(db: Db, { sandbox }: ProductProcess): Promise<number[]> {
  const service = spreadsheetsOf({ sheets: sandbox, drive: sandbox }, 'manager@sheetcast.demo')
  const files: string[] = []
  for (let count = 0; count < REPORTS; count++) {
    const file = await service.create(`Burst ${count}`, ['Data'])
    await service.share(file, 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com', 'writer')
    files.push(file)
  }
  const { rows } = await sql<{ id: number }>`
    with account as (
      select id, channel, row_number() over (order by nth, channel) - 1 as place from (
        select id, channel, row_number() over (partition by channel order by id) as nth from ad_account
        where channel in ('fb', 'aw', 'yg', 'tt', 'ln') and status = 'enabled' and advertiser is not null
      ) each order by nth, channel limit ${ACCOUNTS}
    ), bound as (
      insert into spreadsheet_binding (spreadsheet_id, advertiser, proof)
      select file, advertiser.id, 'permission' from unnest(${files}::text[]) as file, advertiser
      where advertiser.name = 'Aurora Cosmetics'
    )
    insert into report (owner, name, spreadsheet_id, spreadsheet_url, sheet_name, sheet_id, target_state, timezone, header_language,
      arrangement, fill_zero, dimensions, channels, dynamic_range, date_start, date_end, update_frequency, update_time)
    select users.id, 'Burst ' || each.n, each.file, ${`${sandbox}/spreadsheets/d/`}::text || each.file || '/edit', 'Data', 0, 'ok',
      'Asia/Taipei', 'en', 'joined', false, '["date", "campaign"]',
      jsonb_build_array(jsonb_build_object('channel', account.channel, 'label', null, 'accounts', jsonb_build_array(account.id),
        'metrics', '["impressions", "clicks", "cost"]'::jsonb, 'filters', '[]'::jsonb, 'on_error', 'leave_empty')),
      0, current_date - 20, current_date - 2, 2, '09:00:00'
    from unnest(${files}::text[]) with ordinality as each (file, n)
      join account on account.place = each.n % ${ACCOUNTS}
      join users on users.username = 'superuser'
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into report_account (report, block, ad_account)
    select id, 0, (channels -> 0 -> 'accounts' ->> 0)::bigint from report where id = any(${ids})`.execute(db)
  return ids
}

/** Each account is fetched at two grains: for the table, and for its own total. */
async function countsOf(db: Db, reports: number[]) {
  const { rows } = await sql<{ completed: number; answers: number; requests: number; accounts: number }>`
    select count(*) filter (where run.status = 'completed')::int as completed, sum(answers_requested)::int as answers,
      sum(platform_requests)::int as requests,
      count(distinct report.channels -> 0 -> 'accounts') filter (where run.status = 'completed')::int as accounts
    from run join report on report.id = run.report where run.report = any(${reports})`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('there are no runs')
  return { ...counts, distinct: counts.accounts * 2 }
}
