import { billingScope, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { advertiserIdsOf } from './queries.ts'

/** The advertisers that a person may see as customers, with their orders and payments. */
export function customersOf(db: Db, person: Person) {
  const advertisers = db.selectFrom('advertiser')
  if (billingScope(person) === 'all') return advertisers
  return advertisers.where('advertiser.id', 'in', advertiserIdsOf(person))
}
