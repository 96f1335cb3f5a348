import type { BillingMonth } from '#shared/api/ec-spend.ts'
import { Checks, MonthQuery, Reconciliation, Statements } from '#shared/api/ec-spend.ts'
import type { Db } from '#server/db/connect.ts'
import { route } from '#server/http/route.ts'
import { accountsByMonth } from './account-queries.ts'
import { lockedAccounts } from './locked-queries.ts'
import { readMonth } from './month-checks.ts'
import { readCustomers, readMonths } from './queries.ts'
import { asOfOneMoment, scopeOf, type Moment } from './read-spend.ts'
import { reconciled } from './reconciliation.ts'
import { readLocked, readOpen } from './statements.ts'

export const EC_SPEND = '/api/ad/ecspend/'

// Directors and finance see every advertiser here, hence `rows`.

const statements = route('GET', `${EC_SPEND}statement/`, {
  level: 'director_or_finance',
  rows: 'every',
  transaction: 'own',
  summary: 'Get the statements of a month: live while it is open, as they were frozen once it is locked.',
  query: MonthQuery,
  reply: Statements,
  run: async ({ query, db, now, effects: { settings } }) =>
    asOfOneMoment(db, async trx => {
      const moment = { now, time_zone: settings.time_zone }
      const month = await readState(trx, query.month)
      const read = month.state === 'locked' ? readLocked : readOpen
      return { month, results: await read(trx, moment, query) }
    }),
})

const checks = route('GET', `${EC_SPEND}checks/`, {
  level: 'director_or_finance',
  rows: 'every',
  transaction: 'own',
  summary:
    'List what keeps a month from being locked, and what should be looked at; nothing for a locked one.',
  query: MonthQuery,
  reply: Checks,
  run: async ({ query: { month: of, advertiser }, db, now, effects: { settings } }) =>
    asOfOneMoment(db, async trx => {
      const month = await readState(trx, of)
      if (month.state === 'locked') return { month, results: [] }
      const moment = { now, time_zone: settings.time_zone }
      const { checks: found } = await readMonth(trx, moment, { month: of, waived: [], is_first: false })
      const results = found.filter(check => advertiser === undefined || check.advertiser === advertiser)
      return { month, results }
    }),
})

const reconciliation = route('GET', `${EC_SPEND}reconciliation/`, {
  level: 'director_or_finance',
  rows: 'every',
  transaction: 'own',
  summary: 'Compare what accounts report for a month with the invoices of their platforms.',
  query: MonthQuery,
  reply: Reconciliation,
  run: async ({ query, db, now, effects: { settings } }) =>
    asOfOneMoment(db, async trx => {
      const month = await readState(trx, query.month)
      return {
        month,
        results: await reconcile(trx, { now, time_zone: settings.time_zone }, { ...query, month }),
      }
    }),
})

async function reconcile(
  db: Db,
  moment: Moment,
  { month: { month, state }, advertiser }: { month: BillingMonth; advertiser?: number | undefined },
): Promise<Reconciliation['results']> {
  const locked = new Map(
    (await lockedAccounts(db, { months: [month], advertiser })).map(each => [each.ad_account, each]),
  )
  const isLocked = state === 'locked'
  // Of a locked month the accounts belong to whom they belonged to then.
  const scope = { months: [month], advertiser: isLocked ? undefined : advertiser }
  const accounts = await accountsByMonth(db, await scopeOf(db, moment, scope))
  const names = new Map((await readCustomers(db, {})).map(({ id, name }) => [id, name]))
  return accounts
    .filter(({ ad_account }) => !isLocked || locked.has(ad_account))
    .map(account => reconciled(account, { locked: locked.get(account.ad_account) ?? null, names }))
}

/** A month that nobody has touched is open. */
export async function readState(db: Db, month: string): Promise<BillingMonth> {
  const [state] = await readMonths(db, [month])
  return state ?? { month, state: 'open', locked_by: null, locked_at: null, waivers: [] }
}

export const monthRoutes = [statements, checks, reconciliation]
