import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { UploadFields } from '#shared/api/materials.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { storeBlobs, type NewBlob } from '#server/files/blob-queries.ts'
import { ownName } from '#server/files/file-name.ts'
import { lockUsage } from '#server/files/quota-queries.ts'
import { takeUpload, whyNoRoom, whyNoUpload } from '#server/files/quota.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { RequestSlot } from '#server/http/capacity.ts'
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

interface UploadOf {
  most_bytes: number
  too_large: ErrorCode
  findSame(db: Db, same: { advertiser: number | null; sha256: string }): Promise<number | null>
  /** What has been received, which the scanner has found clean. */
  keep(file: ReceivedFile, described: Described): Promise<StoredMaterial>
}

/**
 * The whole way of an upload. Who may, and whether there is room, is decided before its bytes are read; the
 * same bytes again are the row that is there; and nothing is stored before the scanner has seen it.
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
      const id = await findSame(input.db, { ...described, sha256 })
      if (id !== null) return { id, is_new: false }
      const infected = await input.effects.files.scan(file.path)
      if (infected === 'scan_unavailable') throw refuse(infected)
      if (infected) throw refuse('invalid', { fields: { file: [infected] } })
      return await keep(file, { ...described, name: described.name || ownName(file.client_name) })
    },
  )

async function admit(
  { db, user, now }: UploadInput,
  { advertiser: of, name = '', tags = [] }: z.output<typeof UploadFields>,
): Promise<Described> {
  const advertiser = of ?? null
  if (advertiser !== null && !(await findUsableAdvertiser(db, user, advertiser))) throw notAvailable()
  const wait = await whyNoUpload(db, { user_id: user.id, now })
  if (wait) throw refuse('too_many_uploads', wait)
  await refuseWithoutRoom(db, { advertiser, size: 1 })
  return { advertiser, name, tags: distinct(tags) }
}

const notAvailable = () => refuse('invalid', { fields: { advertiser: ['field_not_available'] } })

export const distinct = (tags: readonly string[]): string[] => [...new Set(tags)]

interface NewMaterial {
  kind: MaterialKind
  advertiser: number | null
  blobs: readonly NewBlob[]
  /** Of what is served. */
  size: number
  /** For the trail. */
  detail: Record<string, unknown>
  findSame(trx: Trx): Promise<number | null>
  insert(trx: Trx): Promise<number>
}

/** Stores its content, and then makes its row. */
export async function keepMaterial(
  { db, user, now, effects: { files } }: UploadInput,
  { kind, advertiser, blobs, size, detail, findSame, insert }: NewMaterial,
): Promise<StoredMaterial> {
  await refuseWithoutRoom(db, { advertiser, size })
  await storeBlobs(db, { store: files.store, blobs, now })
  return await inTransaction(db, async trx => {
    // It may have gone while the bytes arrived.
    if (advertiser !== null && !(await holdUsableAdvertiser(trx, user, advertiser))) throw notAvailable()
    await lockUsage(trx, advertiser)
    const same = await findSame(trx)
    if (same !== null) return { id: same, is_new: false }
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
