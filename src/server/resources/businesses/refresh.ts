import { PlatformFailure } from '#server/connectors/connector.ts'
import type { BusinessAccount, PlatformBusiness } from '#server/connectors/business.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import { insertNotices, type NewNotice } from '#server/resources/notifications/queries.ts'
import type { SourceOfLogin } from './account-users.ts'
import {
  businessesOfLogin,
  claimLogin,
  markGone,
  noteOutcome,
  releaseLogin,
  saveBusinessAccounts,
  staffOf,
  takeNearCap,
  takeStopped,
  upsertBusiness,
  type Alarm,
} from './refresh-queries.ts'
import { GONE_DAYS, lastDue } from './rules.ts'

export interface RefreshEffects {
  sourceOf: SourceOfLogin
  platforms: PlatformAccess
  /** The organisation's. */
  time_zone: string
}

/** Thousands of accounts arrive in pages. */
const PATIENCE_MS = 180_000

/**
 * Reads the businesses of every shared login that is due, and returns how many logins those were. May run in
 * several processes at once; one that dies leaves a claim that expires.
 */
export async function refreshBusinesses(db: Db, effects: RefreshEffects, now: Date): Promise<number> {
  const due = lastDue(effects.time_zone, now)
  const until = new Date(now.getTime() + 2 * PATIENCE_MS)
  for (let refreshed = 0; ; refreshed += 1) {
    const login = await claimLogin(db, { now, due, until })
    if (login === null) return refreshed
    try {
      await refreshLogin(db, login, { effects, now })
    } finally {
      await releaseLogin(db, { login, claimed_until: until, now })
    }
  }
}

type When = { effects: RefreshEffects; now: Date }

/** Where it fails the accounts stay as they were, and their business says why. */
async function refreshLogin(db: Db, login: number, { effects, now }: When): Promise<void> {
  const known = await businessesOfLogin(db, login)
  try {
    const found = await readBusinesses(login, effects)
    for (const each of found) await inTransaction(db, trx => save(trx, login, { ...each, now }))
    const listed = new Set(found.map(({ business }) => business.external_id))
    const lost = known.filter(({ external_id }) => !listed.has(external_id)).map(({ id }) => id)
    await noteOutcome(db, lost, { problem: 'account_access_lost', now })
  } catch (error) {
    const problem = error instanceof PlatformFailure ? error.code : 'internal_error'
    const ids = known.map(({ id }) => id)
    await noteOutcome(db, ids, { problem, now })
    if (!(error instanceof PlatformFailure)) throw error
  }
}

interface Found {
  business: PlatformBusiness
  /** Or why they could not be read. */
  accounts: BusinessAccount[] | PlatformFailure
}

async function readBusinesses(login: number, { sourceOf, platforms }: RefreshEffects): Promise<Found[]> {
  const source = await sourceOf(login)
  if (!source) throw new PlatformFailure('credential_missing')
  return await withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async context => {
    const reader = source.businesses?.(context)
    const found: Found[] = []
    for (const business of (await reader?.list()) ?? [])
      found.push({
        business,
        accounts: (await reader?.accounts(business.external_id).catch(asValue)) ?? [],
      })
    return found
  })
}

function asValue(error: unknown): PlatformFailure {
  if (error instanceof PlatformFailure) return error
  throw error
}

async function save(trx: Trx, login: number, { business, accounts, now }: Found & { now: Date }) {
  const id = await upsertBusiness(trx, business, login)
  if (id === null) return
  if (accounts instanceof PlatformFailure)
    return await noteOutcome(trx, [id], { problem: accounts.code, now })
  await saveBusinessAccounts(trx, id, { accounts, now })
  const deleteBefore = new Date(now.getTime() - GONE_DAYS * 24 * 3600_000)
  await markGone(trx, id, { now, deleteBefore })
  await noteOutcome(trx, [id], { problem: null, now })
  const stopped = await takeStopped(trx, id)
  const near = await takeNearCap(trx, id)
  const staff = await staffOf(
    trx,
    [...stopped, ...near].map(({ advertiser }) => advertiser),
  )
  const notices = (kind: 'ad_account_stopped' | 'spend_cap_near', alarms: readonly Alarm[]): NewNotice[] =>
    alarms.flatMap(alarm =>
      staff
        .filter(({ advertiser }) => advertiser === alarm.advertiser)
        .map(({ user_id }) => ({ kind, user_id, detail: detailOf(alarm) })),
    )
  await insertNotices(
    trx,
    [...notices('ad_account_stopped', stopped), ...notices('spend_cap_near', near)],
    now,
  )
}

const detailOf = ({ account, name, advertiser_name, status, disable_reason, cap_used, business }: Alarm) => ({
  ad_account: name,
  ad_account_id: account,
  customer: advertiser_name,
  status,
  business,
  ...(disable_reason !== null && { disable_reason }),
  ...(cap_used !== null && { cap_used }),
})
