import type { BlockOutcome } from '#shared/api/executions.ts'
import type { Trx } from '#server/db/transaction.ts'
import { closeIncidents, findReceivers, insertIncidents, insertNotices, openIncidents } from './queries.ts'
import { changeOf, noticesOf, type EndedRun } from './rules.ts'

interface Ended extends EndedRun {
  id: string
  report: number
  detail: Record<string, unknown> | null
  blocks: BlockOutcome[]
  at: Date
}

/**
 * Opens and closes the report's incidents and notifies its owner, in the transaction that ends the run: so
 * that nothing is sent twice or lost, wherever a worker dies. A report has one run at a time, hence no other
 * transaction changes its incidents meanwhile.
 */
export async function settleIncidents(trx: Trx, run: Ended): Promise<void> {
  const change = changeOf(await openIncidents(trx, run.report), run)
  const failed_run = run.status === 'error'
  await insertIncidents(trx, run.report, { causes: change.opened, failed_run, at: run.at })
  await closeIncidents(
    trx,
    change.over.map(incident => incident.id),
    run.at,
  )
  const last = typeof run.detail?.last === 'string' ? run.detail.last : undefined
  const notices = noticesOf(change, { ...run, last })
  if (notices.length === 0) return
  const receivers = await findReceivers(trx, run.report)
  await insertNotices(
    trx,
    receivers.flatMap(user_id =>
      notices.map(notice => ({ ...notice, user_id, report: run.report, run: run.id })),
    ),
    run.at,
  )
}
