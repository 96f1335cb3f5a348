import { isMakerOrManager } from '#shared/access.ts'
import { isInternal } from '#shared/access.ts'
import type { Audience, AudienceShare, AudienceUpload } from '#shared/api/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { lastUploads, sharesOf, type ShareRow, type UploadRow } from './detail-queries.ts'
import { planOf, type AudienceRow } from './queries.ts'
import { mayWriteAudiences } from './rules.ts'

/** Audiences as a person reads them, with their shares and their last uploads. */
export async function presentAudiences(
  db: Db,
  user: SignedInUser,
  rows: readonly AudienceRow[],
): Promise<Audience[]> {
  const ids = rows.map(({ id }) => id)
  const canWrite = await mayWrite(db, user)
  const mayEnd = (made: { created_by: number | null }) => canWrite && isMakerOrManager(user, made)
  const [uploads, shares] = [await lastUploads(db, ids), await sharesOf(db, user, ids)]
  return rows.map(({ is_deleting, ...row }) => {
    const upload = uploads.get(row.id)
    return {
      ...row,
      confirmed_at: row.confirmed_at?.toISOString() ?? null,
      expires_at: row.expires_at?.toISOString() ?? null,
      last_upload: upload ? presentUpload(upload) : null,
      shares: (shares.get(row.id) ?? []).map(share =>
        presentShare(share, { user, may_unshare: mayEnd(share) }),
      ),
      may_change: canWrite && !is_deleting,
      may_delete: mayEnd(row),
      created_at: row.created_at.toISOString(),
      last_modified_at: row.last_modified_at.toISOString(),
    }
  })
}

/** Clients need the plan for it. */
export const mayWrite = async (db: Db, user: SignedInUser): Promise<boolean> =>
  mayWriteAudiences(user, { plan: isInternal(user) ? 1 : await planOf(db, user) })

export const presentUpload = (row: UploadRow): AudienceUpload => ({
  ...row,
  created_at: row.created_at.toISOString(),
  taken_at: row.taken_at?.toISOString() ?? null,
})

function presentShare(
  { task, parts, ...row }: ShareRow,
  { user, may_unshare }: { user: SignedInUser; may_unshare: boolean },
): AudienceShare {
  return {
    ...row,
    parts: parts.map(({ part, external_id }) => ({ part, external_id })),
    message: isInternal(user) ? row.message : null,
    sent_rows: task?.sent_rows ?? 0,
    total_rows: task?.rows ?? 0,
    synced_at: row.synced_at?.toISOString() ?? null,
    may_unshare,
    created_at: row.created_at.toISOString(),
  }
}
