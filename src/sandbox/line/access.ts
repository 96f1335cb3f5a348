import { GROUPS, LINE_ACCOUNTS, type LineAccount } from '#sandbox/dataset/line.ts'
import { forbidden, refused } from './errors.ts'

type Role = 'reporting' | 'data_provider' | 'ad_tech'

/** The caller: the group that the key was issued to, those below it, and their accounts. */
export interface Caller {
  key: string
  role: Role
  groups: readonly Group[]
  accounts: readonly LineAccount[]
}
export type Group = (typeof GROUPS)[number]

const KEYS: Record<string, { secret: string; role: Role; sees_all: boolean }> = {
  'sandbox-admin': { secret: 'sandbox-admin', role: 'ad_tech', sees_all: true },
  'sandbox-agency': { secret: 'sandbox-agency', role: 'data_provider', sees_all: false },
  'sandbox-reporting': { secret: 'sandbox-reporting', role: 'reporting', sees_all: false },
  // Of LINE's own documentation, for its samples.
  LINEADSAMPLE: { secret: 'LINEADSECRETKEYSAMPLE', role: 'ad_tech', sees_all: false },
}

const keyOf = (key: string) => (Object.hasOwn(KEYS, key) ? KEYS[key] : undefined)

export const secretOf = (key: string) => keyOf(key)?.secret ?? null

/** The caller behind an access key whose signature was right. */
export function callerOf(key: string): Caller {
  const { role = 'reporting', sees_all = false } = keyOf(key) ?? {}
  const groups = GROUPS.filter(group => sees_all || group.is_agencys)
  const accounts = LINE_ACCOUNTS.filter(
    account => sees_all || groups.some(group => accountsOf(group).includes(account)),
  )
  return { key, role, groups, accounts }
}

/** What a group owns, and what is linked to it. */
export const accountsOf = ({ id }: Group) =>
  LINE_ACCOUNTS.filter(account => account.owner === id || account.linked.includes(id))

/** The account of that id, if the caller may see it. */
export function accountFor(caller: Caller, id: string): LineAccount {
  const account = LINE_ACCOUNTS.find(each => each.id === id)
  if (!account) throw refused('INVALID_ACCOUNT_ID', 'adaccountId')
  if (!caller.accounts.includes(account)) throw forbidden('AUTHORIZATION_FAILED')
  if (account.traits.includes('revoked')) throw forbidden('ACCOUNT_NOT_ALLOWED')
  if (account.is_removed) throw refused('REMOVED_ENTITY', 'adaccountId')
  return account
}

export function groupFor(caller: Caller, id: string): Group {
  if (!GROUPS.some(group => group.id === id)) throw refused('INVALID_GROUP_ID', 'groupId')
  const group = caller.groups.find(each => each.id === id)
  if (!group) throw forbidden('AUTHORIZATION_FAILED')
  return group
}
