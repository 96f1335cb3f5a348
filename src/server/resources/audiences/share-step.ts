import type { ShareTask } from '#server/db/tables/audiences.ts'
import { nextChunks, dropSentRemovals } from './share-chunk-queries.ts'
import { callPlatform, store, well, type Outcome, type ShareWork } from './share-claim.ts'
import { ShareFailure } from './share-failure.ts'
import { makeAudience } from './share-made.ts'
import { contentOf, planTask, takenParts, taskOfNextPart } from './share-plan.ts'
import { pollShare, sendsUploads } from './share-poll.ts'
import { keepsBack } from './share-rules.ts'
import type { Share } from './share-queries.ts'
import { endStates, shareHome } from './share-recipients.ts'
import { wakeRecipients } from './share-relation-queries.ts'
import { removeShare } from './share-remove.ts'
import { begunParts, partOf, targetOf, taskOf, uploadOf, withPart } from './share-target.ts'

/**
 * One step of a share, at most one call of the platform, after which its outcome is stored: so whatever ends
 * the process, the next one repeats one step at most, and every step may be repeated.
 *
 * queued → creating → uploading, for each part → matching → ready ↔ too_small → uploading again, for each
 * upload that follows.
 */
export async function takeStep(work: ShareWork, share: Share): Promise<Outcome> {
  if (share.state === 'removing') return await removeShare(work, share)
  if (endStates.has(share.state)) {
    await store(work, share, { next_at: null })
    return 'over'
  }
  if (share.account_advertiser !== share.advertiser) throw new ShareFailure('account_access_lost')
  if (share.state === 'matching') return await pollShare(work, share)
  if (share.state === 'ready' || share.state === 'too_small') {
    const follows = sendsUploads(share) && (await begin(work, share))
    return follows ? 'again' : await pollShare(work, share)
  }
  if (share.mode === 'shared') return await shareHome(work, share)
  if (share.kind !== 'customer_file') return await makeAudience(work, share)
  if (share.state === 'uploading') return await upload(work, share)
  await (share.state === 'queued' ? resume(work, share) : beginPart(work, share))
  return 'again'
}

/** Plans what follows; false: nothing does. */
async function begin(work: ShareWork, share: Share): Promise<boolean> {
  const now = await work.effects.now()
  const planned = await planTask(work.db, share, { source: work.source, now })
  if (planned === null) return false
  if (typeof planned === 'number') await store(work, share, { sent_to: planned })
  else await store(work, share, { state: 'creating', task: planned, code: null, message: null })
  return true
}

/** A new one, or one that goes on after a failure with what it had come to. */
async function resume(work: ShareWork, share: Share) {
  const { task } = share
  if (task !== null) await store(work, share, { state: task.batch > 0 ? 'uploading' : 'creating' })
  else if (!(await begin(work, share))) await store(work, share, { state: 'matching' })
}

async function beginPart(work: ShareWork, share: Share) {
  const task = taskOf(share)
  refuseWhenUnfit(share, task)
  if (await dropEmptiedPart(work, share, task)) return
  const part = partOf(work, task)
  const target = targetOf(share, part)
  const state = await callPlatform(work, { name: 'begin', shares: [share] }, platform =>
    platform.begin(target, uploadOf(task)),
  )
  await store(work, share, { state: 'uploading', parts: withPart(share.parts, part, state), ...well })
}

/** Nobody of a list that replaces another is in it any more; true: there was such a part. */
async function dropEmptiedPart(work: ShareWork, share: Share, task: ShareTask): Promise<boolean> {
  if (task.action !== 'replace') return false
  const taken = await takenParts(work.db, { audience: share.audience, task }, work.source)
  const part = begunParts(share, work.source).find(each => !taken.includes(each))
  if (!part) return false
  const target = targetOf(share, part)
  await callPlatform(work, { name: 'remove', shares: [share] }, platform => platform.remove(target))
  await store(work, share, { parts: share.parts.filter(each => each.part !== part.part) })
  return true
}

/** The next batch, or the end of a part that has none left. */
async function upload(work: ShareWork, share: Share): Promise<Outcome> {
  const task = taskOf(share)
  refuseWhenUnfit(share, task)
  const [next] = await nextChunks(work.db, contentOf(share.audience, task), {
    after: task.after_chunk,
    limit: 1,
  })
  if (next) return 'send'
  if (task.batch < task.batches && share.status === 'expired') throw new ShareFailure('members_expired')
  const part = partOf(work, task)
  const target = targetOf(share, part)
  const state = await callPlatform(work, { name: 'finish', shares: [share] }, platform =>
    platform.finish(target, uploadOf(task)),
  )
  const parts = withPart(share.parts, part, state)
  const taken = await takenParts(work.db, { audience: share.audience, task }, work.source)
  const following = taskOfNextPart(task, taken, work.source)
  if (following) {
    await store(work, share, { state: 'creating', parts, task: following, ...well })
    return 'again'
  }
  const sent = { task: null, sent_to: task.up_to, synced_at: new Date(task.begun_at) }
  await store(work, share, {
    state: 'matching',
    parts,
    ...sent,
    ...well,
    also: async (trx, now) => {
      await wakeRecipients(trx, share.id, now)
      await dropSentRemovals(trx, share.audience)
    },
  })
  return 'again'
}

/** What has changed since it was shared. */
function refuseWhenUnfit(share: Share, task: ShareTask): void {
  if (keepsBack(share, task.action)) throw new ShareFailure('consent_denied')
  if (share.status === 'expired' && task.batch < task.batches) throw new ShareFailure('members_expired')
}
