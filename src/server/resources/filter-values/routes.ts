import { accountChannelOf, catalogueOf } from '#shared/channels/all.ts'
import {
  type Channel,
  filterFields,
  type FilterField,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { MAX_FILTER_VALUES, FilterValues, FilterValuesQuery } from '#shared/api/filter-values.ts'
import { foldCase } from '#shared/filter.ts'
import type { Db } from '#server/db/connect.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { inParallel } from '#server/in-parallel.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { accountTextOf } from '#server/table/plan-block.ts'
import type { AccountFacts } from '#server/table/plan.ts'
import { saveNames, savedNames } from './queries.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'

const read = route('GET', '/api/ad/filter-values/', {
  summary: 'Suggest values for a filter.',
  // Stores what the platform has returned.
  rows: 'every',
  level: 'external_user',
  kind: 'search',
  query: FilterValuesQuery,
  reply: FilterValues,
  transaction: 'own',
  async run({ query, user, db, effects, now }) {
    const { channel, field, search } = query
    if (!catalogueOf(channel).filters.includes(field))
      throw refuse('invalid', { fields: { field: ['field_invalid'] } })
    const accounts = await accountsFor(db, user, query)
    const { of } = filterFields[field]
    if (of === 'account') return { values: matching(textsOf(accounts, field), search), complete: true }
    const { names, complete } = await namesOf(of, { channel, accounts, db, effects, now })
    return { values: matching(names, search), complete }
  },
})

/** An account that the person may not use is treated like one that does not exist. */
async function accountsFor(
  db: Db,
  person: SignedInUser,
  { channel, accounts: ids }: { channel: Channel; accounts: number[] },
): Promise<AccountFacts[]> {
  const usable = await usableAccounts(db, { advertisers: await advertisersOf(db, person) }, ids)
  const accounts = usable.filter(account => account.channel === accountChannelOf(channel))
  if (accounts.length < ids.length) throw refuse('invalid', { fields: { accounts: ['field_not_available'] } })
  return accounts
}

const textsOf = (accounts: AccountFacts[], field: FilterField) =>
  accounts.map(account => accountTextOf(account, field)).filter(text => text !== '')

/** The names that contain the search text, ignoring case, by name. */
function matching(names: readonly string[], search: string): string[] {
  const needle = foldCase(search.trim())
  const found = [...new Set(names)].filter(name => foldCase(name).includes(needle))
  return found.toSorted(byName.compare).slice(0, MAX_FILTER_VALUES)
}

const byName = new Intl.Collator('en', { numeric: true })

interface NamesRequest {
  channel: Channel
  accounts: AccountFacts[]
  db: Db
  effects: Effects
  now: Date
}

const FRESH_MS = 24 * 3600_000
const AT_ONCE = 4
/** Accounts that are fetched in one request; with many, the others follow with the next one. */
const ACCOUNTS_A_REQUEST = 8

/** The cached names of the accounts, after fetching those that are older than a day. */
async function namesOf(dimension: PlatformDimension, { channel, accounts, db, effects, now }: NamesRequest) {
  const ids = accounts.map(account => account.id)
  const since = new Date(now.getTime() - FRESH_MS)
  const known = await savedNames(db, dimension, { accounts: ids, since })
  const stale = accounts.filter(account => !known.fresh.has(account.id))
  if (stale.length === 0) return { names: known.names, complete: true }
  await inParallel(stale.slice(0, ACCOUNTS_A_REQUEST), AT_ONCE, async account => {
    const names = await effects.platformNames({ channel, dimension, account, now })
    if (names) await saveNames(db, dimension, { account: account.id, names, now })
  })
  const { names, fresh } = await savedNames(db, dimension, { accounts: ids, since })
  return { names, complete: fresh.size === ids.length }
}

export const filterValuesRoutes = [read]
