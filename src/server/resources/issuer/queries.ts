import { sql } from 'kysely'
import type { z } from 'zod'
import type { UpdateIssuer } from '#shared/api/customers.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Logo } from './logo.ts'

/** The migration has made the only row. */
export async function findIssuer(db: Db) {
  return await db.selectFrom('issuer').selectAll().executeTakeFirstOrThrow()
}
export type IssuerRow = Awaited<ReturnType<typeof findIssuer>>

export async function lockIssuer(trx: Trx): Promise<IssuerRow> {
  return await trx.selectFrom('issuer').selectAll().forUpdate().executeTakeFirstOrThrow()
}

export async function updateIssuer(
  trx: Trx,
  { terms, logo, now, ...facts }: Omit<z.output<typeof UpdateIssuer>, 'version' | 'logo'> & Change,
): Promise<void> {
  await trx
    .updateTable('issuer')
    .set(eb => ({
      ...facts,
      ...(terms && { terms_en: terms.en, terms_zh: terms['zh-TW'] }),
      ...(logo !== undefined && { logo: logo?.bytes ?? null, logo_type: logo?.type ?? null }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .execute()
}

interface Change {
  /** null: none from now on. */
  logo: Logo | null | undefined
  now: Date
}

/** Whether amounts are kept in the base currency: by exchange rates, or by a month that has been locked. */
export async function isBaseCurrencyUsed(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from rate) or exists (select from billing_month where state = 'locked')`.execute(
    db,
  )
  return rows.length > 0
}
