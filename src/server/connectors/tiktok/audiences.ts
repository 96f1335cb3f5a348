import { z } from 'zod'
import type {
  AccountAccess,
  AudienceConnector,
  Batch,
  PartState,
  PartStatus,
  SentPart,
  Target,
  Upload,
} from '#server/connectors/audience.ts'
import { accessOf, asAudienceStep } from '#server/connectors/kit/audience-failures.ts'
import { hashLinesOf } from '#server/connectors/kit/hash-lines.ts'
import { nextPollMs } from '#server/connectors/kit/matching-polls.ts'
import { PlatformFailure, type AccountRef } from '#server/connectors/connector.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import {
  createAudience,
  deleteAudience,
  detailsOf,
  findMade,
  listOnce,
  ownerOf,
  shareAudience,
  updateAudience,
  uploadFile,
} from './audience-calls.ts'
import { byReasonOfAudiences, isBeingUpdated, leavesTooFew, NOT_FOUND } from './failures.ts'
import { TikTokLogin, type AudienceDetails, type TikTokIo } from './schema.ts'

/**
 * Customer files at TikTok. An audience has one type of identifier, so that e-mails and phones become two.
 * Each batch is uploaded as a file; `finish` makes the audience of all files, or changes it by them.
 */
export const tiktokAudiences: AudienceConnector<TikTokLogin> = {
  login: TikTokLogin,
  hosts: ['tiktok'],
  parts: [
    { part: 'email', columns: ['email'] },
    { part: 'phone', columns: ['phone_e164'] },
  ],
  // Files of 200,000 lines: the largest list has 25 of them, and an audience takes 49 at once.
  batch_chunks: 20,
  targets_at_once: 1,
  removes_members: true,
  open(io) {
    const step = <Result>(result: Promise<Result>) => asAudienceStep(result, byReasonOfAudiences)
    return {
      check: account => accessOf(check(account, io), { byReason: byReasonOfAudiences, fix_url: FIX_URL }),
      begin: async (target, upload) => begin(target, upload),
      send: (targets, batch) => step(Promise.all(targets.map(target => send(target, batch, io)))),
      finish: (target, upload) => step(finish(target, upload, io)),
      poll: target => step(poll(target, io)),
      remove: target => step(remove(target, io)),
      share: (home, recipients) => step(shareAudience(home, recipients, { path: 'share/', io })),
      unshare: (home, recipient) => step(shareAudience(home, [recipient], { path: 'share/cancel/', io })),
    }
  },
}

/** Where rights in an ad account are given. */
const FIX_URL = 'https://business.tiktok.com/'

/** An account may be read for reports by a login that has no right to its audiences. */
async function check(account: AccountRef, io: TikTokIo): Promise<AccountAccess> {
  const { status, owner_bc_id } = await ownerOf(account, io)
  await listOnce(account, io)
  return status === 'STATUS_ENABLE'
    ? { result: 'ok', business: owner_bc_id || null, fix_url: null, message: null }
    : { result: 'account_inactive', business: null, fix_url: FIX_URL, message: status }
}

/** What has been uploaded so far, of the upload that is under way. */
const Sent = z.object({
  session: z.number(),
  batches: z.number(),
  file_paths: z.array(z.string()),
  is_dropped: z.boolean(),
})
type Sent = z.infer<typeof Sent>

function sentOf(target: Target, { session }: Upload): Sent {
  const sent = Sent.safeParse(target.progress)
  return sent.success && sent.data.session === session
    ? sent.data
    : { session, batches: 0, file_paths: [], is_dropped: wasDropped(target) }
}

function begin(target: Target, upload: Upload): PartState {
  // What is left of it is deleted; people who are added now would be all there are in a new one.
  if (wasDropped(target) && upload.action === 'add') throw new PlatformFailure('audience_gone')
  return { external_id: target.external_id, progress: { ...sentOf(target, upload) } }
}

/** A file may be uploaded twice: only what `finish` names is used. */
async function send(target: Target, batch: Batch, io: TikTokIo): Promise<SentPart> {
  const sent = sentOf(target, batch.upload)
  const { external_id } = target
  if (batch.index <= sent.batches) return { external_id, progress: { ...sent }, request_id: null }
  const bytes = await hashLinesOf(batch, target.part)
  const file = bytes && (await uploadFile(target, { bytes, index: batch.index }, io))
  const paths = file ? [...sent.file_paths, file.file_path] : sent.file_paths
  return {
    external_id,
    progress: { ...sent, batches: batch.index, file_paths: paths },
    request_id: file?.request_id ?? null,
  }
}

