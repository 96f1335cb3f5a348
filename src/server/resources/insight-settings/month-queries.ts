import { sql } from 'kysely'
import { firstDayOf, monthOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

// Months that EC spending has locked: what they were converted with stays.

/** Those that are locked, of some, or of all. */
export async function lockedMonths(db: Db, months?: readonly string[]): Promise<string[]> {
  if (months?.length === 0) return []
  let locked = db.selectFrom('billing_month').select('month').where('state', '=', 'locked')
  if (months) locked = locked.where('month', 'in', months.map(firstDayOf))
  const rows = await locked.orderBy('month').execute()
  return rows.map(({ month }) => monthOf(month))
}

/**
 * Until the end of the transaction no month is locked or opened; returns those of the months that are
 * locked.
 */
export async function holdOpen(trx: Trx, months: readonly string[]): Promise<string[]> {
  await sql`lock table billing_month in row share mode`.execute(trx)
  return await lockedMonths(trx, months)
}
