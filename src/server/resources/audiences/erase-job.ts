import { randomInt, randomUUID } from 'node:crypto'
import type { ErasureOutcome } from '#shared/audiences.ts'
import { isErrorCode, type ErrorCode } from '#shared/errors.ts'
import type { AudienceOperations, AudienceSource, MemberRows, Target } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  borrowShare,
  claimErasure,
  listsIn,
  readErasure,
  returnShare,
  sendListAgain,
  settleErasure,
  type ErasureKey,
  type ListThere,
} from './erase-job-queries.ts'
import { finishErasure } from './erasure-queries.ts'
import { clockFrom, leaseFrom } from './share-claim.ts'
import type { ShareEffects } from './share-effects.ts'
import { failureFacts, retryAt, ShareFailure } from './share-failure.ts'
import { restarted } from './share-plan.ts'
import { readShare, type Share } from './share-queries.ts'
import { isDenied } from './share-rules.ts'
import { accountOf, begunParts, targetOf, withPart } from './share-target.ts'

/** Looked at again then: a list is being sent, or replaced by the rest of it. */
const WAITS_MS = 30_000
const CALL_MS = 4 * 60_000

/**
 * Takes the people of an erasure out of one ad account; false when none is due. Our own copies are done
 * before, so what is sent from here on is without them.
 */
export async function eraseFromNextAccount(db: Db, effects: ShareEffects): Promise<boolean> {
  if (effects.stopping.aborted) return false
  const now = await effects.now()
  const claim = randomUUID()
  const key = await claimErasure(db, { claim, now, until: leaseFrom(now) })
  if (!key) return false
  const work: ErasureWork = { db, claim, effects, key }
  try {
    const end = await erase(work)
    await settle(work, end === 'wait' ? { next_at: new Date(now.getTime() + WAITS_MS) } : end)
  } catch (error) {
    await settle(work, await afterFailure(work, error))
  }
  return true
}

interface ErasureWork {
  db: Db
  claim: string
  effects: ShareEffects
  key: ErasureKey
}

interface End {
  outcome?: Exclude<ErasureOutcome, 'pending'>
  code?: ErrorCode | null
  failures?: number
  next_at?: Date | null
}

async function settle({ db, claim, effects, key }: ErasureWork, end: End) {
  const now = await effects.now()
  const changes = { code: null, failures: key.failures, next_at: null, ...end }
  await effects.step?.('before settle')
  await inTransaction(db, async trx => {
    if (await settleErasure(trx, { ...key, claim }, changes)) await finishErasure(trx, key.erasure, now)
  })
}

async function afterFailure({ effects, key }: ErasureWork, error: unknown): Promise<End> {
  const now = await effects.now()
  if (effects.stopping.aborted) return { next_at: now }
  const { code } = failureFacts(error)
  if (!(error instanceof PlatformFailure || error instanceof ShareFailure))
    effects.onUnexpected(error, { erasure: key.erasure, ad_account: key.ad_account })
  const failures = key.failures + 1
  const again = retryAt(error, { failures, now })
  return again ? { code, failures, next_at: again } : { code, failures, outcome: 'failed' }
}

async function erase(work: ErasureWork): Promise<End | 'wait'> {
  const { db, effects, key } = work
  const erasure = await readErasure(db, key)
  const lists = erasure ? await listsIn(db, { ...erasure, ...key }) : []
  if (!erasure || lists.length === 0) return { outcome: 'nothing_there' }
  // Rows that were read before may still be on their way.
  if (lists.some(({ state }) => state === 'creating' || state === 'uploading')) return 'wait'
  const source = await effects.audiencesOf(erasure)
  if (!source) return { outcome: 'nothing_there' }
  const rows = effects.openErasure(erasure)
  const account = accountOf(erasure)
  const whole = await atPlatform(work, source, async platform => await platform.erase?.(account, rows))
  if (whole) return { outcome: whole }
  if (!source.removes_members) return await replaceLists(work, lists, erasure.created_at)
  for (const { id } of lists) if (!(await removeFrom(work, source, { id, rows }))) return 'wait'
  return { outcome: 'done' }
}

