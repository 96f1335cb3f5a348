import { errorFacts } from '#shared/errors.ts'
import type { AudiencePart } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { deleteEnded } from './queries.ts'
import { dropSentRemovals } from './share-chunk-queries.ts'
import { callPlatform, store, well, type Outcome, type ShareWork } from './share-claim.ts'
import { ShareFailure } from './share-failure.ts'
import { creationOf } from './share-made.ts'
import { homeTargets } from './share-recipients.ts'
import { recipientsOf } from './share-relation-queries.ts'
import { readShare, type Share } from './share-queries.ts'
import { accountOf, begunParts, targetOf, taskOf, uploadOf, wholePart, withPart } from './share-target.ts'

const WAITS_MS = 5000

/** Deletes the audience at the platform, part by part, or ends the platform's sharing. */
export async function removeShare(work: ShareWork, share: Share): Promise<Outcome> {
  if (share.mode === 'shared') return await unshare(work, share)
  if ((await recipientsOf(work.db, share.id)).leaving > 0) {
    const now = await work.effects.now()
    await store(work, share, { next_at: new Date(now.getTime() + WAITS_MS) })
    return 'over'
  }
  const unknown = maybeBegun(work, share)
  if (unknown) {
    await findAgain(work, share, unknown)
    return 'again'
  }
  const [part] = begunParts(share, work.source)
  if (!part) return await end(work, share)
  const target = targetOf(share, part)
  await callPlatform(work, { name: 'remove', shares: [share] }, platform => platform.remove(target))
  const parts = share.parts.filter(each => each.part !== part.part)
  // The one that is being sent need not be looked for any more.
  await store(work, share, { parts, task: null })
  return 'again'
}

/** A part whose beginning was on its way: what came of it is not known. */
function maybeBegun({ source }: ShareWork, { kind, task, parts }: Share): AudiencePart | null {
  const isList = kind === 'customer_file'
  const part = isList ? task && source.parts[task.part] : parts.length > 0 && wholePart()
  if (!part) return null
  const known = parts.find(each => each.part === part.part)
  return known?.external_id ? null : part
}

/** Begun again, the connector finds what it has made; a refusal means that there is nothing. */
async function findAgain(work: ShareWork, share: Share, part: AudiencePart) {
  const { task } = share
  const target = targetOf(share, part)
  const begin = async () => {
    const create = task ? null : await creationOf(work, share)
    return await callPlatform(work, { name: 'begin', shares: [share] }, platform =>
      create ? create(platform, target) : platform.begin(target, uploadOf(taskOf(share))),
    )
  }
  const state = await begin().catch(error => {
    if (isLasting(error)) return null
    throw error
  })
  const others = share.parts.filter(each => each.part !== part.part)
  await store(work, share, { task: null, parts: state ? withPart(others, part, state) : others })
}

const isLasting = (error: unknown) =>
  error instanceof ShareFailure || (error instanceof PlatformFailure && !errorFacts(error.code).retried)

async function unshare(work: ShareWork, share: Share): Promise<Outcome> {
  const home = share.home === null ? null : await readShare(work.db, share.home)
  if (home && share.parts.length > 0 && home.state !== 'removed')
    for (const target of homeTargets(work, home).filter(({ external_id: id }) => id !== null))
      await callPlatform(work, { name: 'unshare', shares: [share] }, async platform =>
        platform.unshare?.(target, accountOf(share)),
      )
  return await end(work, share)
}

async function end(work: ShareWork, share: Share): Promise<Outcome> {
  const nothing = { parts: [], task: null, sent_to: 0, size: null, match: null }
  await store(work, share, {
    state: 'removed',
    ...nothing,
    ...well,
    next_at: null,
    also: async trx => {
      await dropSentRemovals(trx, share.audience)
      await deleteEnded(trx, share.audience)
    },
  })
  return 'over'
}
