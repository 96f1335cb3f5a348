import { AUDIENCE_ROWS } from '#shared/audiences.ts'
import type { HashCounts } from '#shared/api/audiences.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { Vault } from '#server/vault.ts'
import { deleteListChunks, listChunks, uploadChunks } from './chunk-queries.ts'
import { dropDuplicates, peopleIn, removePeople, sumOf } from './chunks.ts'
import type { LockedAudience } from './queries.ts'
import { dropSentRemovals } from './share-chunk-queries.ts'
import { noteAudience } from './rights.ts'
import { expiryOf } from './rules.ts'
import type { Dropped } from './upload.ts'
import { markTaken, updateList, wakeShares, type UploadFacts } from './upload-queries.ts'

interface FinishedUpload {
  upload: UploadFacts
  counts: HashCounts | null
  user: SignedInUser
  now: Date
  vault: Vault
}

/**
 * A whole upload acts on the list, in the transaction of its last batch; from here on shares send it. Why it
 * cannot, when it cannot.
 */
export async function takeUpload(
  trx: Trx,
  audience: LockedAudience,
  { upload, counts, user, now, vault }: FinishedUpload,
): Promise<Dropped['refused'] | null> {
  if (upload.rows === 0) return 'audience_empty'
  const act = { audience: audience.id, upload: upload.id }
  await actions[upload.action](trx, vault, act)
  const added = upload.action === 'remove' ? [] : await uploadChunks(trx, upload.id)
  const rows = sumOf([...(await listChunks(trx, audience.id)), ...added])
  if (rows > AUDIENCE_ROWS) return 'too_large'

  await markTaken(trx, upload.id, { counts, now })
  // Where it is shared with nobody, those whom it has removed need not be sent anywhere.
  if (upload.action === 'remove') await dropSentRemovals(trx, audience.id)
  await updateList(trx, audience.id, {
    status: 'ready',
    rows,
    now,
    // Who removes people does not want the others to be kept for longer.
    ...(upload.action !== 'remove' && {
      expires_at: expiryOf(now, audience),
      confirmed_by: user.id,
      confirmed_at: now,
    }),
    ...(upload.basis !== null && { basis: upload.basis }),
  })
  await wakeShares(trx, audience.id, now)
  const detail = { name: audience.name, upload: upload.id, action: upload.action, rows: upload.rows, counts }
  await noteAudience(trx, { action: 'audience.upload', id: audience.id, user, now, detail })
  return null
}

type Act = (trx: Trx, vault: Vault, of: { audience: number; upload: string }) => Promise<void>

const actions: Record<UploadFacts['action'], Act> = {
  async add(trx, vault, { audience, upload }) {
    const [list, added] = [await listChunks(trx, audience), await uploadChunks(trx, upload)]
    await dropDuplicates(trx, vault, { list, added })
  },
  async replace(trx, vault, { audience, upload }) {
    await deleteListChunks(trx, audience)
    await dropDuplicates(trx, vault, { list: [], added: await uploadChunks(trx, upload) })
  },
  async remove(trx, vault, { audience, upload }) {
    const people = await peopleIn(trx, vault, await uploadChunks(trx, upload))
    await removePeople(trx, vault, { chunks: await listChunks(trx, audience), people })
  },
}
