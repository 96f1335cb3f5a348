import type { BulkOutcome, BulkReports, Report } from '#shared/api/reports.ts'
import type { z } from 'zod'

export type Bulk = BulkReports
export type BulkResult = z.infer<typeof BulkOutcome>['results'][number]
/** What an action needs to know of a report, to describe the outcome and to undo it. */
export type Subject = Pick<Report, 'id' | 'name' | 'folder'>

/** The requests that undo an action; none where something would be lost, or where access is lost. */
export function undoPlan(
  { action, to_user, user, access = 'viewer' }: Omit<Bulk, 'ids'>,
  reports: readonly Subject[],
  results: readonly BulkResult[],
): Bulk[] {
  const done = results.filter(({ status }) => status === 'ok')
  const ids = done.map(({ id }) => id)
  if (ids.length === 0) return []
  if (action === 'delete') return [{ action: 'restore', ids }]
  if (action === 'restore') return [{ action: 'delete', ids }]
  if (action === 'copy' && to_user === undefined)
    return [{ action: 'delete', ids: done.flatMap(({ copy }) => copy ?? []) }]
  if (user !== undefined) return sharingPlan({ action, user, access }, done)
  if (action !== 'move') return []
  const moved = reports.filter(({ id }) => ids.includes(id))
  return [...Map.groupBy(moved, ({ folder }) => folder)].map(([folder, from]) => ({
    action,
    folder,
    ids: from.map(({ id }) => id),
  }))
}

/** People who already had access keep it as it was; a role that was not changed needs nothing. */
function sharingPlan(
  { action, user, access }: Required<Pick<Bulk, 'action' | 'user' | 'access'>>,
  done: readonly BulkResult[],
): Bulk[] {
  if (action === 'unshare') return [{ action: 'share_again', user, ids: done.map(({ id }) => id) }]
  const changed = done.filter(({ access_before }) => access_before !== access)
  return [...Map.groupBy(changed, ({ access_before }) => access_before)].map(([before, of]) => ({
    ...(before === null ? { action: 'unshare' } : { action: 'share', access: before }),
    user,
    ids: of.map(({ id }) => id),
  }))
}
