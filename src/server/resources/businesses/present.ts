import type { Person } from '#shared/access.ts'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import type { BusinessAccountRow } from './queries.ts'
import { seesPayment } from './rules.ts'

export const presentAccount = (
  { created_at, gone_at, balance, funding, ...row }: BusinessAccountRow,
  person: Person,
): BusinessAccount => ({
  ...row,
  balance: seesPayment(person) ? balance : null,
  funding: seesPayment(person) ? funding : null,
  created_at: created_at?.toISOString() ?? null,
  gone_at: gone_at?.toISOString() ?? null,
})
