import { sql } from 'kysely'
import type { Person } from '#shared/access.ts'
import type { FeeTier } from '#shared/api/customers.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

/** The agreements of these advertisers that hold for all channels in a month. */
export async function generalAgreements(db: Db, advertisers: readonly number[], month: string) {
  return await db
    .selectFrom('fee_agreement')
    .select(['advertiser', 'currency', 'tiers', 'amount', 'minimum'])
    .where('advertiser', 'in', [...advertisers])
    .where('channel', 'is', null)
    .where('from_month', '<=', month)
    .where(eb => eb.or([eb('to_month', 'is', null), eb('to_month', '>=', month)]))
    .execute()
}
export type GeneralAgreement = { currency: string; tiers: FeeTier[]; amount: number; minimum: number }

/** Finance may know how many accounts there are, and sees none of them: every row is read. */
export const countAccounts = (db: Db, advertisers: readonly number[]) =>
  readingEveryRow(db, async () => {
    const { rows } = await sql<{ advertiser: number; channel: Channel; accounts: number }>`
      select advertiser, channel, count(*) as accounts from ad_account
      where advertiser = any(${[...advertisers]}::bigint[]) group by advertiser, channel order by channel`.execute(
      db,
    )
    return rows
  })

/** Orders that are in force and have a line that has not ended. */
export async function countOpenOrders(db: Db, advertisers: readonly number[], today: string) {
  const { rows } = await sql<{ advertiser: number; orders: number }>`
    select advertiser, count(*) as orders from quotation
    where advertiser = any(${[...advertisers]}::bigint[]) and status = 'accepted'
      and exists (select from quotation_line line where line.quotation = quotation.id and line."end" >= ${today})
    group by advertiser`.execute(db)
  return rows
}

export async function sumOverdue(db: Db, advertisers: readonly number[], today: string) {
  const { rows } = await sql<{ advertiser: number; currency: string; amount: string; payments: number }>`
    select advertiser, currency, sum(amount - received) as amount, count(*) as payments from payment
    where advertiser = any(${[...advertisers]}::bigint[]) and status = 'due' and due_on < ${today}
    group by advertiser, currency order by currency`.execute(db)
  return rows.map(row => ({ ...row, amount: Number(row.amount) }))
}

/** For each of the advertisers the others that a person may see with its tax id. */
export async function withSameTaxId(db: Db, person: Person, advertisers: readonly number[]) {
  return await db
    .selectFrom('advertiser')
    .innerJoin('advertiser as asked', join =>
      join
        .onRef('asked.tax_id', '=', 'advertiser.tax_id')
        .onRef('asked.tax_country', '=', 'advertiser.tax_country')
        .onRef('asked.id', '<>', 'advertiser.id'),
    )
    .select(['asked.id as of', 'advertiser.id', 'advertiser.name'])
    .where(billsAdvertiser(person, 'advertiser.id'))
    .where('asked.id', 'in', [...advertisers])
    .where('asked.tax_id', '<>', '')
    .orderBy('advertiser.name')
    .orderBy('advertiser.id')
    .execute()
}

export interface SpendOfMonth {
  channel: SpendChannel
  currency: string
  month: string
  cost: string | null
  /** Of how many of the accounts the whole month is known. */
  full: number
  accounts: number
  as_of: Date
}

/**
 * What the accounts of an advertiser have cost by month. Only directors and finance read the months of
 * everybody: staff read those of their own customers here.
 */
export const sumSpendMonths = (db: Db, advertiser: number, from: string) =>
  readingEveryRow(db, async () => {
    const { rows } = await sql<SpendOfMonth>`
      select account.channel, account.currency, spend.month, sum(spend.cost) as cost, max(spend.as_of) as as_of,
        count(*) filter (where spend.known = 'full') as full,
        (select count(*) from ad_account same where same.advertiser = ${advertiser}
          and same.channel = account.channel and same.currency = account.currency) as accounts
      from ad_account account join spend_month spend on spend.ad_account = account.id
      where account.advertiser = ${advertiser} and spend.month >= ${from} and account.currency is not null
        and account.channel in ('fb', 'aw', 'yg', 'tt', 'ln')
      group by account.channel, account.currency, spend.month
      order by account.channel, account.currency, spend.month`.execute(db)
    return rows
  })
