import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { UploadFields } from '#shared/api/materials.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { storeBlobs } from '#server/files/blob-queries.ts'
import { storedName } from '#server/files/file-name.ts'
import { lockUsage } from '#server/files/quota-queries.ts'
import { takeUpload, whyNoRoom, whyNoUpload } from '#server/files/quota.ts'
import type { TemporaryFile } from '#server/files/temporary.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { RequestSlot } from '#server/http/capacity.ts'
import { disconnectSignal } from '#server/http/disconnect.ts'
import type { Effects } from '#server/http/effects.ts'
import { receiveUpload, type ReceivedFile } from '#server/http/receive-upload.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { findUsableAdvertiser, holdUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import type { MaterialKind } from './queries.ts'

/** Of a route with transactions of its own. */
export interface UploadInput {
  db: Db
  user: SignedInUser
  now: Date
  effects: Effects
  request: FastifyRequest
  reply: FastifyReply
  slot: RequestSlot
}

/** What its uploader says about it. */
export interface Described {
  advertiser: number | null
  name: string
  tags: string[]
}

export interface StoredMaterial {
  id: number
  /** false: it was there already, or somebody was faster. */
  is_new: boolean
}

/** A row that was made from the same bytes, and the hashes of all that is stored of it. */
export interface SameMaterial {
  id: number
  blobs: string[]
}

interface UploadOf {
  most_bytes: number
  too_large: ErrorCode
  findSame(db: Db, same: { advertiser: number | null; sha256: string }): Promise<SameMaterial | null>
  /** What has been received, which the scanner has found clean. */
  keep(file: ReceivedFile, described: Described): Promise<StoredMaterial>
}

/**
 * The whole way of an upload. Who may, and whether there is room, is decided before its bytes are read; the
 * same bytes again are the row that is there, and mend it where the storage has lost its content; and
 * nothing is stored before the scanner has seen it.
 */
export const uploadMaterial = (
  input: UploadInput,
  { most_bytes, too_large, findSame, keep }: UploadOf,
): Promise<StoredMaterial> =>
  receiveUpload(
    input,
    { texts: UploadFields, most_bytes, too_large, admit: texts => admit(input, texts) },
    async (file, described) => {
      const { sha256 } = file
      const same = await findSame(input.db, { ...described, sha256 })
      if (same && (await isStored(input, same))) return { id: same.id, is_new: false }
      const infected = await scanned(input, file)
      if (infected === 'scan_unavailable') throw refuse(infected)
      if (infected) throw refuse('invalid', { fields: { file: [infected] } })
      return await keep(file, { ...described, name: described.name || storedName(file.client_name) })
    },
  )

/** false: the storage has lost content of it. */
export async function isStored(
  { slot, effects }: Pick<UploadInput, 'slot' | 'effects'>,
  { blobs }: SameMaterial,
): Promise<boolean> {
  return await withoutSlot(slot, async () => {
    for (const sha256 of blobs) if (!(await effects.files.store.find(sha256))) return false
    return true
  })
}

/** Waiting for the storage is not work of this process. */
async function withoutSlot<Result>(slot: RequestSlot, work: () => Promise<Result>): Promise<Result> {
  slot.release()
  try {
    return await work()
  } finally {
    slot.take()
  }
}

/** When it is this person's turn, unless they have disconnected until then. */
async function scanned({ user, reply, slot, effects }: UploadInput, { path }: ReceivedFile) {
  const { files, requestLimits } = effects
  const scan = () => files.scan(path)
  return await withoutSlot(slot, () => requestLimits.scan(user.id, scan, disconnectSignal(reply)))
}

async function admit(
  { db, user, now }: UploadInput,
  { advertiser: of, name = '', tags = [] }: z.output<typeof UploadFields>,
): Promise<Described> {
  const advertiser = of ?? null
  if (advertiser !== null && !(await findUsableAdvertiser(db, user, advertiser))) throw notAvailable()
  const wait = await whyNoUpload(db, { user_id: user.id, now })
  if (wait) throw refuse('too_many_uploads', wait)
  await refuseWithoutRoom(db, { advertiser, size: 1 })
  return { advertiser, name: storedName(name), tags: distinct(tags) }
}

const notAvailable = () => refuse('invalid', { fields: { advertiser: ['field_not_available'] } })

export const distinct = (tags: readonly string[]): string[] => [...new Set(tags)]

interface NewMaterial {
  kind: MaterialKind
  advertiser: number | null
  blobs: readonly TemporaryFile[]
  /** Of what is served. */
  size: number
  /** For the trail. */
  detail: Record<string, unknown>
  findSame(db: Db): Promise<SameMaterial | null>
  /** Where that one names content of other hashes. */
  updateSame?(trx: Trx, id: number): Promise<void>
  insert(trx: Trx): Promise<number>
}

/** Stores its content, and then makes its row. */
export async function keepMaterial(
  { db, user, now, slot, effects: { files } }: UploadInput,
  { kind, advertiser, blobs, size, detail, findSame, updateSame, insert }: NewMaterial,
): Promise<StoredMaterial> {
  if ((await findSame(db)) === null) await refuseWithoutRoom(db, { advertiser, size })
  await withoutSlot(slot, () => storeBlobs(db, { store: files.store, blobs, now }))
  return await inTransaction(db, async trx => {
    // It may have gone while the bytes arrived.
    if (advertiser !== null && !(await holdUsableAdvertiser(trx, user, advertiser))) throw notAvailable()
    await lockUsage(trx, advertiser)
    const same = await findSame(trx)
    if (same) {
      await updateSame?.(trx, same.id)
      return { id: same.id, is_new: false }
    }
    await refuseWithoutRoom(trx, { advertiser, size })
    const wait = await takeUpload(trx, { user_id: user.id, now })
    if (wait) throw refuse('too_many_uploads', wait)
    const id = await insert(trx)
    const line = { actor: user.id, action: `${kind}.upload`, object: kind, object_id: id, detail }
    await writeAudit(trx, line, now)
    return { id, is_new: true }
  })
}

async function refuseWithoutRoom(db: Db, room: { advertiser: number | null; size: number }) {
  const code = await whyNoRoom(db, room)
  if (code) throw refuse(code)
}

/** With 200 instead of 201 where nothing was made. */
export async function sendStored<Material extends object>(
  reply: FastifyReply,
  { is_new }: StoredMaterial,
  material: Material,
): Promise<Material> {
  if (is_new) return material
  const again = { ...material, duplicate: true }
  await reply.code(200).send(again)
  return again
}
