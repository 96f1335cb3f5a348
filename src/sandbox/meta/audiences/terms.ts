import type { Account } from '#sandbox/dataset/agency.ts'
import { notClaimed, termsNotAccepted } from './errors.ts'

/** Accounts whose business has not accepted the terms of custom audiences, until somebody does. */
const NOT_ACCEPTED = ['10150622911041007']
/** Accounts that no business has claimed. */
const NOT_CLAIMED = new Set(['10150733820019008'])

export interface Terms {
  isAccepted(account: Account): boolean
  /** By the bare number of the account. */
  set(accountId: string, accepted: boolean): void
  /** The accounts whose terms are not accepted. */
  open(): string[]
  /** These and no others are not accepted. */
  take(accountIds: readonly string[]): void
  reset(): void
}

export function createTerms(): Terms {
  let open = new Set(NOT_ACCEPTED)
  return {
    isAccepted: ({ id }) => !open.has(id),
    set(accountId, accepted) {
      if (accepted) open.delete(accountId)
      else open.add(accountId)
    },
    open: () => [...open],
    take: accountIds => void (open = new Set(accountIds)),
    reset() {
      open = new Set(NOT_ACCEPTED)
    },
  }
}

/** What the ad account says of it; an account of no business has none of its fields. */
export const claimAndTerms = (account: Account, terms: Terms): Record<string, unknown> => ({
  tos_accepted: { custom_audience_tos: terms.isAccepted(account) ? 1 : 0 },
  ...(!isClaimed(account) && { business: undefined, business_name: undefined }),
})

/** Refuses an account in which no audiences can be made. */
export function refuseWithoutTerms(account: Account, terms: Terms): void {
  if (!isClaimed(account)) throw notClaimed(account.id)
  if (!terms.isAccepted(account)) throw termsNotAccepted(account.id)
}

const isClaimed = ({ id }: Account) => !NOT_CLAIMED.has(id)
