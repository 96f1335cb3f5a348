import type { PartStatus } from '#server/connectors/audience.ts'
import { nextUpload } from './share-chunk-queries.ts'
import { callPlatform, store, well, type Outcome, type ShareWork } from './share-claim.ts'
import { noteStopped } from './share-notify.ts'
import { wakeRecipients } from './share-relation-queries.ts'
import type { Share } from './share-queries.ts'
import { begunParts, targetOf } from './share-target.ts'

export const DAY_MS = 24 * 3600_000

/** How all parts of the audience stand at the platform: while it matches, and daily afterwards. */
export async function pollShare(work: ShareWork, share: Share): Promise<Outcome> {
  const targets = begunParts(share, work.source).map(part => targetOf(share, part))
  const statuses = await callPlatform(work, { name: 'poll', shares: [share] }, async platform => {
    const found: PartStatus[] = []
    for (const target of targets) found.push(await platform.poll(target))
    return found
  })
  const now = await work.effects.now()
  const isEmpty = (at: number) => targets[at]?.external_id === null && statuses[at]?.state === 'ready'
  const { state, code, poll_after_ms: pause } = together(statuses.filter((_, at) => !isEmpty(at)))
  const found = {
    state,
    size: inWords(statuses.map(({ size }) => size)),
    match: inWords(statuses.map(({ match }) => match)),
    checked_at: now,
  }
  if (state === 'stopped' || state === 'failed') {
    const ended = { ...found, ...well, code, next_at: null }
    await store(work, share, {
      ...ended,
      also: async (trx, at) => {
        await wakeRecipients(trx, share.id, at)
        if (state === 'stopped') await noteStopped(trx, { share, code }, at)
      },
    })
    return 'over'
  }
  const isMore =
    state !== 'matching' &&
    sendsUploads(share) &&
    (await nextUpload(work.db, { audience: share.audience, after: share.sent_to })) !== null
  const after = new Date(now.getTime() + (state === 'matching' ? pause : DAY_MS))
  await store(work, share, {
    ...found,
    ...well,
    ...(!isMore && { next_at: after }),
    also: async (trx, at) => {
      if (share.state === 'matching' && state !== 'matching') await wakeRecipients(trx, share.id, at)
    },
  })
  return isMore ? 'again' : 'over'
}

/** Whether later uploads follow by themselves; those of a home reach whom it is shared with. */
export const sendsUploads = ({ auto_sync: follows, kind, mode }: Share) =>
  follows && kind === 'customer_file' && mode !== 'shared'

/** One part that has ended ends all; one that people are found in is enough. Parts of nobody do not count. */
function together(statuses: readonly PartStatus[]): Pick<PartStatus, 'state' | 'code' | 'poll_after_ms'> {
  for (const state of ['stopped', 'failed', 'matching', 'ready'] as const) {
    const found = statuses.find(status => status.state === state)
    if (found) return found
  }
  return { state: 'too_small', code: null, poll_after_ms: 0 }
}

/** Parts of the same size are of the same people. */
const inWords = (texts: readonly (string | null)[]) =>
  [...new Set(texts.filter(text => text !== null))].join(' / ') || null
