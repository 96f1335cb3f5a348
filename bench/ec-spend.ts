import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createTokens } from '#server/http/tokens.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import { lockMonth } from '#server/resources/ec-spend/lock.ts'
import { billMonth } from '#server/resources/ec-spend/bill.ts'
import { asOfOneMoment } from '#server/resources/ec-spend/read-spend.ts'
import { serverOver } from './api.ts'
import type { BenchCase, Prepared } from './case.ts'
import { startDatabase, type BenchDatabase } from './database.ts'

// 300 advertisers with five channels of three accounts each, 24 months: 108,000 account months, of which all
// but the running and the last month are locked.

const MONTHS = 24
const SIZES = [30, 300]
const NOW = new Date('2026-12-03T02:00:00Z')
const FIRST = '2025-01-01'
const LAST = '2026-12'

const page = (what: string, query: string, floor: Floor): BenchCase => ({
  id: 'EC',
  what,
  sizes: SIZES,
  unit: 'advertisers',
  binding: [300],
  reach: { ratio: 2, megabytes: 50 },
  prepare: size => preparePage(size, query, floor),
})

export const cases: BenchCase[] = [
  page(
    'the page by advertiser, 24 months over HTTP, beside summing the account months in SQL (p95 ≤ 150 ms)',
    'group=advertiser',
    'sums',
  ),
  page('the same of 12 months', 'group=advertiser&from=2026-01', 'sums'),
  page('rows by channel as CSV, beside reading as many lines (36,000 rows ≤ 1.5 s)', 'format=csv', 'lines'),
  {
    id: 'EC',
    what: 'lock a month, beside inserting its account months into a bare table (≤ 2 s)',
    sizes: SIZES,
    unit: 'statements',
    reach: {},
    prepare: size => prepareAction(size, 'lock'),
  },
  {
    id: 'EC',
    what: 'bill a month, beside the same (≤ 2 s)',
    sizes: SIZES,
    unit: 'statements',
    reach: {},
    prepare: size => prepareAction(size, 'bill'),
  },
]

type Floor = 'sums' | 'lines'

async function preparePage(size: number, query: string, floor: Floor): Promise<Prepared> {
  const setup = await startDatabase()
  const { db } = setup
  const user = await seed(setup, size)
  await lockAll(setup, user)
  await sql`vacuum analyze`.execute(db)
  const key = randomBytes(32)
  const app = await serverOver(db, key)
  const session = { now: new Date(), session_days: 30, address: null, user_agent: null }
  const claims = await db.transaction().execute(trx => startFamily(trx, user, session))
  const token = await createTokens(key).signAccess(claims, new Date())
  const from = query.includes('from=') ? '' : '&from=2025-01'
  return {
    async ours() {
      const url = `/api/ad/ecspend/?${query}${from}&to=${LAST}`
      const { statusCode, body } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      if (statusCode !== 200) throw new Error(body.slice(0, 500))
    },
    floor: () => floors[floor].execute(db),
    async stop() {
      await app.close()
      await setup.stop()
    },
  }
}

const floors = {
  sums: sql`
    select advertiser, month, channel, currency, sum(cost)::float8 as spend
    from spend_month join ad_account on ad_account.id = spend_month.ad_account group by 1, 2, 3, 4`,
  lines: sql`
    select month, name, channel, currency, spend::float8, billed::float8, fee::float8, tax_amount::float8, total::float8
    from statement_line line join advertiser on advertiser.id = line.advertiser order by month, lower(name), channel`,
}

async function prepareAction(size: number, action: 'lock' | 'bill'): Promise<Prepared> {
  const setup = await startDatabase()
  const { db } = setup
  const user = await seed(setup, size)
  const month = '2025-01'
  const moment = { now: NOW, time_zone: 'Asia/Taipei' }
  const lock = () =>
    asOfOneMoment(db, trx => lockMonth(trx, { month, waive: [], first: true }, { user, moment }))
  const begin = async () => {
    await sql`truncate payment, statement, statement_line, locked_account, billing_month cascade`.execute(db)
    if (action === 'bill') await lock()
  }
  await sql`create table floor (like locked_account)`.execute(db)
  return {
    async ours() {
      await begin()
      return await timeOf(async () => {
        if (action === 'lock') await lock()
        else await db.transaction().execute(trx => billMonth(trx, { month }, { user, moment }))
      })
    },
    floor: () =>
      timeOf(
        async () =>
          await sql`insert into floor (month, ad_account, cost)
            select month, ad_account, cost from spend_month where month = ${`${month}-01`}`.execute(db),
      ),
    stop: setup.stop,
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function lockAll({ db }: BenchDatabase, user: number) {
  const months = Array.from({ length: MONTHS - 2 }, (_, index) =>
    Temporal.PlainYearMonth.from(FIRST.slice(0, 7)).add({ months: index }).toString(),
  )
  const moment = { now: NOW, time_zone: 'Asia/Taipei' }
  for (const [index, month] of months.entries())
    await asOfOneMoment(db, trx => lockMonth(trx, { month, waive: [], first: index === 0 }, { user, moment }))
}

/** Returns a person of finance. */
async function seed({ db }: BenchDatabase, advertisers: number): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ username: 'finance', identity: 'staff', user_type: 1, department: 7 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into advertiser (name, billing_currency) select 'Customer ' || n, 'TWD' from generate_series(1, ${advertisers}) n`.execute(
    db,
  )
  await sql`
    insert into fee_agreement (advertiser, currency, from_month, tiers)
    select id, 'TWD', '2024-01-01', '[{"up_to": null, "rate": 1500}]' from advertiser`.execute(db)
  await sql`
    insert into ad_account (channel, provider, external_id, name, currency, timezone, advertiser)
    select channel, provider, advertiser.id || '-' || n, channel || ' ' || n, 'TWD', 'Asia/Taipei', advertiser.id
    from advertiser cross join generate_series(1, 3) n
      cross join (values ('fb', 'meta'), ('aw', 'google_ads'), ('yg', 'ly_search'), ('tt', 'tiktok'), ('ln', 'line')) kind(channel, provider)`.execute(
    db,
  )
  await sql`
    insert into spend_month (ad_account, month, cost, known, origin, as_of)
    select id, month::date, (id * 7919 + extract(month from month)::bigint * 104729) % 90000000 * 1000, 'full', 'platform', now()
    from ad_account cross join generate_series(${FIRST}::date, ${`${LAST}-01`}::date, '1 month') month`.execute(
    db,
  )
  await sql`
    insert into spend_account (ad_account, known_from, known_to, refreshed_at, next_at)
    select id, '2025-11-01', '2026-12-03', now(), now() + interval '1 hour' from ad_account`.execute(db)
  return id
}
