import { z } from 'zod'
import { MILLIONTHS } from '#shared/money.ts'
import type { AssignedUser, BusinessAccount, BusinessReader } from '#server/connectors/business.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { firstTime } from '#server/connectors/kit/lists.ts'
import { Zone } from '#server/connectors/kit/zone.ts'
import { pagesOf, type ApiCall } from './client.ts'
import { Id, type MetaIo } from './schema.ts'

/** What a login reads of the businesses in which it has a role. */
export const businessReader = (io: MetaIo): BusinessReader => ({
  list: () => listBusinesses(io),
  accounts: business => listBusinessAccounts(business, io),
  users: of => listAssignedUsers(of, io),
})

async function listBusinesses(io: MetaIo) {
  const call = {
    path: 'me/businesses',
    params: { fields: 'id,name,verification_status' },
    account: null,
    bare_ids: true,
  }
  return await readAll(call, Business, io).catch(asScopeMissing)
}

/** It is the login's own list: what is refused is the permission and no account. */
function asScopeMissing(error: unknown): never {
  if (!(error instanceof PlatformFailure && error.code === 'account_access_lost')) throw error
  const { platform_message, platform_request_id } = error
  throw new PlatformFailure('scope_missing', { platform_message, platform_request_id, cause: error })
}

/** An account that is both owned and shared is the business's own. */
async function listBusinessAccounts(business: string, io: MetaIo): Promise<BusinessAccount[]> {
  const isNew = firstTime()
  const accounts: BusinessAccount[] = []
  for (const relation of ['owned', 'client'] as const) {
    const call = {
      path: `${business}/${relation}_ad_accounts`,
      params: { fields: relation === 'owned' ? ACCOUNT_FIELDS : `${ACCOUNT_FIELDS},permitted_tasks` },
      account: null,
      bare_ids: true,
    }
    for (const account of await readAll(call, Account, io))
      if (isNew(account.external_id)) accounts.push({ ...account, relation })
  }
  return accounts
}

async function listAssignedUsers(
  { business, account }: { business: string; account: string },
  io: MetaIo,
): Promise<AssignedUser[]> {
  const params = { business, fields: 'id,name,tasks' }
  return await readAll({ path: `act_${account}/assigned_users`, params, account, bare_ids: true }, User, io)
}

async function readAll<Schema extends z.ZodType>(call: ApiCall, schema: Schema, io: MetaIo) {
  const read: z.output<Schema>[] = []
  for await (const page of pagesOf(call, io)) {
    for (const [index, item] of page.entries()) {
      const parsed = schema.safeParse(item)
      if (!parsed.success)
        throw unreadable(`${call.path}: data[${index}].${parsed.error.issues[0]?.path.join('.')}`)
      read.push(parsed.data)
    }
  }
  return read
}

const Business = z
  .object({ id: Id, name: z.string(), verification_status: z.string().optional() })
  .transform(({ id, name, verification_status }) => ({
    external_id: id,
    name,
    verification: verification_status ?? null,
  }))

const ACCOUNT_FIELDS = [
  'account_id,name,account_status,disable_reason,currency,timezone_name,spend_cap,amount_spent,balance',
  'is_prepay_account,funding_source_details,created_time,user_tasks,tos_accepted',
].join()

/** In minor units, as text; left out where the login may not see it. */
const Minor = z
  .union([z.string().regex(/^-?\d+$/), z.int().transform(String)])
  .optional()
  .transform(text => (text === undefined ? null : BigInt(text)))

const Funding = z.object({ type: z.int(), display_string: z.string().default('') }).optional()

const Account = z
  .object({
    account_id: Id,
    name: z.string(),
    account_status: z.int(),
    disable_reason: z.int().optional(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    timezone_name: Zone,
    spend_cap: Minor,
    amount_spent: Minor,
    balance: Minor,
    is_prepay_account: z.boolean().optional(),
    funding_source_details: Funding,
    created_time: z.string().optional(),
    user_tasks: z.array(z.string()).optional(),
    permitted_tasks: z.array(z.string()).optional(),
    tos_accepted: z.record(z.string(), z.number()).optional(),
  })
  .transform(account => {
    const money = (minor: bigint | null) =>
      minor === null ? null : Number(minor * perMinorUnit(account.currency))
    const { funding_source_details: funding, tos_accepted } = account
    return {
      external_id: account.account_id,
      name: account.name,
      status: account.account_status,
      disable_reason: account.disable_reason ?? null,
      currency: account.currency,
      timezone: account.timezone_name,
      // "0" is the platform's word for no cap.
      spend_cap: account.spend_cap === 0n ? null : money(account.spend_cap),
      amount_spent: money(account.amount_spent),
      balance: money(account.balance),
      is_prepay: account.is_prepay_account ?? null,
      funding: funding ? { type: funding.type, label: funding.display_string } : null,
      tasks: account.user_tasks ?? account.permitted_tasks ?? [],
      tos_accepted: tos_accepted ? tos_accepted['custom_audience_tos'] === 1 : null,
      created_at: timeOf(account.created_time),
    }
  })

const User = z
  .object({ id: Id, name: z.string().default(''), tasks: z.array(z.string()).default([]) })
  .transform(({ id, ...user }) => ({ external_id: id, ...user }))

/** Meta counts these in whole units, whatever ISO 4217 says, and all others in hundredths. */
const WHOLE = new Set(['CLP', 'COP', 'CRC', 'HUF', 'IDR', 'ISK', 'JPY', 'KRW', 'PYG', 'TWD', 'VND'])
const perMinorUnit = (currency: string) => BigInt(MILLIONTHS) / (WHOLE.has(currency) ? 1n : 100n)

function timeOf(text: string | undefined): Date | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
