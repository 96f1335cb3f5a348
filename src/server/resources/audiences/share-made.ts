import type { AudienceOperations, PartState, Target } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { callPlatform, store, well, type Outcome, type ShareWork } from './share-claim.ts'
import { ShareFailure } from './share-failure.ts'
import { findSeed, isSeedUnderWay, wakeRecipients } from './share-relation-queries.ts'
import type { Share } from './share-queries.ts'
import { targetOf, wholePart, withPart } from './share-target.ts'

/** Looked at again then, unless the seed is ready before. */
const SEED_WAITS_MS = 10 * 60_000

/** The visitors of a site, or people like those of another audience: the platform itself finds them. */
export async function makeAudience(work: ShareWork, share: Share): Promise<Outcome> {
  if (share.state === 'queued' && (await isSeedUnderWay(work.db, share))) {
    const now = await work.effects.now()
    await store(work, share, { next_at: new Date(now.getTime() + SEED_WAITS_MS) })
    return 'over'
  }
  // Known to have been begun, so that it is found and deleted if the response is lost.
  if (share.state === 'queued') {
    const parts = withPart(share.parts, wholePart(), { external_id: null, progress: {} })
    await store(work, share, { state: 'creating', parts })
    return 'again'
  }
  const create = await creationOf(work, share)
  const target = targetOf(share, wholePart())
  const state = await callPlatform(work, { name: 'create', shares: [share] }, platform =>
    create(platform, target),
  )
  const parts = withPart(share.parts, wholePart(), state)
  await store(work, share, {
    state: 'matching',
    parts,
    synced_at: await work.effects.now(),
    ...well,
    also: (trx, now) => wakeRecipients(trx, share.id, now),
  })
  return 'again'
}

type Create = (platform: AudienceOperations, target: Target) => Promise<PartState>

export async function creationOf({ db }: ShareWork, share: Share): Promise<Create> {
  const unsupported = () => {
    throw new PlatformFailure('not_eligible')
  }
  if (share.kind === 'lookalike') {
    const seed = await findSeed(db, share)
    const { country, ratio } = share
    if (seed === null || country === null || ratio === null) throw new ShareFailure('seed_not_shared')
    const lookalike = { seed_external_id: seed, country, ratio }
    return async (platform, target) => (await platform.createLookalike?.(target, lookalike)) ?? unsupported()
  }
  const pixel = share.pixels?.find(({ platform }) => platform === 'meta')
  const { rule, window_days: days } = share
  if (!pixel || !rule || days === null) throw new ShareFailure('action_not_allowed')
  const visitors = { pixel: pixel.id, rule, window_days: days }
  return async (platform, target) => (await platform.createVisitors?.(target, visitors)) ?? unsupported()
}
