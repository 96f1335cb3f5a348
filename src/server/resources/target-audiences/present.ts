import { agesAsPlatformsSee } from '#shared/age-bands.ts'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import type { Db } from '#server/db/connect.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentMade } from '#server/made-row.ts'
import { listsOf, type AudienceLists, type ListRow, type TargetAudienceRow } from './queries.ts'

/** Target audiences as a person reads them, with the names of their lists and their ages at each platform. */
export async function presentTargetAudiences(
  db: Db,
  user: SignedInUser,
  rows: readonly TargetAudienceRow[],
): Promise<TargetAudience[]> {
  const lists = await listsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({
    ...presentMade(row, user),
    audience_lists: sides(lists.get(row.id) ?? [], ({ id, name }) => ({ id, name })),
    platforms: agesAsPlatformsSee(row.age_min, row.age_max),
  }))
}

/** The ids of its lists. */
export const idsIn = (lists: readonly ListRow[]): AudienceLists => sides(lists, ({ id }) => id)

function sides<Of>(lists: readonly ListRow[], as: (list: ListRow) => Of) {
  const on = (side: ListRow['side']) => lists.filter(list => list.side === side).map(as)
  return { include: on('include'), exclude: on('exclude') }
}