/** Called again after a lost response it finds by its name what the first call has made. */
async function finish(target: Target, upload: Upload, io: TikTokIo): Promise<PartState> {
  const { file_paths } = sentOf(target, upload)
  const { action } = upload
  const made = target.external_id === null ? await findMade(target, io) : null
  if (made && made.create_time >= upload.begun_at) return stateOf(made.audience_id)
  const known = { ...target, external_id: target.external_id ?? made?.audience_id ?? null }
  if (file_paths.length === 0) {
    if (action !== 'replace') return stateOf(known.external_id, target)
    await remove(known, io)
    return stateOf(null)
  }
  // What an upload adds to nothing is the whole list, whatever an earlier one has left there.
  const changes = made && action === 'add' ? 'replace' : action
  if (known.external_id !== null) return await change(known, { upload, action: changes, file_paths }, io)
  if (action === 'remove') return stateOf(null, target)
  return stateOf(await createAudience(target, file_paths, io))
}

interface Change {
  upload: Upload
  /** In effect. */
  action: Upload['action']
  file_paths: string[]
}

async function change(
  target: Target,
  { upload, action, file_paths }: Change,
  io: TikTokIo,
): Promise<PartState> {
  try {
    await updateAudience(target, { file_paths, action: ACTIONS[action] }, io)
    return stateOf(target.external_id)
  } catch (error) {
    if (isBeingUpdated(error)) return await afterOther(target, upload, io)
    if (!leavesTooFew(error) && !(isRefusal(error, NOT_FOUND) && action !== 'add')) throw error
  }
  // Fewer than a thousand people, whom TikTok would not use anyhow: a new audience may have so few, and one
  // that people must be taken out of may not keep them.
  await remove(target, io)
  if (action !== 'replace') return DROPPED
  const made = await findMade(target, io)
  const isOurs = made && made.create_time >= upload.begun_at
  return stateOf(isOurs ? made.audience_id : await createAudience(target, file_paths, io))
}

const ACTIONS = { add: 'APPEND', remove: 'REMOVE', replace: 'REPLACE' } as const
const UPDATE_WAIT_MS = 5 * 60_000

/** One replacement at a time: it is ours when the audience has changed since this upload began. */
async function afterOther(target: Target, { begun_at }: Upload, io: TikTokIo): Promise<PartState> {
  const details = await detailsOf(target, io)
  const changedAt = details?.audience_history?.[0]?.opt_time
  if (changedAt && changedAt >= begun_at) return stateOf(target.external_id)
  throw new PlatformFailure('platform_unavailable', {
    retry_after_ms: UPDATE_WAIT_MS,
    platform_message: 'another update of the audience is under way',
  })
}

const DROPPED: PartState = { external_id: null, progress: { is_dropped: true } }
const wasDropped = ({ progress }: Pick<Target, 'progress'>) => progress['is_dropped'] === true

/** The files of an upload are of no use after it; that an audience was dropped is. */
const stateOf = (externalId: string | null, before?: Target): PartState =>
  before && wasDropped(before) ? DROPPED : { external_id: externalId, progress: {} }

const FEWEST_PEOPLE = 1000
/** TikTok promises a match within two days. */
const LONGEST_MATCH_MS = 48 * 3_600_000

async function poll(target: Target, io: TikTokIo): Promise<PartStatus> {
  if (wasDropped(target)) return GONE
  // Nobody in the list has such an identifier.
  if (target.external_id === null) return { ...GONE, state: 'ready', code: null }
  const details = await detailsOf(target, io)
  return details ? statusOf(details, io.now()) : GONE
}

const GONE: PartStatus = {
  state: 'stopped',
  size: null,
  match: null,
  code: 'audience_gone',
  poll_after_ms: 0,
}

/**
 * TikTok does not say whether it is still counting or has counted too few; there is a number once it has
 * counted.
 */
function statusOf(
  { audience_details: audience, audience_history: history }: AudienceDetails['list'][number],
  now: Date,
): PartStatus {
  const { cover_num, is_valid, expired_time } = audience
  const found = cover_num ?? 0
  const size = found > 0 ? String(found) : null
  const counted = { size, match: null, code: null, poll_after_ms: 0 }
  if (is_valid) return { ...counted, state: 'ready' }
  if (expired_time && expired_time <= now) return GONE
  const changedAt = history?.[0]?.opt_time ?? audience.create_time
  const isLate = now.getTime() - changedAt.getTime() > LONGEST_MATCH_MS
  if (isLate || (found > 0 && found < FEWEST_PEOPLE)) return { ...counted, state: 'too_small' }
  return { ...counted, state: 'matching', poll_after_ms: nextPollMs(changedAt, now) }
}

async function remove(target: Target, io: TikTokIo): Promise<void> {
  const id = target.external_id ?? (await findMade(target, io))?.audience_id
  if (id === undefined) return
  try {
    await deleteAudience(target.account, id, io)
  } catch (error) {
    if (!isRefusal(error, NOT_FOUND)) throw error
  }
}
