import { isErrorCode } from '#shared/errors.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import type { Target } from '#server/connectors/audience.ts'
import {
  callPlatform,
  leaseFrom,
  readHeld,
  store,
  well,
  type Outcome,
  type ShareWork,
} from './share-claim.ts'
import { ShareFailure } from './share-failure.ts'
import { claimRecipients } from './share-relation-queries.ts'
import { readShare, type Share } from './share-queries.ts'
import { accountOf, begunParts, targetOf } from './share-target.ts'

/** Looked at again then, unless the home is ready before. */
const WAITS_MS = 10 * 60_000

/** The platform shares the home with all accounts that wait for it, in one call for each part. */
export async function shareHome(work: ShareWork, share: Share): Promise<Outcome> {
  const home = share.home === null ? null : await readShare(work.db, share.home)
  if (!home || home.state === 'removing' || endStates.has(home.state))
    throw new ShareFailure(home?.code && isErrorCode(home.code) ? home.code : 'audience_gone')
  if (home.synced_at === null) {
    const now = await work.effects.now()
    await store(work, share, { state: 'queued', next_at: new Date(now.getTime() + WAITS_MS) })
    return 'over'
  }
  const parts = home.parts.map(({ part, external_id: id }) => ({ part, external_id: id, progress: {} }))
  const recipients = [share, ...(await companionsOf(work, share))]
  // Known before the call, so that unsharing ends what a lost response may have begun.
  for (const recipient of recipients) await store(work, recipient, { state: 'creating', parts })
  const accounts = recipients.map(accountOf)
  for (const target of homeTargets(work, home))
    await callPlatform(work, { name: 'share', shares: recipients }, async platform => {
      if (!platform.share) throw new PlatformFailure('not_eligible')
      await platform.share(target, accounts)
    })
  const now = await work.effects.now()
  for (const recipient of recipients) {
    const isOwn = recipient.id === share.id
    const shared = { state: 'matching', synced_at: now, ...well } as const
    await store(work, recipient, { ...shared, ...(!isOwn && { next_at: now }) })
  }
  return 'again'
}

/** Nothing is done about these until somebody wishes it. */
export const endStates = new Set<Share['state']>(['failed', 'stopped', 'removed'])

export const homeTargets = ({ source }: Pick<ShareWork, 'source'>, home: Share): Target[] =>
  begunParts(home, source).map(part => targetOf(home, part))

/** Those that still may be shared with; what is wrong with the others is found when their turn comes. */
async function companionsOf(work: ShareWork, share: Share): Promise<Share[]> {
  const { db, claim, effects } = work
  const now = await effects.now()
  const ids = await claimRecipients(db, share, { claim, now, until: leaseFrom(now) })
  const companions: Share[] = []
  for (const id of ids) {
    const one = await readHeld(work, id)
    if (!one) continue
    const isFit = one.state !== 'removing' && one.account_advertiser === one.advertiser
    if (isFit) companions.push(one)
    else await store(work, one, { next_at: now })
  }
  return companions
}
