import type { Db } from '#server/db/connect.ts'

/** Who may see a report. */
export interface Circle {
  owner: number
  shares: Map<number, 'viewer' | 'editor'>
}

export async function findCircle(db: Db, report: number): Promise<Circle | null> {
  const row = await db.selectFrom('report').select('owner').where('id', '=', report).executeTakeFirst()
  if (!row) return null
  const shares = await db
    .selectFrom('report_share')
    .select(['user_id', 'access'])
    .where('report', '=', report)
    .execute()
  return { owner: row.owner, shares: new Map(shares.map(share => [share.user_id, share.access])) }
}
