import { z } from 'zod'
import type { AudienceEvent } from '#shared/api/audiences.ts'
import { uploadActions } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { linesAbout } from '#server/resources/audit/queries.ts'
import { accountNames } from './detail-queries.ts'

const MOST_EVENTS = 100

/** What the trail says about audiences beyond the action; other versions may say other things. */
const Detail = z.object({
  action: z.enum(uploadActions).nullable().catch(null),
  rows: z.number().int().nullable().catch(null),
  ad_accounts: z.array(z.number()).catch([]),
  changes: z.record(z.string(), z.unknown()).nullable().catch(null),
})

/** Of an audience that its reader may see, out of a trail that they may not. */
export async function listHistory(
  db: Db,
  { id, advertiser }: { id: number; advertiser: number },
): Promise<AudienceEvent[]> {
  const about = { object: 'audience', object_id: id, limit: MOST_EVENTS }
  const lines = await readingEveryRow(db, () => linesAbout(db, about))
  const read = lines.map(line => ({ line, detail: Detail.parse(line.detail ?? {}) }))
  const names = await accountNames(db, {
    advertiser,
    accounts: read.flatMap(({ detail }) => detail.ad_accounts),
  })
  return read.map(({ line, detail: { action, rows, ad_accounts, changes } }) => ({
    id: line.id,
    at: line.at.toISOString(),
    actor_name: line.actor_name,
    action: line.action,
    upload_action: action,
    rows: action === null ? null : rows,
    ad_accounts: ad_accounts.flatMap(account => names.get(account) ?? []),
    changes,
  }))
}
