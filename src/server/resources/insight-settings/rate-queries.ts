import { sql } from 'kysely'
import type { z } from 'zod'
import type {
  CreateExchangeRate,
  ExchangeRateQuery,
  UpdateExchangeRate,
} from '#shared/api/insight-settings.ts'
import { firstDayOf, monthOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { RateRow } from './rates.ts'

export async function baseCurrency(db: Db): Promise<string> {
  const { base_currency } = await db.selectFrom('issuer').select('base_currency').executeTakeFirstOrThrow()
  return base_currency
}

/** It stays until the end of the transaction. */
export async function heldBaseCurrency(trx: Trx): Promise<string> {
  const held = trx.selectFrom('issuer').select('base_currency').forShare()
  const { base_currency } = await held.executeTakeFirstOrThrow()
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
  return rows.map(({ month, rate, ...row }) => ({ ...row, month: monthOf(month), rate: plainRate(rate) }))
}

/** A numeric(20, 10) has all its decimals. */
export const plainRate = (rate: string) => rate.replace(/\.?0+$/, '')

// The list that people keep.

const listed = (db: Db) =>
  db
    .selectFrom('rate')
    .select(['id', 'version', 'currency', 'rate', 'kind', 'source', 'last_modified_at'])
    .select(sql<string>`to_char(month, 'YYYY-MM')`.as('month'))
    .select(
      // Locked months need the final ones: those have been converted with.
      sql<boolean>`kind = 'final' and exists (
        select from billing_month where billing_month.month = rate.month and state = 'locked')`.as(
        'is_locked',
      ),
    )

export type RateFilter = z.output<typeof ExchangeRateQuery>

export async function listRates(db: Db, { search = '', ...query }: RateFilter) {
  let found = db
    .selectFrom('rate')
    .where(sql<boolean>`concat_ws(' ', currency, source) ilike ${containing(search)}`)
  if (query.from !== undefined) found = found.where('month', '>=', firstDayOf(query.from))
  if (query.to !== undefined) found = found.where('month', '<=', firstDayOf(query.to))
  if (query.currency !== undefined) found = found.where('currency', '=', query.currency)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const page = found
    .select('id')
    .orderBy(sql.ref(`rate.${query.ordering.replace('-', '')}`), direction)
    .orderBy('id', direction)
    .limit(query.limit)
    .offset(query.offset)
  const rows = await listed(db)
    .where('id', 'in', page)
    .orderBy(sql.ref(`rate.${query.ordering.replace('-', '')}`), direction)
    .orderBy('id', direction)
    .execute()
  return { count, rows }
}
export type ListedRate = Awaited<ReturnType<typeof listRates>>['rows'][number]

export async function findRate(db: Db, id: number) {
  return await listed(db).where('id', '=', id).executeTakeFirst()
}

export async function lockRate(trx: Trx, id: number) {
  return await listed(trx).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The currencies in which accounts cost or customers are billed. */
export async function currenciesInUse(db: Db): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    select currency from ad_account
    union select billing_currency from advertiser where billing_currency is not null
    order by currency`.execute(db)
  return rows.map(({ currency }) => currency)
}

/** A second one of a month and currency is refused by the database. */
export async function insertRate(
  trx: Trx,
  { month, ...facts }: z.output<typeof CreateExchangeRate>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('rate')
    .values({ ...facts, month: firstDayOf(month), last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRate(
  trx: Trx,
  id: number,
  { now, ...facts }: Omit<z.output<typeof UpdateExchangeRate>, 'version'> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('rate')
    .set(eb => ({ ...facts, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

export async function deleteRate(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('rate').where('id', '=', id).execute()
}

// Imports.

/** Every rate; until the end of the transaction nobody else writes one. */
export async function holdRates(trx: Trx): Promise<RateRow[]> {
  await sql`lock table rate in share row exclusive mode`.execute(trx)
  return await readRates(trx, LAST_MONTH)
}

const LAST_MONTH = '2099-12'

export type WrittenRate = RateRow & { source: string }

export async function writeRates(trx: Trx, rates: readonly WrittenRate[], now: Date): Promise<void> {
  const rows = JSON.stringify(rates.map(({ month, ...row }) => ({ ...row, month: firstDayOf(month) })))
  await sql`
    insert into rate (month, currency, rate, kind, source, last_modified_at)
    select month, currency, rate, kind, source, ${now}
    from jsonb_to_recordset(${rows}::jsonb) as imported(month date, currency text, rate numeric, kind text, source text)
    on conflict (month, currency) do update set rate = excluded.rate, kind = excluded.kind, source = excluded.source,
      version = rate.version + 1, last_modified_at = excluded.last_modified_at`.execute(trx)
}
