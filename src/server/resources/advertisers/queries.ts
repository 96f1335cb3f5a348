import { sql } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { AdvertiserQuery, CreateAdvertiser, UpdateAdvertiser } from '#shared/api/advertisers.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'

const visible = (db: Db, person: Person) =>
  db.selectFrom('advertiser').where(billsAdvertiser(person, 'advertiser.id'))

export type AdvertiserFilter = z.output<typeof AdvertiserQuery>

/** One page of the advertisers that a person may see. `month`: the first day of this one. */
export async function listAdvertisers(db: Db, person: Person, query: AdvertiserFilter & { month: string }) {
  const found = matching(db, person, query)
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await found
    .selectAll('advertiser')
    .orderBy(sql.ref(`advertiser.${query.ordering.replace('-', '')}`), direction)
    .orderBy('advertiser.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

function matching(db: Db, person: Person, filter: AdvertiserFilter & { month: string }) {
  const { search, industry, agent, member, is_active, no_agreement, month } = filter
  let found = visible(db, person)
  if (search) {
    const pattern = containing(search)
    const text = sql`concat_ws(' ', advertiser.name, advertiser.legal_name, advertiser.tax_id)`
    found = found.where(sql<boolean>`${text} ilike ${pattern}`)
  }
  if (industry !== undefined) found = found.where('advertiser.industry', '=', industry)
  if (agent !== undefined) found = found.where('advertiser.agent', '=', agent)
  if (is_active !== undefined) found = found.where('advertiser.is_active', '=', is_active)
  if (member !== undefined)
    found = found.where(
      sql<boolean>`exists (
        select from advertiser_member where advertiser = advertiser.id and user_id = ${member})`,
    )
  if (no_agreement !== undefined)
    found = found.where(
      sql<boolean>`${no_agreement} = not exists (
        select from fee_agreement agreement where agreement.advertiser = advertiser.id
          and from_month <= ${month} and (to_month is null or to_month >= ${month}))`,
    )
  return found
}

export async function findAdvertiser(db: Db, person: Person, id: number) {
  return await visible(db, person).selectAll('advertiser').where('advertiser.id', '=', id).executeTakeFirst()
}
export type AdvertiserRow = NonNullable<Awaited<ReturnType<typeof findAdvertiser>>>

/** Seeing it as a customer is not enough: the person may use its accounts. */
export async function findUsableAdvertiser(db: Db, person: Person, id: number) {
  return (await isUsable(db, person, id)) ? await findAdvertiser(db, person, id) : undefined
}

/** The same for something new of it: the advertiser is not deleted before that is written. */
export async function holdUsableAdvertiser(trx: Trx, person: Person, id: number): Promise<boolean> {
  const held = trx.selectFrom('advertiser').select('id').where('id', '=', id).forKeyShare()
  return (await isUsable(trx, person, id)) && (await held.executeTakeFirst()) !== undefined
}

/** Locked, so that two changes come one after the other. */
export async function lockAdvertiser(trx: Trx, person: Person, id: number) {
  return await visible(trx, person)
    .selectAll('advertiser')
    .where('advertiser.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Those of these names that a person may see, locked until the import has ended. */
export async function lockByNames(trx: Trx, person: Person, names: readonly string[]) {
  return await visible(trx, person)
    .selectAll('advertiser')
    .where(sql<boolean>`advertiser.name = any(${[...names]}::text[])`)
    .orderBy('advertiser.id')
    .forUpdate()
    .execute()
}

/** Whoever may see them. */
export async function takenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('advertiser')
    .select('name')
    .where(sql<boolean>`name = any(${[...names]}::text[])`)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

export async function isUsable(db: Db, person: Person, id: number): Promise<boolean> {
  if (advertiserScope[person.identity] === 'all') return true
  const { rows } = await sql`select where ${id}::bigint in ${advertiserIdsOf(person)}`.execute(db)
  return rows.length > 0
}

type Facts = Omit<z.output<typeof CreateAdvertiser>, 'members'> & { is_active?: boolean }

/** A name that is taken is refused by the database. */
export async function insertAdvertiser(trx: Trx, facts: Facts, now: Date): Promise<number> {
  const { contacts, payment_terms, ...rest } = facts
  const { id } = await trx
    .insertInto('advertiser')
    .values({
      ...rest,
      contacts: JSON.stringify(contacts),
      payment_terms: JSON.stringify(payment_terms),
      created_at: now,
      last_modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type FactChanges = Omit<z.output<typeof UpdateAdvertiser>, 'members' | 'version'>

export async function updateAdvertiser(
  trx: Trx,
  id: number,
  { contacts, payment_terms, now, ...rest }: FactChanges & { now: Date },
): Promise<void> {
  await trx
    .updateTable('advertiser')
    .set(eb => ({
      ...rest,
      ...(contacts && { contacts: JSON.stringify(contacts) }),
      ...(payment_terms && { payment_terms: JSON.stringify(payment_terms) }),
      version: eb('version', '+', 1),
      last_modified_at: now,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteAdvertiser(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('fee_agreement').where('advertiser', '=', id).execute()
  await trx.deleteFrom('advertiser').where('id', '=', id).execute()
}

/** How many rows of each kind point to an advertiser, beside its members and fee agreements. */
export async function countReferences(db: Db, id: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'accounts' as what, count(*) from ad_account where advertiser = ${id}
    union all select 'reports', count(distinct report) from report_account
      where ad_account in (select id from ad_account where advertiser = ${id})
    union all select 'spreadsheets', count(*) from spreadsheet_binding where advertiser = ${id}
    union all select 'quotations', count(*) from quotation where advertiser = ${id}
    union all select 'payments', count(*) from payment where advertiser = ${id}
    union all select 'metrics', count(*) from calculated_metric where advertiser = ${id}
    union all select 'conversions', count(*) from conversion_definition where advertiser = ${id}
    union all select 'labels', count(*) from metric_label where advertiser = ${id}
    union all select 'audiences', count(*) from audience where advertiser = ${id}
    union all select 'sites', count(*) from site where advertiser = ${id}
    union all select 'target_audiences', count(*) from target_audience where advertiser = ${id}
    union all select 'links', count(*) from link where advertiser = ${id}
    union all select 'link_presets', count(*) from link_preset where advertiser = ${id}
    union all select 'images', count(*) from image where advertiser = ${id}
    union all select 'files', count(*) from file where advertiser = ${id}
    union all select 'erasures', count(*) from erasure where advertiser = ${id}
    union all select 'adjustments', count(*) from adjustment where advertiser = ${id}
    union all select 'statements', count(distinct month) from (
      select month from statement where advertiser = ${id}
      union all select month from statement_line where advertiser = ${id}
      union all select month from locked_account where advertiser = ${id}) months`.execute(db)
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ what, count }) => [what, count]))
}

/** Held until the end of the transaction: it is not deleted before its advertiser is written. */
export const hasIndustry = async (trx: Trx, id: number) =>
  (await trx.selectFrom('industry').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !==
  undefined
export const hasAgent = async (trx: Trx, id: number) =>
  (await trx.selectFrom('agent').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !==
  undefined

export async function industryNames(db: Db): Promise<Map<number, Text>> {
  const rows = await db.selectFrom('industry').select(['id', 'name', 'name_zh']).execute()
  return new Map(rows.map(({ id, name, name_zh }) => [id, { en: name, 'zh-TW': name_zh }]))
}

export async function agentNames(db: Db): Promise<Map<number, string>> {
  const rows = await db.selectFrom('agent').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
