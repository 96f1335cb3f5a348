import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { PaymentTable } from '#server/db/tables/billing.ts'
import type { Trx } from '#server/db/transaction.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

export type PaymentFields = Selectable<PaymentTable>

/** With what people read beside them. */
const named = (db: Db) =>
  db
    .selectFrom('payment')
    .innerJoin('advertiser', 'advertiser.id', 'payment.advertiser')
    .leftJoin('quotation', 'quotation.id', 'payment.quotation')
    .selectAll('payment')
    .select([
      'advertiser.name as advertiser_name',
      'quotation.number as quotation_number',
      'quotation.revision as quotation_revision',
    ])
    .select(eb =>
      eb
        .selectFrom('statement')
        .select(sql<string>`to_char(statement.month, 'YYYY-MM')`.as('month'))
        .whereRef('statement.id', '=', 'payment.statement')
        .as('month'),
    )

/** One that a person may see. */
export async function findPayment(db: Db, person: Person, id: number) {
  return await named(db)
    .where('payment.id', '=', id)
    .where(billsAdvertiser(person, 'payment.advertiser'))
    .executeTakeFirst()
}
export type PaymentRow = NonNullable<Awaited<ReturnType<typeof findPayment>>>

export async function paymentsWithNames(db: Db, ids: readonly number[]): Promise<PaymentRow[]> {
  if (ids.length === 0) return []
  return await named(db)
    .where('payment.id', 'in', [...ids])
    .execute()
}

export async function lockPayment(trx: Trx, id: number): Promise<PaymentFields> {
  return await trx
    .selectFrom('payment')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Locks those of some orders, the void ones too. */
export async function lockPaymentsOf(trx: Trx, quotations: readonly number[]): Promise<PaymentFields[]> {
  return await trx
    .selectFrom('payment')
    .selectAll()
    .where('quotation', 'in', [...quotations])
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertPayment(
  trx: Trx,
  values: Omit<Insertable<PaymentTable>, 'created_at' | 'last_modified_at'>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('payment')
    .values({ ...values, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePayment(
  trx: Trx,
  id: number,
  { now, ...changes }: Updateable<PaymentTable> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('payment')
    .set(eb => ({ ...changes, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Whether another payment that is not void has the number. */
export async function isInvoiceTaken(
  trx: Trx,
  { invoice_number, except }: { invoice_number: string; except: number },
): Promise<boolean> {
  const other = await trx
    .selectFrom('payment')
    .select('id')
    .where('invoice_number', '=', invoice_number)
    .where('status', '<>', 'void')
    .where('id', '<>', except)
    .executeTakeFirst()
  return other !== undefined
}

/** Whom an invoice of the payment goes to: the agent, where the order is billed to it. */
export async function taxCountryOf(trx: Trx, { advertiser, quotation }: PaymentFields) {
  const { tax_country } = await trx
    .selectFrom('advertiser')
    .leftJoin('quotation', join =>
      join.on('quotation.id', '=', quotation).on('quotation.bill_to', '=', 'agent'),
    )
    .leftJoin('agent', 'agent.id', 'quotation.agent')
    .select(eb => eb.fn.coalesce('agent.tax_country', 'advertiser.tax_country').as('tax_country'))
    .where('advertiser.id', '=', advertiser)
    .executeTakeFirstOrThrow()
  return tax_country
}

/** What the payment is of, as it is printed. */
export async function findOrder(db: Db, quotation: number) {
  return await db
    .selectFrom('quotation')
    .select(['number', 'revision', 'title', 'client_po', 'tax', 'language', 'issue_on', 'parties'])
    .where('id', '=', quotation)
    .executeTakeFirstOrThrow()
}

/** What the month's statement says, and who gets it. */
export async function findStatement(db: Db, statement: number) {
  return await db
    .selectFrom('statement')
    .innerJoin('advertiser', 'advertiser.id', 'statement.advertiser')
    .select([
      'statement.tax',
      'statement.frozen',
      'advertiser.name',
      'advertiser.legal_name',
      'advertiser.tax_id',
      'advertiser.address',
      'advertiser.document_language',
    ])
    .select(sql<string>`to_char(statement.month, 'YYYY-MM')`.as('month'))
    .where('statement.id', '=', statement)
    .executeTakeFirstOrThrow()
}

/** Those of all revisions of the order's number that are not void, in their order. */
export async function inForceBeside(db: Db, quotation: number) {
  return await db
    .selectFrom('payment')
    .select(['payment.id', 'payment.amount'])
    .where('payment.quotation', 'in', eb =>
      eb
        .selectFrom('quotation as own')
        .innerJoin('quotation as revision', 'revision.number', 'own.number')
        .select('revision.id')
        .where('own.id', '=', quotation),
    )
    .where('payment.status', '<>', 'void')
    .orderBy('payment.id')
    .execute()
}
