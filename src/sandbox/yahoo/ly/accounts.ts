import { z } from 'zod'
import { isPerson } from '#sandbox/dataset/persons.ts'
import { LY_MANAGERS, lyAccounts, type YahooAccount } from '#sandbox/dataset/yahoo.ts'
import { refusal } from './errors.ts'
import type { Product } from './field.ts'
import { type Login, mayTell } from './logins.ts'

const INCLUDE_MCC = ['ONLY_MCC', 'ONLY_ROOT_MCC', 'ONLY_ADS_ACCOUNT', 'ALL'] as const
const INCLUDE_TEST = ['ONLY_TEST', 'EXCLUDE_TEST', 'ALL'] as const

const paging = (most: number) => ({
  numberResults: z.int().min(1).max(most).default(most),
  startIndex: z.int().min(1).default(1),
})

export const BaseAccountSelector = z.strictObject({
  accountIds: z.array(z.int()).optional(),
  includeMccAccount: z.enum(INCLUDE_MCC).default('ONLY_ADS_ACCOUNT'),
  includeTestAccount: z.enum(INCLUDE_TEST).default('EXCLUDE_TEST'),
  ...paging(200),
})
export const AccountSelector = z.strictObject({
  accountIds: z.array(z.int()).optional(),
  accountStatuses: z.array(z.enum(['SERVING', 'SUSPENDED', 'ENDED'])).optional(),
  includeTestAccount: z.enum(INCLUDE_TEST).default('EXCLUDE_TEST'),
  ...paging(200),
})
export const AccountLinkSelector = z.strictObject({ mccAccountId: z.int(), ...paging(500) })

interface Node {
  id: string
  name: string
  status: YahooAccount['status']
  is_test: boolean
  manager: 'root' | 'child' | null
}

const managerNodes = (product: Product): Node[] => {
  const { root, child } = LY_MANAGERS[product]
  return [
    { ...root, status: 'SERVING', is_test: false, manager: 'root' },
    { ...child, status: 'SERVING', is_test: false, manager: 'child' },
  ]
}
const adNodes = (product: Product, login: Login): Node[] =>
  lyAccounts(product)
    .filter(account => mayTell(login, account))
    .map(({ id, name, status, is_test }) => ({ id, name, status, is_test, manager: null }))

/** BaseAccountService/get: the accounts that the login has direct rights on. */
export function baseAccounts(product: Product, login: Login, selector: z.infer<typeof BaseAccountSelector>) {
  const direct = new Set(
    lyAccounts(product).flatMap(({ id, is_indirect }) => (is_indirect && isManaging(login) ? [] : [id])),
  )
  const all = [
    ...(isManaging(login) ? managerNodes(product).filter(({ manager }) => manager === 'root') : []),
    ...adNodes(product, login).filter(({ id }) => direct.has(id)),
  ].filter(
    node =>
      isSelected(node, selector) &&
      (selector.includeMccAccount === 'ALL' ||
        (selector.includeMccAccount === 'ONLY_ADS_ACCOUNT') === (node.manager === null)),
  )
  return {
    ...page(all, selector, node => ({
      account: {
        accountId: Number(node.id),
        accountName: node.name,
        accountStatus: node.status,
        authType: 'REFERABLE',
        isMccAccount: text(node.manager !== null),
        isRootMccAccount: text(node.manager === 'root'),
        isTestAccount: text(node.is_test),
        isSsaAccount: 'FALSE',
        hasAdminAuth: 'FALSE',
      },
    })),
    authorizationBusinessId: `biz-${login.replace(/^sandbox-/, '')}`,
  }
}

/** AccountService/get: the ad accounts that the base account reaches. */
export function reachableAccounts(
  { product, login, base }: { product: Product; login: Login; base: string },
  selector: z.infer<typeof AccountSelector>,
) {
  const reached = adNodes(product, login).filter(
    node =>
      reaches(product, base, node.id) &&
      isSelected(node, selector) &&
      (selector.accountStatuses?.includes(node.status) ?? true),
  )
  return page(reached, selector, ({ id, name, status, is_test }) => ({
    account: {
      accountId: Number(id),
      accountName: name,
      accountStatus: status,
      accountType: 'INVOICE',
      deliveryStatus: status === 'SERVING' ? 'ACTIVE' : 'PAUSED',
      startDate: '20230115',
      endDate: null,
      isMccAccount: 'FALSE',
      isTestAccount: text(is_test),
    },
  }))
}

