import type { Account, Currency } from '#sandbox/dataset/agency.ts'
import type { Caller } from './access.ts'

// How an account stands with the agency's business.

/** Accounts that the agency has opened itself, by their number; it is a client of the others. */
const OWNED: ReadonlySet<number> = new Set([12, 17])
export const isOwned = ({ number }: Account) => OWNED.has(number)

type Task = 'MANAGE' | 'ADVERTISE' | 'ANALYZE' | 'DRAFT' | 'AA_ANALYZE'
const SETS: readonly (readonly Task[])[] = [
  ['ANALYZE'],
  ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE'],
  ['DRAFT', 'ANALYZE', 'ADVERTISE'],
]

/** What the token may do in an account: the agency's own tokens by turns little, everything and most. */
export function tasksOf(caller: Caller, account: Account): readonly Task[] {
  const { number, id } = account
  if (!caller.accounts.some(each => each.id === id)) return []
  if (caller.token !== 'sandbox-agency') return SETS[1] ?? []
  return SETS[isOwned(account) ? 1 : number % SETS.length] ?? []
}

/** How many minor units Meta counts in one of the currency. */
const OFFSETS: Record<Currency, number> = { TWD: 1, JPY: 1, USD: 100 }

/** Cap and spending of two accounts in units: one near its cap, one at it. */
const CAPS: Readonly<Record<number, { cap: number; spent: number }>> = {
  2: { cap: 1_000_000, spent: 901_000 },
  5: { cap: 5000, spent: 5000 },
}

const RISK = { account_status: 2, disable_reason: 3 }
const GRACE = { account_status: 9, disable_reason: 0 }

/** What Meta says of an account's money and state, and what the token may do; absent: it may not see it. */
export function standingOf(account: Account, caller: Caller): Record<string, unknown> {
  const { number, currency, advertiser } = account
  const tasks = tasksOf(caller, account)
  const minor = (units: number) => String(units * OFFSETS[currency])
  const { cap, spent } = CAPS[number] ?? { cap: 0, spent: number * 12_345 }
  const mayManage = tasks.includes('MANAGE')
  const isRevoked = account.traits.includes('revoked')
  return {
    ...(isRevoked ? RISK : number === 7 ? GRACE : { account_status: 1, disable_reason: 0 }),
    spend_cap: minor(cap),
    amount_spent: minor(spent),
    balance: minor(number * 100),
    is_prepay_account: mayManage || tasks.includes('ADVERTISE') ? number % 5 === 0 : undefined,
    funding_source_details: mayManage ? fundingOf(number) : undefined,
    end_advertiser_name: advertiser,
    user_tasks: [...tasks],
  }
}

const fundingOf = (number: number) => ({
  id: String(6_040_000_000_000_000 + number),
  ...(number % 2 === 0
    ? { display_string: `Visa *${4000 + number}`, type: 1 }
    : { display_string: 'Monthly invoice', type: 6 }),
})
