import { isInternal, type IdentityName, type Person } from '#shared/access.ts'
import type { CreateUser, UpdateAccount } from '#shared/api/people.ts'
import { hasLeft, isEmploymentStep } from '#shared/employment.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Trx } from '#server/db/transaction.ts'

/**
 * Ends the shares, with these people or about these accounts, of reports whose accounts the other may not
 * use.
 */
export type RecheckShares = (
  trx: Trx,
  those: { with: readonly number[] } | { accounts: readonly number[] },
  change: { editor: Person; now: Date },
) => Promise<void>

interface AccountState {
  identity: IdentityName
  department: number | null
  employment_status: number
}

type Problems = Partial<Record<'department' | 'plan' | 'employment_status' | 'is_active', ErrorCode[]>>

/** What of a new account does not fit its role; empty when it can be made. */
export const whyNotCreate = ({ identity, department, plan }: CreateUser): Problems => ({
  ...departmentProblem(identity, department),
  ...planProblem(identity, plan),
})

/** What of a change to an account does not fit; empty when it can be made. */
export function whyNotChange(before: AccountState, changes: UpdateAccount): Problems {
  const { identity = before.identity, employment_status: status = before.employment_status } = changes
  const becomesInternal = isInternal({ identity }) && !isInternal(before)
  const { department = becomesInternal ? null : undefined } = changes
  const isGone = before.employment_status === DELETED && Object.keys(changes).length > 0
  return {
    // Accounts from before the rule may have no department until it is chosen.
    ...(department !== undefined && departmentProblem(identity, department)),
    ...planProblem(identity, changes.plan),
    ...((isGone || !isEmploymentStep(before.employment_status, status)) && {
      employment_status: ['employment_step'],
    }),
    ...(changes.is_active === 1 && hasLeft(status) && { is_active: ['field_not_available'] }),
  }
}

export const DELETED = 0

/**
 * With what follows from it: who leaves has no open account, who comes back has one, and who becomes a client
 * has no department and, unless it says otherwise, the basic plan.
 */
export function settleChange(before: AccountState, changes: UpdateAccount) {
  const { identity = before.identity, employment_status: status = before.employment_status } = changes
  const becomesClient = isInternal(before) && !isInternal({ identity })
  return {
    ...(hasLeft(status) !== hasLeft(before.employment_status) && { is_active: hasLeft(status) ? 0 : 1 }),
    ...(becomesClient && { department: null, plan: 0 }),
    ...changes,
  }
}

/** What is left of a person whose account is deleted; the trail keeps what they did, and their name in it. */
export const blankPerson = (id: number) => ({
  full_name: `Deleted user ${id}`,
  position: '',
  email: null,
  contacts: [],
  company_extension: '',
})

function departmentProblem(identity: IdentityName, department: number | null): Problems {
  if (isInternal({ identity }) === (department !== null)) return {}
  return { department: [department === null ? 'department_needed' : 'field_not_available'] }
}

/** Employees have the advanced plan: there is nothing to choose. */
const planProblem = (identity: IdentityName, plan: number | undefined): Problems =>
  plan === 0 && isInternal({ identity }) ? { plan: ['field_not_available'] } : {}
