import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import { OVERVIEW_COUNTED, OVERVIEW_LIMIT } from '#shared/api/overview.ts'
import type { Db } from '#server/db/connect.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

/** Payments of a person's advertisers that are overdue. */
export async function countOverdue(db: Db, person: Person, today: string): Promise<number> {
  const overdue = db
    .selectFrom('payment')
    .select('payment.id')
    .where('payment.status', '=', 'due')
    .where('payment.due_on', '<', today)
    .where(billsAdvertiser(person, 'payment.advertiser'))
    .limit(OVERVIEW_COUNTED)
  const { count } = await db
    .selectFrom(overdue.as('overdue'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The earliest month that is over and not locked, of those after the last locked one; without one, the latest
 * with any spend.
 */
export async function monthToClose(db: Db, today: string): Promise<string | null> {
  const { rows } = await sql<{ month: string | null }>`
    select to_char(coalesce(
      (select max(month) + interval '1 month' from billing_month where state = 'locked'),
      (select max(month) from spend_month where month < date_trunc('month', ${today}::date))), 'YYYY-MM') as month`.execute(
    db,
  )
  const month = rows[0]?.month ?? null
  return month !== null && month < today.slice(0, 7) ? month : null
}

/** Running orders that were over or under pace when that was last looked at; the newest first. */
export async function ordersOffPace(db: Db, person: Person) {
  return await db
    .selectFrom('quotation')
    .innerJoin('advertiser', 'advertiser.id', 'quotation.advertiser')
    .select([
      'quotation.id',
      'quotation.number',
      'quotation.revision',
      'quotation.title',
      'quotation.verdict',
      'advertiser.name as advertiser_name',
    ])
    .where('quotation.status', '=', 'accepted')
    .where(sql<boolean>`quotation.verdict in ('under', 'over')`)
    .where(billsAdvertiser(person, 'quotation.advertiser'))
    .orderBy('quotation.id', 'desc')
    .limit(OVERVIEW_LIMIT)
    .execute()
}
