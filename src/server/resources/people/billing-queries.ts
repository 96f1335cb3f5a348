import { sql, type RawBuilder } from 'kysely'
import { billingScope, type Person } from '#shared/access.ts'
import { advertiserIdsOf } from './queries.ts'

/** Whether a column names one of the advertisers whose orders and payments a person may see. */
export const billsAdvertiser = (person: Person, column: string): RawBuilder<boolean> =>
  billingScope(person) === 'all' ? sql`true` : sql`${sql.ref(column)} in ${advertiserIdsOf(person)}`
