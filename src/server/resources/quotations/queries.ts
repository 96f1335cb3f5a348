import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import type { QuotationLineTable, QuotationTable } from '#server/db/tables/billing.ts'
import type { Trx } from '#server/db/transaction.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

export type QuotationFields = Selectable<QuotationTable>
export type LineFields = Selectable<QuotationLineTable>

/** One that a person may see, with the names of whom it is about. */
export async function findQuotation(db: Db, person: Person, id: number) {
  return await db
    .selectFrom('quotation')
    .innerJoin('advertiser', 'advertiser.id', 'quotation.advertiser')
    .innerJoin('users as owner', 'owner.id', 'quotation.owner')
    .leftJoin('agent', 'agent.id', 'quotation.agent')
    .where('quotation.id', '=', id)
    .where(billsAdvertiser(person, 'quotation.advertiser'))
    .selectAll('quotation')
    .select([
      'advertiser.name as advertiser_name',
      'agent.name as agent_name',
      personName<string>('owner').as('owner_name'),
    ])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('quotation_file as file')
            .select('file.quotation')
            .whereRef('file.quotation', '=', 'quotation.id')
            .where('file.kind', '=', 'acceptance'),
        )
        .$castTo<boolean>()
        .as('has_acceptance_file'),
    )
    .executeTakeFirst()
}
export type QuotationRow = NonNullable<Awaited<ReturnType<typeof findQuotation>>>

/** All revisions of a number, the newest first; of one without a number itself alone. */
export async function listRevisions(db: Db, { id, number }: Pick<QuotationFields, 'id' | 'number'>) {
  return await db
    .selectFrom('quotation')
    .select(['id', 'revision', 'status', 'valid_until', 'total', 'sent_at'])
    .where(number === null ? eb => eb('id', '=', id) : eb => eb('number', '=', number))
    .orderBy('revision', 'desc')
    .execute()
}

export interface LineRow extends LineFields {
  accounts: number[]
}

export async function listLines(db: Db, quotation: number): Promise<LineRow[]> {
  return await db
    .selectFrom('quotation_line as line')
    .selectAll('line')
    .select(
      sql<number[]>`array(
        select ad_account from quotation_line_account account where account.line = line.id order by ad_account
      )`.as('accounts'),
    )
    .where('line.quotation', '=', quotation)
    .orderBy('line.position')
    .execute()
}

/**
 * Locks all revisions of a number, the oldest first, for whoever changes any of them; then reads them, with
 * those that were made while this waited.
 */
export async function lockRevisions(trx: Trx, { id, number }: Pick<QuotationFields, 'id' | 'number'>) {
  const of = (trx_: Trx) =>
    trx_
      .selectFrom('quotation')
      .where(number === null ? eb => eb('id', '=', id) : eb => eb('number', '=', number))
      .orderBy('id')
  await of(trx).select('id').forUpdate().execute()
  return await of(trx).selectAll().execute()
}

export async function insertQuotation(
  trx: Trx,
  values: Omit<Insertable<QuotationTable>, 'created_at' | 'last_modified_at'>,
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('quotation')
    .values({ ...values, created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Every change of a row is a version of it. */
export async function updateQuotation(
  trx: Trx,
  id: number,
  { now, ...changes }: Updateable<QuotationTable> & { now: Date },
): Promise<void> {
  await trx
    .updateTable('quotation')
    .set(eb => ({ ...changes, version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

export async function deleteQuotation(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('quotation').where('id', '=', id).execute()
}

export type NewLine = Omit<Insertable<QuotationLineTable>, 'quotation' | 'position'> & {
  accounts: readonly number[]
}

export async function replaceLines(trx: Trx, quotation: number, lines: readonly NewLine[]): Promise<void> {
  await trx.deleteFrom('quotation_line').where('quotation', '=', quotation).execute()
  if (lines.length === 0) return
  const rows = lines.map(({ accounts: _accounts, ...line }, position) => ({ ...line, quotation, position }))
  const inserted = await trx.insertInto('quotation_line').values(rows).returning(['id', 'position']).execute()
  const accounts = inserted.flatMap(({ id: line, position }) =>
    (lines[position]?.accounts ?? []).map(account => ({ line, ad_account: account })),
  )
  if (accounts.length > 0) await trx.insertInto('quotation_line_account').values(accounts).execute()
}

export async function updateTypedSpent(
  trx: Trx,
  { line, typed_spent }: { line: number; typed_spent: number | null },
): Promise<void> {
  await trx.updateTable('quotation_line').set({ typed_spent }).where('id', '=', line).execute()
}
