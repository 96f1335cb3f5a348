import { timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { AUDIENCE_ROWS, UPLOAD_OPEN_MS } from '#shared/audiences.ts'
import { chunked } from '#shared/chunked.ts'
import type { UploadMembers, UploadMembersReply } from '#shared/api/audiences.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { Vault } from '#server/vault.ts'
import { packRows } from './chunk.ts'
import { storeChunk } from './chunks.ts'
import { digestOf, identifyingIn, suppressionKey } from './member-keys.ts'
import { identifiedRows, refuseFaultyRows } from './member-rules.ts'
import type { LockedAudience } from './queries.ts'
import { holdAudience } from './rights.ts'
import { takeUpload } from './take.ts'
import {
  advanceUpload,
  dropUpload,
  findBatch,
  findOpenUpload,
  findUpload,
  holdSuppressed,
  insertBatch,
  openUpload,
  suppressedAmong,
  type UploadFacts,
} from './upload-queries.ts'

export type Members = z.output<typeof UploadMembers>

export interface UploadContext {
  audience: number
  user: SignedInUser
  now: Date
  vault: Vault
  /** See member-keys.ts. */
  key: Buffer
}

/** The upload cannot act: what was stored of it is dropped, and the refusal says why. */
export interface Dropped {
  refused: 'audience_empty' | 'too_large'
}

/**
 * Stores one batch of an upload, and lets the whole act with its last one. The audience is locked throughout,
 * so batches come one after the other.
 */
export async function takeBatch(
  trx: Trx,
  batch: Members,
  context: UploadContext,
): Promise<UploadMembersReply | Dropped> {
  const audience = await holdAudience(trx, context.user, context.audience)
  if (audience.kind !== 'customer_file') throw refuse('action_not_allowed')
  refuseFaultyRows(batch)
  const digest = digestOf(context.key, batch)
  const known = await findUpload(trx, { audience: audience.id, session: batch.session })
  const expected = known?.next_seq ?? 1
  if (known && batch.seq < expected) return await answerAgain(trx, batch, { known, digest })
  if (batch.seq > expected) throw refuse('upload_gap', { extra: { expected } })
  if (known?.state === 'taken') throw refuse('action_not_allowed')
  const upload = known?.state === 'open' ? known : await open(trx, audience, { ...batch, ...context })
  refuseOther(upload, batch)

  const rows = await withoutSuppressed(trx, audience, { ...batch, key: context.key })
  await storeChunk(trx, context, {
    audience: audience.id,
    upload: upload.id,
    ...packRows({ ...batch, rows }),
  })
  const reply = { seq: batch.seq, rows: batch.rows.length, stored: rows.length }
  await insertBatch(trx, { upload: upload.id, digest, ...reply })
  const total = { ...upload, rows: upload.rows + rows.length }
  await advanceUpload(trx, upload.id, { rows: total.rows, next_seq: batch.seq + 1, now: context.now })
  if (total.rows > AUDIENCE_ROWS) return await drop(trx, upload, 'too_large')
  if (!batch.last) return reply
  const refused = await takeUpload(trx, audience, { upload: total, counts: batch.counts ?? null, ...context })
  return refused ? await drop(trx, upload, refused) : reply
}

async function drop(trx: Trx, { id }: UploadFacts, refused: Dropped['refused']): Promise<Dropped> {
  await dropUpload(trx, id)
  return { refused }
}

/** The response to a batch may have been lost. */
async function answerAgain(
  trx: Trx,
  { seq }: Members,
  { known, digest }: { known: UploadFacts; digest: Buffer },
): Promise<UploadMembersReply> {
  const before = await findBatch(trx, { upload: known.id, seq })
  if (!before || !timingSafeEqual(before.digest, digest))
    throw refuse('upload_gap', { extra: { expected: known.next_seq } })
  return { seq, rows: before.rows, stored: before.stored }
}

/** A new upload, or one that was dropped, from its first batch on. */
async function open(
  trx: Trx,
  { id: audience, status, basis }: LockedAudience,
  batch: Members & Pick<UploadContext, 'user' | 'now'>,
): Promise<UploadFacts> {
  const { session, action, columns, user, now } = batch
  const other = await findOpenUpload(trx, audience)
  if (other && !givesWay(other, batch)) throw refuse('upload_open')
  if (other) await dropUpload(trx, other.id)
  if (action === 'remove') {
    if (status === 'draft') throw refuse('action_not_allowed')
    if (status === 'expired') throw refuse('members_expired')
  } else if (basis === null && batch.basis === undefined)
    throw refuse('invalid', { fields: { basis: ['field_required'] } })
  const facts = { audience, session, action, columns, basis: batch.basis ?? null, created_by: user.id, now }
  return await openUpload(trx, facts)
}

/** One that nobody goes on with: it is two hours old, or the person who began it begins this one instead. */
const givesWay = (
  { session, created_by, last_modified_at: at }: UploadFacts,
  { instead_of, user, now }: Pick<Members, 'instead_of'> & Pick<UploadContext, 'user' | 'now'>,
) => now.getTime() - at.getTime() >= UPLOAD_OPEN_MS || (session === instead_of && created_by === user.id)

/** All batches of an upload are of one kind. */
function refuseOther(upload: UploadFacts, { action, columns }: Members) {
  const fields = {
    ...(upload.action !== action && { action: ['field_invalid'] as const }),
    ...(upload.columns.join() !== columns.join() && { columns: ['field_invalid'] as const }),
  }
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
}

/** Rows whose keys are computed before others have their turn. */
const AT_ONCE = 2000

/**
 * The rows of people who can be identified, without those on the suppression list. People who are to be
 * removed are removed in any case.
 */
async function withoutSuppressed(
  trx: Trx,
  { advertiser }: LockedAudience,
  { action, columns, rows, key }: Members & { key: Buffer },
): Promise<string[][]> {
  const identified = identifiedRows(columns, rows)
  const isAnybody = await holdSuppressed(trx, advertiser)
  if (!isAnybody || action === 'remove') return identified
  const identifying = identifyingIn(columns)
  const keysOf: Buffer[][] = []
  for (const some of chunked(identified, AT_ONCE)) {
    for (const row of some)
      keysOf.push(
        identifying
          .filter(at => row[at])
          .map(at => {
            const hash = Buffer.from(row[at] ?? '', 'hex')
            return suppressionKey(key, { advertiser, column: columns[at] ?? '', hash })
          }),
      )
    await setImmediate()
  }
  const suppressed = await suppressedAmong(trx, advertiser, keysOf.flat())
  return identified.filter((_, at) => !keysOf[at]?.some(each => suppressed.has(each.toString('hex'))))
}
