import type { Check } from '#shared/api/ec-spend.ts'
import type { Db } from '#server/db/connect.ts'
import { lockedMonths } from '#server/resources/insight-settings/month-queries.ts'
import { accountsByMonth, zonesOfAccounts, type AccountMonth } from './account-queries.ts'
import { checksOf } from './checks.ts'
import { monthEnd } from './months.ts'
import { readCustomers } from './queries.ts'
import { readLive, scopeOf, type Live, type Moment } from './read-spend.ts'
import { firstActiveMonth } from './statement-queries.ts'

export interface MonthRequest {
  month: string
  /** Accounts whose unknown days or missing advertiser are accepted. */
  waived: readonly number[]
  is_first: boolean
}

export interface MonthState extends Live {
  checks: Check[]
  accounts: AccountMonth[]
}

/** An open month as it would be locked, and what keeps it from being. */
export async function readMonth(
  db: Db,
  moment: Moment,
  { month, waived, is_first }: MonthRequest,
): Promise<MonthState> {
  const months = [month]
  const live = await readLive(db, moment, { months, waived })
  const accounts = await accountsByMonth(db, await scopeOf(db, moment, { months, waived }))
  const locked = await lockedMonths(db)
  const checks = checksOf({
    month,
    end: monthEnd(month, await zonesOfAccounts(db), moment.now),
    locked,
    first_active: locked.length > 0 ? null : await firstActiveMonth(db),
    is_first,
    accounts,
    names: new Map((await readCustomers(db, {})).map(({ id, name }) => [id, name])),
    waived: new Set(waived),
    statements: live.statements,
    rates: live.rates.get(month) ?? { rates: new Map(), provisional: new Set() },
  })
  return { ...live, accounts, checks }
}
