import type { z } from 'zod'
import type { Trx } from '#server/db/transaction.ts'
import type { CloneOutcome, CloneReports } from '#shared/api/bulk-operations.ts'
import { refuse, type FieldProblem } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { listFolders } from '#server/resources/folders/queries.ts'
import type { ReportRow } from '#server/resources/reports/queries.ts'
import { visibleReports } from '#server/resources/reports/visible.ts'
import {
  accountsOfAdvertiser,
  readAccounts,
  reportsInFolders,
  reportsOfAdvertiser,
  type AccountRow,
} from './queries.ts'
import { suggestPairs, type Replaceable } from './rules.ts'

type CloneRequest = Pick<z.output<typeof CloneReports>, 'source' | 'scope' | 'advertiser' | 'accounts'>

/** What is cloned. */
export interface CloneSource {
  ids: number[]
  /** The folder that is cloned; null: all of them. */
  folder: number | null
  /** The client's name, where one is selected. */
  client: string | null
}

/**
 * The reports of a client, of a folder or of a selection. What one may not see is treated as what does not
 * exist.
 */
export async function sourceOf(
  trx: Trx,
  user: SignedInUser,
  { source, scope }: CloneRequest,
): Promise<CloneSource> {
  const reader = { user, scope }
  if ('reports' in source) return { ids: [...new Set(source.reports)], folder: null, client: null }
  if ('advertiser' in source) {
    const advertiser = await findUsableAdvertiser(trx, user, source.advertiser)
    if (!advertiser) throw notAvailable('source.advertiser')
    const ids = await reportsOfAdvertiser(trx, reader, source.advertiser)
    return { ids, folder: null, client: advertiser.name }
  }
  const folders = await listFolders(trx, user.id)
  const folder = folders.find(({ id }) => id === source.folder)
  if (!folder) throw notAvailable('source.folder')
  const inside = folders.filter(({ id, parent }) => id === folder.id || parent === folder.id)
  const ids = await reportsInFolders(
    trx,
    reader,
    inside.map(({ id }) => id),
  )
  return { ids, folder: folder.id, client: folder.name }
}

/** The target of the clone: the counterpart of each account. */
export interface CloneTarget {
  advertiser: number
  pairs: { from: Replaceable; to: Replaceable }[]
  /** The accounts that have a counterpart. */
  mapped: ReadonlySet<number>
  /** Every account of the source, for choosing. */
  accounts: z.input<typeof CloneOutcome>['accounts']
}

export async function targetOf(
  trx: Trx,
  user: SignedInUser,
  { source, advertiser: id, accounts }: Omit<CloneRequest, 'source'> & { source: CloneSource },
): Promise<CloneTarget> {
  const advertiser = await findUsableAdvertiser(trx, user, id)
  if (!advertiser) throw notAvailable('advertiser')
  const rows = await visibleReports(trx, user, source.ids)
  const used = usesOf(rows)
  const named = accounts.flatMap(({ from, to }) => [from, to])
  const known = await readAccounts(trx, user, [...new Set([...used.keys(), ...named])])
  const pairs = pairsOf(accounts, { known, advertiser: id })
  const usable = known.filter(account => used.has(account.id) && account.usable)
  const suggested = suggestPairs(usable, await accountsOfAdvertiser(trx, id), {
    from: source.client,
    to: advertiser.name,
  })
  return {
    advertiser: id,
    pairs,
    mapped: new Set(pairs.map(({ from }) => from.id)),
    accounts: known
      .filter(account => used.has(account.id))
      .map(account => ({
        ...presentAccount(account, used.get(account.id) ?? 0),
        suggested: suggested.get(account.id) ?? null,
      })),
  }
}

/** One that the asking person may not use has no name. */
export const presentAccount = (
  { id, channel, name, currency, advertiser_name, usable }: AccountRow,
  reports: number,
) => ({
  id,
  channel,
  name: usable ? name : null,
  currency: usable ? currency : null,
  advertiser_name: usable ? advertiser_name : null,
  reports,
})

/** How many of the reports use each account. */
function usesOf(rows: readonly ReportRow[]): Map<number, number> {
  const used = new Map<number, number>()
  for (const { channels } of rows)
    for (const id of new Set(channels.flatMap(block => block.accounts))) used.set(id, (used.get(id) ?? 0) + 1)
  return used
}

/** The person must be able to use both, of one channel, and the new one must be the new client's. */
function pairsOf(
  accounts: CloneRequest['accounts'],
  { known, advertiser }: { known: readonly AccountRow[]; advertiser: number },
) {
  const problems: Record<string, FieldProblem[]> = {}
  const pairs = accounts.flatMap(({ from: from_id, to: to_id }, index) => {
    const from = known.find(({ id, usable }) => id === from_id && usable)
    const to = known.find(({ id, usable }) => id === to_id && usable)
    if (!from) problems[`accounts.${index}.from`] = ['field_not_available']
    if (to?.advertiser !== advertiser) problems[`accounts.${index}.to`] = ['field_not_available']
    else if (from && from.channel !== to.channel) problems[`accounts.${index}.to`] = ['account_other_channel']
    return from && to ? [{ from, to }] : []
  })
  if (Object.keys(problems).length > 0) throw refuse('invalid', { fields: problems })
  return pairs
}

const notAvailable = (field: string) => refuse('invalid', { fields: { [field]: ['field_not_available'] } })
