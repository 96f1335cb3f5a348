import type { Db } from '#server/db/connect.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'

/** The file is not in the database, so the line of the trail follows the change. */
export async function noteSpreadsheet(
  db: Db,
  {
    user,
    action,
    id,
    detail,
    now,
  }: {
    user: SignedInUser
    action: 'create' | 'share' | 'unshare' | 'export' | 'name_range' | 'delete_named_range'
    id: string
    detail: Record<string, unknown>
    now: Date
  },
) {
  const line = { actor: user.id, action: `spreadsheet.${action}`, object: 'spreadsheet', object_id: id }
  await writeAudit(db, { ...line, detail }, now)
}
