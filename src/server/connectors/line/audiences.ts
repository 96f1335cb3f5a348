import { z } from 'zod'
import type {
  AccountAccess,
  AudienceConnector,
  AudiencePart,
  Batch,
  PartState,
  PartStatus,
  SentPart,
  Target,
  Upload,
} from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { accessOf, asAudienceStep } from '#server/connectors/kit/audience-failures.ts'
import { hashLinesOf } from '#server/connectors/kit/hash-lines.ts'
import { nextPollMs } from '#server/connectors/kit/matching-polls.ts'
import { deleteAudience, findById, findMade, jobsOf, listOnce, uploadFile } from './audience-calls.ts'
import { byReasonOfAudiences } from './failures.ts'
import { LineLogin, type LineIo } from './schema.ts'

/**
 * Uploads to audiences at LINE. Each batch is a file: the first one makes the audience or replaces what is in
 * it, all others add. Nobody can be taken out: a list is replaced by the rest of it.
 */
export const lineAudiences = (phoneForm: 'digits' | 'e164' | null): AudienceConnector<LineLogin> => ({
  login: LineLogin,
  hosts: ['line_ads'],
  parts: partsOf(phoneForm),
  // A file has 60 MB at most: 900,000 lines of 65 bytes.
  batch_chunks: 90,
  targets_at_once: 1,
  removes_members: false,
  open(io) {
    const step = <Result>(result: Promise<Result>) => asAudienceStep(result, byReasonOfAudiences)
    return {
      check: account => accessOf(check(account, io), { byReason: byReasonOfAudiences, fix_url: null }),
      begin: async (target, upload) => stateOf(target.external_id, sentOf(target, upload)),
      send: (targets, batch) => step(Promise.all(targets.map(target => send(target, batch, io)))),
      finish: (target, upload) => step(finish(target, upload, io)),
      poll: target => step(poll(target, io)),
      remove: target => step(remove(target, io)),
    }
  },
})

function partsOf(phoneForm: 'digits' | 'e164' | null): AudiencePart[] {
  const email: AudiencePart = { part: 'email', columns: ['email'] }
  if (phoneForm === null) return [email]
  return [email, { part: 'phone', columns: [phoneForm === 'digits' ? 'phone' : 'phone_e164'] }]
}

/** Those who may not even read audiences may not upload; those who only read them are refused later. */
async function check(account: AccountRef, io: LineIo): Promise<AccountAccess> {
  await listOnce(account, io)
  return { result: 'ok', business: null, fix_url: null, message: null }
}

/** How far the upload is that is under way. */
const Sent = z.object({ session: z.number(), batches: z.number(), has_file: z.boolean() })
type Sent = z.infer<typeof Sent>

function sentOf({ progress }: Target, { session }: Upload): Sent {
  const sent = Sent.safeParse(progress)
  return sent.success && sent.data.session === session ? sent.data : { session, batches: 0, has_file: false }
}

const stateOf = (externalId: string | null, sent: Sent): PartState => ({
  external_id: externalId,
  progress: { ...sent },
})

/** A file that is added twice adds nobody twice; whether one has replaced the list is asked before. */
async function send(target: Target, batch: Batch, io: LineIo): Promise<SentPart> {
  const { upload, index } = batch
  const sent = sentOf(target, upload)
  if (index <= sent.batches) return { ...stateOf(target.external_id, sent), request_id: null }
  const bytes = await hashLinesOf(batch, target.part)
  const after = { ...sent, batches: index, has_file: sent.has_file || bytes !== null }
  if (!bytes) return { ...stateOf(target.external_id, after), request_id: null }
  const id = target.external_id ?? (await findMade(target, io))?.id ?? null
  const replaces = id !== null && !sent.has_file && isWhole(target, upload)
  const isDone = replaces && (await hasReplaced(target, { id, since: upload.begun_at }, io))
  const file = { bytes, index, id, action: replaces ? ('REPLACE' as const) : ('ADD' as const) }
  return {
    ...stateOf(isDone ? id : await uploadFile(target, file, io), after),
    request_id: null,
  }
}

/** What an upload adds to nothing is the whole list, whatever a lost response has left there. */
const isWhole = ({ external_id }: Target, { action }: Upload) => action === 'replace' || external_id === null

async function hasReplaced(
  { account }: Target,
  { id, since }: { id: string; since: Date },
  io: LineIo,
): Promise<boolean> {
  const jobs = await jobsOf(account, id, io)
  return jobs.some(({ type, created }) => /REPLACE/i.test(type) && created >= since)
}

/** A list that is replaced by nobody has no file to say so. */
async function finish(target: Target, upload: Upload, io: LineIo): Promise<PartState> {
  const { has_file } = sentOf(target, upload)
  if (has_file || upload.action !== 'replace') return { external_id: target.external_id, progress: {} }
  await remove(target, io)
  return { external_id: null, progress: {} }
}

const QUIET: Omit<PartStatus, 'state'> = { size: null, match: null, code: null, poll_after_ms: 0 }

async function poll(target: Target, io: LineIo): Promise<PartStatus> {
  // Nobody in the list has such an identifier.
  if (target.external_id === null) return { ...QUIET, state: 'ready' }
  const audience = await findById(target, io)
  if (!audience) return { ...QUIET, state: 'stopped', code: 'audience_gone' }
  const { status, estimatedAudienceSize: text } = audience
  const counted = { ...QUIET, size: text && text !== '-' ? text : null }
  switch (status) {
    case 'READY':
      return { ...counted, state: 'ready' }
    case 'EXPIRED':
      return { ...QUIET, state: 'stopped', code: 'audience_gone' }
    case 'FAILED':
      return { ...counted, state: 'failed', code: 'platform_error' }
    case 'IN_PROGRESS': {
      const jobs = await jobsOf(target.account, target.external_id, io)
      const since = new Date(
        Math.max(...jobs.map(({ created }) => created.getTime()), audience.created.getTime()),
      )
      return { ...counted, state: 'matching', poll_after_ms: nextPollMs(since, io.now()) }
    }
  }
}

async function remove(target: Target, io: LineIo): Promise<void> {
  const id = target.external_id ?? (await findMade(target, io))?.id
  if (id !== undefined) await deleteAudience(target.account, id, io)
}