/** AccountLinkService/get: the accounts directly below a manager. */
export function linkedAccounts(
  product: Product,
  login: Login,
  selector: z.infer<typeof AccountLinkSelector>,
) {
  const { root, child } = LY_MANAGERS[product]
  const mcc = String(selector.mccAccountId)
  if (!isManaging(login) || (mcc !== root.id && mcc !== child.id))
    throw refusal(200, 'V0001', ['mccAccountId', selector.mccAccountId])
  const indirect = new Set(lyAccounts(product).flatMap(({ id, is_indirect }) => (is_indirect ? [id] : [])))
  const below = [
    ...(mcc === root.id ? managerNodes(product).filter(({ manager }) => manager === 'child') : []),
    ...adNodes(product, login).filter(({ id }) => indirect.has(id) === (mcc === child.id)),
  ]
  return page(below, selector, ({ id, name, status, manager }) => ({
    accountLink: {
      mccAccountId: selector.mccAccountId,
      accountId: Number(id),
      accountName: name,
      accountStatus: status,
      isMccAccount: text(manager !== null),
    },
  }))
}

/** The ad account that a call is about, through the base account of its header; refuses as LY does. */
export function accountThrough(
  { product, login, base }: { product: Product; login: Login; base: string },
  id: number,
): YahooAccount {
  const account = lyAccounts(product).find(each => each.id === String(id))
  if (!account || !mayTell(login, account)) throw refusal(401, '0112', ['accountId', id])
  if (!reaches(product, base, account.id)) throw refusal(403, '0098', ['accountId', id])
  if (account.traits.includes('expired')) throw refusal(401, '0111')
  if (account.traits.includes('revoked')) throw refusal(403, '0098', ['accountId', id])
  if (account.status === 'ENDED') throw refusal(401, '0113', ['accountId', id])
  return account
}

/** The managers are the agency's: its analyst and its clients have direct rights on their accounts. */
const isManaging = (login: Login) => !isPerson(login) || login === 'agency-admin'

/** Whether the login may act through that base account at all. */
export function isBase(product: Product, login: Login, base: string): boolean {
  const { root, child } = LY_MANAGERS[product]
  if (isManaging(login) && (base === root.id || base === child.id)) return true
  return lyAccounts(product).some(
    account => account.id === base && (!account.is_indirect || !isManaging(login)) && mayTell(login, account),
  )
}

/** A manager reaches all below it, an ad account itself. */
function reaches(product: Product, base: string, id: string): boolean {
  const { root, child } = LY_MANAGERS[product]
  if (base === root.id) return true
  if (base === child.id) return lyAccounts(product).some(account => account.id === id && account.is_indirect)
  return base === id
}

type Selection = { accountIds?: number[] | undefined; includeTestAccount: (typeof INCLUDE_TEST)[number] }

const isSelected = ({ id, is_test }: Node, { accountIds, includeTestAccount }: Selection) =>
  (accountIds === undefined || accountIds.includes(Number(id))) &&
  (includeTestAccount === 'ALL' || (includeTestAccount === 'ONLY_TEST') === is_test)

/** One page of a list in the shape that all services share. */
export function page<T>(
  all: readonly T[],
  { startIndex, numberResults }: { startIndex: number; numberResults: number },
  show: (item: T) => Record<string, unknown>,
) {
  return {
    totalNumEntries: all.length,
    values: all.slice(startIndex - 1, startIndex - 1 + numberResults).map(item => ({
      errors: null,
      operationSucceeded: true,
      ...show(item),
    })),
  }
}

const text = (is: boolean) => (is ? 'TRUE' : 'FALSE')
