import { firstDayOf, monthOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import type { RateRow } from './rates.ts'

export async function baseCurrency(db: Db): Promise<string> {
  const { base_currency } = await db.selectFrom('issuer').select('base_currency').executeTakeFirstOrThrow()
  return base_currency
}

/** All that a month may need: the latest ones before it, too. */
export async function readRates(db: Db, to: string): Promise<RateRow[]> {
  const rows = await db
    .selectFrom('rate')
    .select(['month', 'currency', 'rate', 'kind'])
    .where('month', '<=', firstDayOf(to))
    .orderBy('month')
    .execute()
  return rows.map(({ month, rate, ...row }) => ({ ...row, month: monthOf(month), rate: plain(rate) }))
}

/** A numeric(20, 10) has all its decimals. */
const plain = (rate: string) => rate.replace(/\.?0+$/, '')
