import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import { maySignIn } from '#server/http/session.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

// What a draft takes from elsewhere.

export async function findCustomer(db: Db, person: Person, advertiser: number) {
  return await db
    .selectFrom('advertiser')
    .select([
      'id',
      'name',
      'legal_name',
      'tax_country',
      'tax_id',
      'address',
      'agent',
      'billing_currency',
      'tax',
      'media_billing',
      'document_language',
      'payment_terms',
    ])
    .where('id', '=', advertiser)
    .where(billsAdvertiser(person, 'advertiser.id'))
    .executeTakeFirst()
}
export type Customer = NonNullable<Awaited<ReturnType<typeof findCustomer>>>

export async function findAgent(db: Db, id: number | null) {
  if (id === null) return undefined
  return await db
    .selectFrom('agent')
    .select([
      'id',
      'name',
      'tax_country',
      'tax_id',
      'address',
      'commission_rate',
      'commission_base',
      'payment_terms',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}
export type AgentFacts = NonNullable<Awaited<ReturnType<typeof findAgent>>>

/** An order is looked after by one of the agency's own people. */
export async function isPossibleOwner(db: Db, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('identity', '<>', 'external_user')
    .where(maySignIn)
    .executeTakeFirst()
  return found !== undefined
}

/** Those of the accounts that are the advertiser's, with their channels. */
export async function accountsOf(
  db: Db,
  advertiser: number,
  ids: readonly number[],
): Promise<Map<number, Channel>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('ad_account')
    .select(['id', 'channel'])
    .where('advertiser', '=', advertiser)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, channel }) => [id, channel]))
}

export async function listAgreements(db: Db, advertiser: number) {
  return await db
    .selectFrom('fee_agreement')
    .selectAll()
    .select([
      sql<string>`to_char(from_month, 'YYYY-MM')`.as('from_month'),
      sql<string | null>`to_char(to_month, 'YYYY-MM')`.as('to_month'),
    ])
    .where('advertiser', '=', advertiser)
    .execute()
}
export type AgreementRow = Awaited<ReturnType<typeof listAgreements>>[number]
