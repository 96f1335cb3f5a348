import { randomInt } from 'node:crypto'
import type { AudiencePart, AudienceSource } from '#server/connectors/audience.ts'
import type { Db } from '#server/db/connect.ts'
import type { ShareTask } from '#server/db/tables/audiences.ts'
import { lastPosition, measureChunks, nextUpload, type Content } from './share-chunk-queries.ts'
import { ShareFailure } from './share-failure.ts'
import { keepsBack } from './share-rules.ts'
import type { Share } from './share-queries.ts'

/** A position that no upload has: the whole list is to replace what the platform has. */
export const SEND_AGAIN = -1

/**
 * What a share has to send next: the whole list to a new account, afterwards each upload in the order of
 * their taking. null: nothing; a number: there is nothing in the uploads up to that position any more.
 */
export async function planTask(
  db: Db,
  share: Share,
  { source, now }: { source: AudienceSource; now: Date },
): Promise<ShareTask | number | null> {
  const isNew = share.parts.length === 0
  const wholeList = async () => {
    const content = { audience: share.audience, upload: null, up_to: await lastPosition(db, share.audience) }
    return await taskOf(db, share, { content, action: isNew ? 'add' : 'replace', source, now })
  }
  if (share.sent_to <= 0) return await wholeList()
  const upload = await nextUpload(db, { audience: share.audience, after: share.sent_to })
  if (!upload) return null
  if (upload.action === 'remove' && !source.removes_members) return await wholeList()
  const content = { audience: share.audience, upload: upload.id, up_to: upload.position }
  return await taskOf(db, share, { content, action: upload.action, source, now })
}

async function taskOf(
  db: Db,
  share: Share,
  {
    content,
    action,
    source,
    now,
  }: { content: Content; action: ShareTask['action']; source: AudienceSource; now: Date },
): Promise<ShareTask | number> {
  if (keepsBack(share, action)) throw new ShareFailure('consent_denied')
  const { chunks, rows, columns } = await measureChunks(db, content)
  if (rows === 0 && share.status === 'expired') throw new ShareFailure('members_expired')
  // Replaced by a later upload, or all of its people have been erased.
  if (rows === 0 && content.upload !== null) return content.up_to
  // Where nobody can be taken out, everybody has been: the list is replaced by nobody.
  const isEmptied = rows === 0 && action === 'replace' && !source.removes_members
  const part = isEmptied ? 0 : source.parts.findIndex(each => takesAny(each, columns))
  if (part < 0) throw new ShareFailure('audience_empty')
  return {
    action,
    upload: content.upload,
    up_to: content.up_to,
    session: newSession(),
    part,
    after_chunk: 0,
    batch: 0,
    batches: Math.ceil(chunks / source.batch_chunks),
    rows,
    sent_rows: 0,
    begun_at: now.toISOString(),
  }
}

const takesAny = ({ columns }: AudiencePart, present: ReadonlySet<string>) =>
  columns.some(column => present.has(column))

const newSession = () => randomInt(1, 2 ** 48 - 1)

/** The parts that take any of the columns that are sent. */
export async function takenParts(
  db: Db,
  { audience, task }: { audience: number; task: ShareTask },
  { parts }: AudienceSource,
): Promise<AudiencePart[]> {
  const { columns } = await measureChunks(db, contentOf(audience, task))
  return parts.filter(part => takesAny(part, columns))
}

/** The same rows for the part after it; null: all parts have been sent. */
export function taskOfNextPart(
  task: ShareTask,
  taken: readonly AudiencePart[],
  { parts }: AudienceSource,
): ShareTask | null {
  const part = parts.findIndex((each, index) => index > task.part && taken.includes(each))
  if (part < 0) return null
  return { ...task, session: newSession(), part, after_chunk: 0, batch: 0, sent_rows: 0 }
}

export const contentOf = (audience: number, { upload, up_to }: ShareTask): Content => ({
  audience,
  upload,
  up_to,
})

/** The platform has lost what it had of an upload: this part is begun again and sent as a whole. */
export const restarted = ({ parts }: Pick<Share, 'parts'>, task: ShareTask) => ({
  state: 'creating' as const,
  parts: parts.map(each => ({ ...each, progress: {} })),
  task: { ...task, session: newSession(), after_chunk: 0, batch: 0, sent_rows: 0 },
})
