import type { Person } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { Db } from '#server/db/connect.ts'
import {
  countAccounts,
  countOpenOrders,
  generalAgreements,
  sumOverdue,
  withSameTaxId,
} from './figure-queries.ts'
import { membersOf } from './member-queries.ts'
import type { AdvertiserRow } from './queries.ts'
import { factsOf, serviceFeeRate } from './rules.ts'

/** The advertisers as a person sees them on a day, with the figures beside what people write. */
export async function presentAdvertisers(
  db: Db,
  rows: readonly AdvertiserRow[],
  { user, today }: { user: Person; today: string },
): Promise<Advertiser[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const members = await membersOf(db, user, ids)
  const agreements = byAdvertiser(await generalAgreements(db, ids, firstOfMonth(today)))
  const accounts = byAdvertiser(await countAccounts(db, ids))
  const orders = byAdvertiser(await countOpenOrders(db, ids, today))
  const overdue = byAdvertiser(await sumOverdue(db, ids, today))
  const others = Map.groupBy(await withSameTaxId(db, user, ids), ({ of }) => of)
  return rows.map(row => ({
    id: row.id,
    version: row.version,
    ...factsOf(row),
    members: members.get(row.id) ?? [],
    service_fee_rate: serviceFeeRate(agreements.get(row.id) ?? [], row.billing_currency),
    accounts: Object.fromEntries(
      (accounts.get(row.id) ?? []).map(({ channel, accounts: count }) => [channel, count]),
    ),
    open_orders: orders.get(row.id)?.[0]?.orders ?? 0,
    overdue: (overdue.get(row.id) ?? []).map(({ currency, amount, payments }) => ({
      currency,
      amount,
      payments,
    })),
    shares_tax_id_with: (others.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }))
}

export const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

const byAdvertiser = <Row extends { advertiser: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, row => row.advertiser)