/** The rest of each list is sent again, by the job of shares. */
async function replaceLists(
  { db, effects }: ErasureWork,
  lists: readonly ListThere[],
  since: Date,
): Promise<End | 'wait'> {
  const left = lists.filter(({ synced_at: at }) => at === null || at < since)
  const expired = left.filter(({ status }) => status === 'expired')
  const now = await effects.now()
  for (const list of left) {
    if (expired.includes(list)) continue
    const code = whyNotAgain(list)
    if (code !== null) return { outcome: 'failed', code }
    await sendListAgain(db, list.id, now)
  }
  if (left.length > expired.length) return 'wait'
  return { outcome: expired.length > 0 ? 'upload_again' : 'done' }
}

/** The list, and with it the person, stays at the platform until somebody stops sharing it. */
function whyNotAgain({ state, sent_to: sentTo, code, consent, is_deleting }: ListThere): ErrorCode | null {
  if (isDenied(consent)) return 'consent_denied'
  const hasFailed = state === 'failed' || state === 'stopped'
  // It has been tried, or could not be removed.
  const isOver = hasFailed && (sentTo < 0 || is_deleting)
  return isOver ? (code !== null && isErrorCode(code) ? code : 'internal_error') : null
}

/** List by list, as an upload that removes them; false: another process has the list. */
async function removeFrom(
  work: ErasureWork,
  source: AudienceSource,
  { id, rows }: { id: number; rows: MemberRows },
): Promise<boolean> {
  const { db, claim, effects } = work
  const now = await effects.now()
  if (!(await borrowShare(db, id, { claim, now, until: leaseFrom(now) }))) return false
  const share = await readShare(db, id)
  try {
    if (share) await removeRows(work, source, { share, rows })
  } finally {
    await returnShare(db, { id, claim })
  }
  return true
}

async function removeRows(
  work: ErasureWork,
  source: AudienceSource,
  { share, rows }: { share: Share; rows: MemberRows },
) {
  let { parts } = share
  for (const part of begunParts(share, source)) {
    if (!part.columns.some(column => rows.columns.includes(column))) continue
    const target = { ...targetOf(share, part), progress: {} }
    const state = await atPlatform(work, source, platform =>
      uploadRemoval(platform, { target, rows, now: work.effects.now }),
    )
    parts = withPart(parts, part, state)
  }
  // An upload that has failed half way is begun again: what the connector knew of it is gone.
  const task = share.task ? restarted(share, share.task).task : undefined
  await returnShare(work.db, { id: share.id, claim: work.claim }, { parts, ...(task && { task }) })
}

async function uploadRemoval(
  platform: AudienceOperations,
  { target, rows, now }: { target: Target; rows: MemberRows; now: () => Promise<Date> },
) {
  const session = randomInt(1, 2 ** 48 - 1)
  const count = rows.rows.length
  const upload = { session, action: 'remove', rows: count, batches: 1, begun_at: await now() } as const
  const begun = await platform.begin(target, upload)
  const batch = { upload, index: 1, is_last: true, chunks: once(rows) }
  const [sent] = await platform.send([{ ...target, ...begun }], batch)
  const { external_id, progress } = sent ?? begun
  return await platform.finish({ ...target, external_id, progress }, upload)
}

async function* once(rows: MemberRows) {
  yield rows
}

const atPlatform = async <Result>(
  { effects }: ErasureWork,
  source: AudienceSource,
  call: (platform: AudienceOperations) => Promise<Result>,
): Promise<Result> => {
  const context = { ...effects, jobs: jobsInMemory(), now: clockFrom(await effects.now()) }
  await effects.step?.('before erase')
  const result = await withDeadline(CALL_MS, context, io => call(source.open(io)))
  await effects.step?.('after erase')
  return result
}
