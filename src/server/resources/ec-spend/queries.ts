import { sql } from 'kysely'
import type { BillingMonth } from '#shared/api/ec-spend.ts'
import { firstDayOf, monthOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { AdjustmentGroup, Customer } from './live.ts'

/** What decides a statement beside costs. */

export interface CustomerFilter {
  advertiser?: number | undefined
  industry?: number | undefined
}

/** In the order of their names. */
export async function readCustomers(db: Db, { advertiser, industry }: CustomerFilter): Promise<Customer[]> {
  let customers = db.selectFrom('advertiser')
  if (advertiser !== undefined) customers = customers.where('id', '=', advertiser)
  if (industry !== undefined) customers = customers.where('industry', '=', industry)
  return await customers
    .select(['id', 'name', 'billing_currency', 'tax', 'media_billing'])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export async function adjustmentGroups(
  db: Db,
  { months, advertiser }: { months: readonly string[]; advertiser?: number | undefined },
): Promise<AdjustmentGroup[]> {
  if (months.length === 0) return []
  const { rows } = await sql<AdjustmentGroup>`
    select advertiser, to_char(month, 'YYYY-MM') as month, channel, currency, sum(amount)::text as amount
    from adjustment where month = any(${months.map(firstDayOf)}::date[])
      ${advertiser === undefined ? sql`` : sql`and advertiser = ${advertiser}`}
    group by advertiser, month, channel, currency`.execute(db)
  return rows
}

// Months.

/** A month that nobody has locked or opened is open. */
export async function readMonths(db: Db, months: readonly string[]): Promise<BillingMonth[]> {
  const rows = await db
    .selectFrom('billing_month')
    .leftJoin('users', 'users.id', 'billing_month.locked_by')
    .select(['month', 'state', 'locked_at', 'waivers', personName('users').as('locked_by')])
    .where('month', 'in', months.map(firstDayOf))
    .execute()
  const names = await accountNames(
    db,
    rows.flatMap(({ waivers }) => waivers.map(({ ad_account }) => ad_account)),
  )
  const byMonth = new Map(rows.map(row => [monthOf(row.month), row]))
  return months.map(month => {
    const { state = 'open', locked_by = null, locked_at = null, waivers = [] } = byMonth.get(month) ?? {}
    return {
      month,
      state,
      locked_by,
      locked_at: locked_at?.toISOString() ?? null,
      waivers: waivers.map(waiver => ({ ...waiver, account_name: names.get(waiver.ad_account) ?? '' })),
    }
  })
}

async function accountNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('ad_account')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
