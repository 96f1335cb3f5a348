import type { Person } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { type ReportTable } from './queries.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { clientsOfReport, endShares, sharedReports } from './share-queries.ts'

/**
 * A client sees only reports whose accounts are their own advertiser's. Adding another advertiser's account
 * to a report that is shared with a client ends that share: names of campaigns are in filters, numbers in its
 * runs.
 */
export async function endForeignShares(
  trx: Trx,
  { id, name }: Pick<ReportTable, 'id' | 'name'>,
  { accounts, editor, now }: { accounts: readonly number[]; editor: Person; now: Date },
): Promise<void> {
  for (const client of await clientsOfReport(trx, id)) {
    const usable = await usableAccounts(trx, { advertisers: await advertisersOf(trx, client) }, accounts)
    if (usable.length === accounts.length) continue
    const [ended] = await endShares(trx, { reports: [id], user_id: client.id, ended_by: null }, now)
    if (!ended) continue
    const detail = {
      name,
      user: client.id,
      because: 'accounts',
      changes: changedFields({ access: ended.access }, { access: null }),
    }
    const line = { actor: editor.id, action: 'report.unshare', object: 'report', object_id: id, detail }
    await writeAudit(trx, line, now)
  }
}

/** The same once people have left an advertiser, or accounts have moved to another one. */
export async function recheckShares(
  trx: Trx,
  those: Parameters<typeof sharedReports>[1],
  { editor, now }: { editor: Person; now: Date },
): Promise<void> {
  for (const { accounts, ...report } of await sharedReports(trx, those))
    await endForeignShares(trx, report, { accounts, editor, now })
}
