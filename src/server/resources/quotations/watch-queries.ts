import { sql } from 'kysely'
import { FINANCE } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'

// What happens to orders and payments while nobody looks at them.

/** So many at a time; the next ones follow within the hour. */
const BATCH = 200

export interface Expiring {
  id: number
  number: string
  revision: number
  advertiser_name: string
  owner: number
  valid_until: string
}

/** Takes those that expire soon and of which nobody was notified for this last day. */
export async function takeExpiring(
  trx: Trx,
  { today, until }: { today: string; until: string },
): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    with due as (
      select id from quotation
      where status = 'sent' and valid_until between ${today} and ${until} and expiry_noted is distinct from valid_until
      order by valid_until, id limit ${BATCH} for update skip locked
    ), noted as (
      update quotation set expiry_noted = valid_until from due where due.id = quotation.id
      returning quotation.*
    )
    select noted.id, noted.number, noted.revision, advertiser.name as advertiser_name, noted.owner, noted.valid_until
    from noted join advertiser on advertiser.id = noted.advertiser order by noted.id`.execute(trx)
  return rows
}

export interface Overdue {
  id: number
  number: string
  advertiser_name: string
  quotation: number | null
  owner: number | null
  due_on: string
}

/** Takes those that were due before today, and of which nobody was notified for this day. */
export async function takeOverdue(trx: Trx, today: string): Promise<Overdue[]> {
  const { rows } = await sql<Overdue>`
    with due as (
      select id from payment
      where status = 'due' and due_on < ${today} and overdue_noted is distinct from due_on
      order by due_on, id limit ${BATCH} for update skip locked
    ), noted as (
      update payment set overdue_noted = due_on from due where due.id = payment.id
      returning payment.*
    )
    select noted.id, noted.number, advertiser.name as advertiser_name, noted.quotation, quotation.owner, noted.due_on
    from noted join advertiser on advertiser.id = noted.advertiser left join quotation on quotation.id = noted.quotation
    order by noted.id`.execute(trx)
  return rows
}

export async function listFinance(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('department', '=', FINANCE)
    .where('identity', '<>', 'external_user')
    .where(maySignIn)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Accepted orders with lines that ended before a day, and whose delivery may still change. */
export async function ordersToFreeze(db: Db, endedBefore: string) {
  return await db
    .selectFrom('quotation')
    .select(['quotation.id', 'quotation.currency'])
    .where('quotation.status', '=', 'accepted')
    .where('quotation.id', 'in', eb =>
      eb
        .selectFrom('quotation_line as line')
        .innerJoin('quotation_line_account as account', 'account.line', 'line.id')
        .select('line.quotation')
        .where('line.final_at', 'is', null)
        .where('line.end', '<', endedBefore),
    )
    .orderBy('quotation.id')
    .limit(BATCH)
    .execute()
}

/** For good, unless somebody was faster; what is typed stays open. */
export async function freezeLine(
  db: Db,
  { line, final_spent, now }: { line: number; final_spent: number | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('quotation_line')
    .set({ final_spent, final_at: now })
    .where('id', '=', line)
    .where('final_at', 'is', null)
    .where('id', 'in', eb => eb.selectFrom('quotation_line_account').select('line').where('line', '=', line))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Accepted orders whose pace was looked at longest ago. */
export async function ordersToLookAt(db: Db, lookedBefore: Date) {
  return await db
    .selectFrom('quotation')
    .select(['id', 'currency'])
    .where('status', '=', 'accepted')
    .where(eb => eb.or([eb('verdict_at', 'is', null), eb('verdict_at', '<', lookedBefore)]))
    .orderBy('verdict_at', order => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

/** Not a change that somebody has made: the version stays. */
export async function updateVerdict(
  db: Db,
  { id, verdict, verdict_at }: { id: number; verdict: 'under' | 'on_pace' | 'over' | null; verdict_at: Date },
): Promise<void> {
  await db.updateTable('quotation').set({ verdict, verdict_at }).where('id', '=', id).execute()
}
