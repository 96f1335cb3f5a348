import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { canRecover, unreadable } from '#server/connectors/kit/failures.ts'
import { findAccount, firstTime } from '#server/connectors/kit/lists.ts'
import { everyRow, ownList } from './client.ts'
import { gaql } from './gaql.ts'
import {
  AccessibleCustomers,
  ClientRow,
  CustomerRow,
  type Customer,
  type GoogleAdsIo,
  type GoogleAdsLogin,
} from './schema.ts'

const FACTS = ['id', 'descriptive_name', 'currency_code', 'time_zone', 'manager', 'status']
const clientsQuery = gaql({
  select: [...FACTS, 'level'].map(fact => `customer_client.${fact}`),
  from: 'customer_client',
})
const customerQuery = gaql({ select: FACTS.map(fact => `customer.${fact}`), from: 'customer', limit: 1 })

/** Every account that the login reaches, each once, with the first manager that leads to it. */
export async function* listAccounts(io: GoogleAdsIo): AsyncGenerator<PlatformAccount[]> {
  const { login_customer_id } = io.login
  if (login_customer_id !== undefined) {
    yield await accountsOfChosen(login_customer_id, io)
    return
  }
  const isNew = firstTime()
  for (const root of await grantsOf(io)) {
    const accounts = await accountsBelow(root, root, io).catch((error: unknown) => {
      // A grant may outlive what it is for: a closed account stands among them and cannot be opened.
      if (hasLostAccess(error)) return []
      throw error
    })
    const fresh = accounts.filter(({ external_id }) => isNew(external_id))
    if (fresh.length > 0) yield fresh
  }
}

/** What is below a manager that the login names: one that it opens itself, or one further down. */
async function accountsOfChosen(id: string, io: GoogleAdsIo): Promise<PlatformAccount[]> {
  try {
    return await accountsBelow(id, id, io)
  } catch (error) {
    const [first, ...others] = canRecover(error, 'other_manager') ? await grantsOf(io) : []
    if (first === undefined) throw error
    return firstReached([first, ...others], through => accountsBelow(id, through, io))
  }
}

/** One account, looked at through the manager that is known, or any other that leads to it. */
export async function checkAccount(account: AccountRef, io: GoogleAdsIo): Promise<PlatformAccount> {
  try {
    return await firstReached(managersFor(account, io.login), through =>
      accountThrough(account.external_id, through, io),
    )
  } catch (error) {
    if (!canRecover(error, 'other_manager')) throw error
    const found = await findAccount(listAccounts(io), account.external_id)
    if (found === null) throw error
    return accountThrough(found.external_id, found.via, io)
  }
}

/** The managers through which an account may be reached, the known one first; null is no manager at all. */
export function managersFor(
  { external_id, via }: Pick<AccountRef, 'external_id' | 'via'>,
  { login_customer_id }: GoogleAdsLogin,
): Strategy {
  // It becomes part of an address.
  if (!/^\d{10}$/.test(external_id))
    throw new PlatformFailure('account_access_lost', { platform_message: `${external_id} is no customer ID` })
  const others = [login_customer_id ?? null, null].filter(way => way !== via)
  return [via, ...new Set(others)]
}
type Strategy = [string | null, ...(string | null)[]]

/** Tries one way after the other, until one leads to the account. */
export async function firstReached<Result>(
  [way, ...others]: Strategy,
  attempt: (through: string | null) => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt(way)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !canRecover(error, 'other_manager')) throw error
    return firstReached([next, ...rest], attempt)
  }
}

async function grantsOf(io: GoogleAdsIo): Promise<string[]> {
  const { resourceNames } = await ownList('customers:listAccessibleCustomers', AccessibleCustomers, io)
  return resourceNames
}

async function accountsBelow(
  root: string,
  through: string | null,
  io: GoogleAdsIo,
): Promise<PlatformAccount[]> {
  const search = { customer: root, through, query: clientsQuery }
  const rows = await everyRow(search, ClientRow, io)
  // A customer may be below several managers.
  const customers = [...new Map(rows.map(({ customerClient: each }) => [each.id, each])).values()]
  const manager = customers.find(each => each.level === '0' && each.manager)
  const owner = manager ? { via: through, owner_name: nameOf(manager) } : { via: null, owner_name: null }
  return customers.filter(customer => !customer.manager).map(customer => accountOf(customer, owner))
}

async function accountThrough(id: string, through: string | null, io: GoogleAdsIo): Promise<PlatformAccount> {
  const customer = await customerOf(id, through, io)
  const owner = io.login.login_customer_id ?? through
  const owner_name = through === null || owner === null ? null : nameOf(await customerOf(owner, through, io))
  return accountOf(customer, { via: through, owner_name })
}

async function customerOf(id: string, through: string | null, io: GoogleAdsIo): Promise<Customer> {
  const [row] = await everyRow({ customer: id, through, query: customerQuery }, CustomerRow, io)
  if (!row) throw new PlatformFailure('account_access_lost', { platform_message: `no customer ${id}` })
  if (row.customer.id !== id) throw unreadable(`customer ${id}: another customer`)
  return row.customer
}

function accountOf(customer: Customer, owner: Pick<PlatformAccount, 'via' | 'owner_name'>): PlatformAccount {
  return {
    provider: 'google_ads',
    external_id: customer.id,
    name: nameOf(customer),
    currency: customer.currencyCode,
    timezone: customer.timeZone,
    status: customer.status === 'ENABLED' ? 'enabled' : 'disabled',
    ...owner,
    analytics: null,
  }
}

/** Accounts need no name: then they go by their id as Google prints it. */
const nameOf = ({ id, descriptiveName }: Customer) =>
  descriptiveName || id.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3')

const hasLostAccess = (error: unknown) =>
  error instanceof PlatformFailure && error.code === 'account_access_lost'
