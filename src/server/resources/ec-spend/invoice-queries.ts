import { sql } from 'kysely'
import type { z } from 'zod'
import type { CreatePlatformInvoice, PlatformInvoiceQuery } from '#shared/api/ec-spend.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import { firstDayOf } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'

const named = (db: Db) =>
  db.selectFrom('platform_invoice').innerJoin('ad_account', 'ad_account.id', 'platform_invoice.ad_account')

export async function listInvoices(db: Db, query: z.output<typeof PlatformInvoiceQuery>) {
  let found = named(db)
  if (query.month !== undefined) found = found.where('platform_invoice.month', '=', firstDayOf(query.month))
  if (query.ad_account !== undefined)
    found = found.where('platform_invoice.ad_account', '=', query.ad_account)
  if (query.search !== undefined) {
    const pattern = containing(query.search)
    found = found.where(eb =>
      eb.or([eb('ad_account.name', 'ilike', pattern), eb('platform_invoice.number', 'ilike', pattern)]),
    )
  }
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .selectAll('platform_invoice')
    .select(['ad_account.name as account_name', 'ad_account.currency'])
    .orderBy(sql.ref(`platform_invoice.${query.ordering.replace('-', '')}`), direction)
    .orderBy('platform_invoice.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

/** Locked, where it is to be changed. */
export async function findInvoice(db: Db, id: number, { lock = false } = {}) {
  const found = named(db)
    .selectAll('platform_invoice')
    .select(['ad_account.name as account_name', 'ad_account.currency'])
    .where('platform_invoice.id', '=', id)
  return await (lock ? found.forUpdate('platform_invoice') : found).executeTakeFirst()
}
export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof findInvoice>>>

/** The one of an account and month. */
export async function findInvoiceOf(db: Db, { ad_account, month }: { ad_account: number; month: string }) {
  return await named(db)
    .selectAll('platform_invoice')
    .select(['ad_account.name as account_name', 'ad_account.currency'])
    .where('platform_invoice.ad_account', '=', ad_account)
    .where('platform_invoice.month', '=', firstDayOf(month))
    .executeTakeFirst()
}

/** The currency of an account that costs something of its own. */
export async function currencyOf(db: Db, ad_account: number): Promise<string | null> {
  const account = await db
    .selectFrom('ad_account')
    .select('currency')
    .where('id', '=', ad_account)
    .where('channel', 'in', [...spendChannels])
    .executeTakeFirst()
  return account?.currency ?? null
}

/** null: the account has one for the month. */
export async function insertInvoice(
  trx: Trx,
  { month, ...fields }: z.output<typeof CreatePlatformInvoice>,
  now: Date,
): Promise<number | null> {
  const row = await trx
    .insertInto('platform_invoice')
    .values({ ...fields, month: firstDayOf(month), created_at: now, last_modified_at: now })
    .onConflict(conflict => conflict.columns(['ad_account', 'month']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function updateInvoice(
  trx: Trx,
  { id, version }: { id: number; version: number },
  { now, ...fields }: { amount: number; number: string; note: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('platform_invoice')
    .set({ ...fields, version: version + 1, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteInvoice(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('platform_invoice').where('id', '=', id).execute()
}
