import { sql } from 'kysely'
import type { SpendChannel } from '#shared/api/money.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import type { Trx } from '#server/db/transaction.ts'

export interface ImportAccount {
  id: number
  name: string
  channel: SpendChannel
  external_id: string
  timezone: string
}

/** Every account that has a cost of its own. */
export async function importAccounts(trx: Trx): Promise<ImportAccount[]> {
  const { rows } = await sql<ImportAccount>`
    select id, name, channel, external_id, timezone from ad_account where channel = any(${[...spendChannels]}::text[])`.execute(
    trx,
  )
  return rows
}

export interface StoredMonth {
  ad_account: number
  month: string
  cost: number | null
  origin: 'platform' | 'import'
}

export async function storedMonths(
  trx: Trx,
  { accounts, months }: { accounts: readonly number[]; months: readonly string[] },
): Promise<StoredMonth[]> {
  const { rows } = await sql<StoredMonth>`
    select ad_account, left(month::text, 7) as month, cost, origin from spend_month
    where ad_account = any(${[...accounts]}::bigint[]) and month = any(${months.map(month => `${month}-01`)}::date[])`.execute(
    trx,
  )
  return rows
}

export interface ImportedMonth {
  ad_account: number
  month: string
  /** null: what was imported goes. */
  cost: number | null
}

/** What somebody has imported stands, whatever the platform says later. */
export async function writeImported(trx: Trx, months: readonly ImportedMonth[], now: Date): Promise<void> {
  const rows = JSON.stringify(months.map(({ month, ...row }) => ({ ...row, month: `${month}-01` })))
  await sql`
    insert into spend_month (ad_account, month, cost, known, origin, as_of)
    select ad_account, month, cost, 'full', 'import', ${now}
    from jsonb_to_recordset(${rows}::jsonb) as imported(ad_account bigint, month date, cost bigint) where cost is not null
    on conflict (ad_account, month) do update
      set cost = excluded.cost, known = excluded.known, origin = excluded.origin, as_of = excluded.as_of`.execute(
    trx,
  )
  await sql`
    delete from spend_month using jsonb_to_recordset(${rows}::jsonb) as imported(ad_account bigint, month date, cost bigint)
    where imported.cost is null and spend_month.ad_account = imported.ad_account and spend_month.month = imported.month
      and origin = 'import'`.execute(trx)
}
