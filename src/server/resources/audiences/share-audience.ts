import type { z } from 'zod'
import type { ShareAudience, ShareAudienceReply } from '#shared/api/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { AudienceAccess, AudienceEffects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { inParallel } from '#server/in-parallel.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { findAudience, lockAudience, type LockedAudience } from './queries.ts'
import { noteAudience, requirePlan } from './rights.ts'
import { homesOf, insertShare, retryShare, sharesWith } from './share-change-queries.ts'
import { findSeed } from './share-relation-queries.ts'
import { againOf, modeOf, retryOf, whyNotShare, whyNotThere } from './share-rules.ts'

type Shares = z.output<typeof ShareAudienceReply>['shares']
type Account = Awaited<ReturnType<typeof usableAccounts>>[number]

interface Sharing extends z.output<typeof ShareAudience> {
  user: SignedInUser
  now: Date
}

/** Accounts that platforms are asked about at the same time, for a person who waits. */
const AT_ONCE = 8

/**
 * Asks the platforms first, which takes its time, and then decides with the audience held, so that of two
 * accounts of one business the second always finds the first.
 */
export async function shareWithAccounts(
  db: Db,
  sharing: Sharing,
  { access }: Pick<AudienceEffects, 'access'>,
): Promise<Shares> {
  const { user, now } = sharing
  const ids = [...new Set(sharing.ad_accounts)]
  const audience = await findAudience(db, user, sharing.audience)
  if (!audience) throw refuse('not_found')
  await requirePlan(db, user)
  refuseUnlessFit(audience)
  const accounts = await accountsFor(db, user, ids)
  const known = await sharesWith(db, audience.id, ids)
  const found = new Map<number, AudienceAccess>()
  await inParallel([...accounts.values()], AT_ONCE, async account => {
    const isLive = known.some(each => each.ad_account === account.id && againOf(each.state) === 'as_it_is')
    if (isLive || whyNotThere(audience, account)) return
    found.set(account.id, await access(account, { now, again: true }))
  })
  return await inTransaction(db, trx => begin(trx, sharing, { ids, found }))
}

/** In the order in which they were named. */
async function begin(
  trx: Trx,
  sharing: Sharing,
  { ids, found }: { ids: readonly number[]; found: ReadonlyMap<number, AudienceAccess> },
): Promise<Shares> {
  const { user, now } = sharing
  const audience = await lockAudience(trx, user, sharing.audience)
  if (!audience) throw refuse('not_found')
  refuseUnlessFit(audience)
  const accounts = await accountsFor(trx, user, ids)
  const shares: Shares = []
  for (const id of ids) {
    const account = accounts.get(id)
    if (account) shares.push(await shareWith(trx, sharing, { audience, account, access: found.get(id) }))
  }
  const begun = shares.filter(({ result }) => result === 'queued').map(({ ad_account: account }) => account)
  const detail = { name: audience.name, ad_accounts: begun, refused: shares.length - begun.length }
  if (begun.length > 0)
    await noteAudience(trx, { action: 'audience.share', id: audience.id, user, now, detail })
  return shares
}

interface At {
  audience: LockedAudience
  account: Account
  /** Left out: it did not have to be asked. */
  access: AudienceAccess | undefined
}

async function shareWith(
  trx: Trx,
  { user, now, auto_sync }: Sharing,
  { audience, account, access }: At,
): Promise<Shares[number]> {
  const at = { ad_account: account.id }
  const refusal = whyNotThere(audience, account)
  if (refusal) return { ...at, result: refusal }
  const [known] = await sharesWith(trx, audience.id, [account.id])
  const again = known ? againOf(known.state) : 'anew'
  if (known && again === 'as_it_is') return { ...at, share: known.id, result: 'queued' }
  if (again === 'too_soon') return { ...at, result: 'action_not_allowed' }
  if (!access || access.result !== 'ok') return { ...at, result: access?.result ?? 'action_not_allowed' }
  if (known && again === 'retry') {
    await retryShare(trx, known.id, { ...retryOf({ ...known, kind: audience.kind }), now })
    return { ...at, share: known.id, result: 'queued' }
  }
  const homes = await homesOf(trx, { audience: audience.id, provider: account.provider })
  const mode = modeOf(access.business, homes)
  const needsSeed = audience.kind === 'lookalike' && mode.mode !== 'shared'
  if (needsSeed && (await findSeed(trx, { seed: audience.seed, ad_account: account.id })) === null)
    return { ...at, result: 'seed_not_shared' }
  const facts = { audience: audience.id, ...at, ...mode, auto_sync, created_by: user.id, now }
  return { ...at, share: await insertShare(trx, facts), result: 'queued' }
}

function refuseUnlessFit(audience: Parameters<typeof whyNotShare>[0]): void {
  const refusal = whyNotShare(audience)
  if (refusal) throw refuse(refusal)
}

/** An account that the person may not use is treated like one that does not exist. */
async function accountsFor(
  db: Db,
  user: SignedInUser,
  ids: readonly number[],
): Promise<Map<number, Account>> {
  const advertisers = await advertisersOf(db, user)
  const accounts = await usableAccounts(db, { advertisers }, ids)
  if (accounts.length < ids.length) throw refuse('not_found')
  return new Map(accounts.map(account => [account.id, account]))
}
