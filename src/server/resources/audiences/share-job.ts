import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { UploadLost, type AudienceSource } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { eraseFromNextAccount } from './erase-job.ts'
import { ClaimLost, leaseFrom, readHeld, store, type ShareWork } from './share-claim.ts'
import type { ShareEffects } from './share-effects.ts'
import { ChunkGone, failureFacts, retryAt, ShareFailure, stopsShare } from './share-failure.ts'
import { noteStopped } from './share-notify.ts'
import { restarted } from './share-plan.ts'
import { DAY_MS } from './share-poll.ts'
import { claimCompanions, claimShare, msUntilShareDue, readShare, type Share } from './share-queries.ts'
import { wakeRecipients } from './share-relation-queries.ts'
import { sendBatches } from './share-send.ts'
import { takeStep } from './share-step.ts'

/**
 * Advances all shares that are due, a few at a time, and those that will be within seconds. Ends when the
 * process shuts down.
 */
export async function advanceDueShares(db: Db, effects: ShareEffects): Promise<void> {
  const work = async () => {
    for (let pause: number | null = 0; pause !== null && !effects.stopping.aborted;) {
      await sleep(pause, undefined, { signal: effects.stopping }).catch(() => undefined)
      const isMore = (await advanceNextShare(db, effects)) || (await eraseFromNextAccount(db, effects))
      const now = await effects.now()
      pause = isMore ? 0 : await msUntilShareDue(db, { now, within_ms: LINGER_MS })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Most of the time is spent waiting for platforms. */
const AT_ONCE = 4
const LINGER_MS = 30_000

/**
 * Brings one audience further in one account, or in several that are reached together, until it has to wait;
 * false when none is due. A process that dies meanwhile leaves a claim that expires, and the next one goes on
 * with what was stored last.
 */
export async function advanceNextShare(db: Db, effects: ShareEffects): Promise<boolean> {
  if (effects.stopping.aborted) return false
  const now = await effects.now()
  const claim = randomUUID()
  const first = await claimShare(db, { claim, now, until: leaseFrom(now) })
  if (first === null) return false
  const tools = { db, claim, effects }
  const source = await sourceFor(tools, first)
  if (!source) return true
  const work: ShareWork = { ...tools, source }
  const held = new Set([first])
  while (held.size > 0) {
    if (source.targets_at_once > 1) await join(work, held)
    await advance(work, held)
  }
  return true
}

/** Its platform with the login that reaches the account; null: that is missing, which has been stored. */
async function sourceFor(work: Omit<ShareWork, 'source'>, id: number): Promise<AudienceSource | null> {
  const share = await readHeld(work, id)
  if (!share) return null
  try {
    const source = await work.effects.audiencesOf(share)
    if (!source) throw new ShareFailure('unsupported_channel')
    return source
  } catch (error) {
    await settleFailure(work, share, error)
    return null
  }
}

/** Shares that have come as far as the first one, or soon will have. */
async function join(work: ShareWork, held: Set<number>) {
  const { db, claim, source, effects } = work
  const [first] = held
  const most = source.targets_at_once - held.size
  const share = first !== undefined && most > 0 ? await readShare(db, first) : null
  if (!share || share.mode === 'shared' || !['queued', 'creating', 'uploading'].includes(share.state)) return
  const now = await effects.now()
  const until = leaseFrom(now)
  for (const id of await claimCompanions(db, share.id, { claim, now, until, most })) held.add(id)
}

/** A step of each, and a batch once all of them have come to one. */
async function advance(work: ShareWork, held: Set<number>) {
  const sending: Share[] = []
  for (const id of held) {
    const share = await readHeld(work, id)
    const outcome = share ? await tryStep(work, share) : 'over'
    if (outcome === 'over') held.delete(id)
    if (outcome === 'send' && share) sending.push(share)
  }
  if (sending.length < held.size) return
  for (const [share, error] of await sendBatches(work, sending)) {
    await settleFailure(work, share, error)
    held.delete(share.id)
  }
}

async function tryStep(work: ShareWork, share: Share) {
  if (work.effects.stopping.aborted) return await release(work, share)
  try {
    return await takeStep(work, share)
  } catch (error) {
    await settleFailure(work, share, error)
    return 'over'
  }
}

/** Another process can go on at once. */
async function release(work: Omit<ShareWork, 'source'>, share: Share) {
  await store(work, share, { next_at: await work.effects.now() }).catch(throwUnlessLost)
  return 'over' as const
}

/** Stores why a share does not go on, and when it does again; it has been released then. */
async function settleFailure(work: Omit<ShareWork, 'source'>, share: Share, error: unknown): Promise<void> {
  const { effects } = work
  if (error instanceof ClaimLost) return
  if (effects.stopping.aborted) return void (await release(work, share))
  if (![PlatformFailure, ShareFailure, ChunkGone].some(known => error instanceof known))
    effects.onUnexpected(error, { share: share.id })
  await settle(work, share, error).catch(throwUnlessLost)
}

async function settle(work: Omit<ShareWork, 'source'>, share: Share, error: unknown) {
  const now = await work.effects.now()
  if (error instanceof ChunkGone) return await store(work, share, { next_at: now })
  const facts = failureFacts(error)
  const failures = share.failures + 1
  const again = retryAt(error, { failures, now })
  const anew = error instanceof UploadLost && share.task ? restarted(share, share.task) : {}
  if (again !== null) return await store(work, share, { ...facts, ...anew, failures, next_at: again })
  const isLive = share.state === 'ready' || share.state === 'too_small'
  if (isLive && !stopsShare(facts.code))
    return await store(work, share, { ...facts, failures, next_at: new Date(now.getTime() + DAY_MS) })
  const isStopped = isLive && !(error instanceof ShareFailure)
  await store(work, share, {
    ...facts,
    state: isStopped ? 'stopped' : 'failed',
    failures: 0,
    next_at: null,
    also: async (trx, at) => {
      await wakeRecipients(trx, share.id, at)
      if (isStopped) await noteStopped(trx, { share, code: facts.code }, at)
    },
  })
}

const throwUnlessLost = (error: unknown) => {
  if (!(error instanceof ClaimLost)) throw error
}
