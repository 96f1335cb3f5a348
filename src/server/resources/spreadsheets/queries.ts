import { sql } from 'kysely'
import { mayUseSpreadsheet, type Person, type SpreadsheetScope } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'

/** The owner of a spreadsheet; null while nobody has proven it. */
export async function findBinding(db: Db, spreadsheet_id: string) {
  return (await bindings(db, spreadsheet_id).executeTakeFirst()) ?? null
}
export type Binding = NonNullable<Awaited<ReturnType<typeof findBinding>>>

/** The same, locked until the transaction ends. */
export async function lockBinding(trx: Trx, spreadsheet_id: string): Promise<Binding | null> {
  return (await bindings(trx, spreadsheet_id).forUpdate().executeTakeFirst()) ?? null
}

const bindings = (db: Db, spreadsheet_id: string) =>
  db.selectFrom('spreadsheet_binding').selectAll().where('spreadsheet_id', '=', spreadsheet_id)

/** Whether this person's reports may write to it, as far as it is proven and the right was not found gone. */
export async function isProvenFor(db: Db, person: Person, spreadsheet_id: string): Promise<boolean> {
  const binding = await findBinding(db, spreadsheet_id)
  return binding !== null && binding.lapsed_at === null && (await isInScope(db, person, binding))
}

export async function isInScope(db: Db, person: Person, scope: SpreadsheetScope): Promise<boolean> {
  return mayUseSpreadsheet(person, scope, await advertisersOf(db, person))
}

/**
 * The people for whom a proof is valid and who can sign in: an advertiser's members, or the prover and the
 * colleagues of their department; with their confirmed address.
 */
export async function peopleOf(db: Db, { advertiser, proven_by, department }: SpreadsheetScope) {
  const { rows } = await sql<{ id: number; email: string | null }>`
    select id, case when email_confirmed then email end as email from users
    where ${maySignIn} and case
      when ${advertiser}::bigint is not null
        then id in (select user_id from advertiser_member where advertiser = ${advertiser})
      else identity <> 'external_user' and (id = ${proven_by} or department = ${department})
    end
    order by id`.execute(db)
  return rows
}

/** The advertisers whose people have these addresses. */
export async function advertisersOfAddresses(db: Db, addresses: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ advertiser: number }>`
    select distinct advertiser_member.advertiser
    from users join advertiser_member on advertiser_member.user_id = users.id
    where identity = 'external_user' and email_confirmed and lower(trim(email)) = any(${addresses})
      and ${maySignIn}
    order by advertiser`.execute(db)
  return rows.map(row => row.advertiser)
}

export async function advertiserNames(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('advertiser')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export interface Proof extends SpreadsheetScope {
  spreadsheet_id: string
  proven_by: number
  proof: 'permission' | 'code'
  role: 'owner' | 'writer'
  title: string | null
  /** With a code: who could write when it was typed; null when that was not visible. */
  permissions: string[] | null
}

/** The first one to prove it has it; false when another person was faster. */
export async function insertBinding(trx: Trx, proof: Proof, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('spreadsheet_binding')
    .values({ ...proof, created_at: now, verified_at: now })
    .onConflict(conflict => conflict.column('spreadsheet_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Another person has proven it since, or has taken it over. */
export async function replaceBinding(trx: Trx, { spreadsheet_id, ...proof }: Proof, now: Date) {
  await trx
    .updateTable('spreadsheet_binding')
    .set({ ...proof, created_at: now, verified_at: now, lapsed_at: null })
    .where('spreadsheet_id', '=', spreadsheet_id)
    .execute()
}

/** The right was found to exist; nothing is stored when it was proven anew meanwhile. */
export async function noteStanding(
  db: Db,
  before: Binding,
  found: { role: 'owner' | 'writer'; proven_by: number | null; title?: string | null; verified_at: Date },
) {
  const { title, ...rest } = found
  await unchangedSince(db, before)
    .set({ ...rest, lapsed_at: null, ...(title && { title }) })
    .execute()
}

/** How many tabs a file has, for the list of one's spreadsheets. */
export async function noteTabs(db: Db, spreadsheet_id: string, tabs: number): Promise<void> {
  await db
    .updateTable('spreadsheet_binding')
    .set({ tabs })
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('tabs', 'is distinct from', tabs)
    .execute()
}

/** The right was found gone. */
export async function noteLapsed(db: Db, before: Binding, lapsed_at: Date): Promise<void> {
  await unchangedSince(db, before).set({ lapsed_at, verified_at: null }).execute()
}

const unchangedSince = (db: Db, { spreadsheet_id, advertiser, proven_by, created_at }: Binding) =>
  db
    .updateTable('spreadsheet_binding')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('advertiser', 'is not distinct from', advertiser)
    .where('proven_by', 'is not distinct from', proven_by)
    // The column is finer than a Date.
    .where(sql<boolean>`date_trunc('milliseconds', created_at) = ${created_at}`)

/** After a refusal the previous result is no longer valid. */
export async function doubtBinding(db: Db, spreadsheet_id: string): Promise<void> {
  await db
    .updateTable('spreadsheet_binding')
    .set({ verified_at: null })
    .where('spreadsheet_id', '=', spreadsheet_id)
    .execute()
}

export async function deleteBinding(trx: Trx, spreadsheet_id: string): Promise<Binding | null> {
  const binding = await trx
    .deleteFrom('spreadsheet_binding')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .returningAll()
    .executeTakeFirst()
  return binding ?? null
}

/** The people whose reports write there. */
export async function ownersOfReportsIn(db: Db, spreadsheet_id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('report')
    .select('owner')
    .distinct()
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('deleted_at', 'is', null)
    .orderBy('owner')
    .execute()
  return rows.map(row => row.owner)
}

/** The system user that a spreadsheet is assigned to; null while none is known to have access. */
export async function findSystemUser(db: Db, spreadsheet_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('spreadsheet_system_user')
    .select('address')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  return row?.address ?? null
}

export async function saveSystemUser(db: Db, spreadsheet_id: string, address: string) {
  await db
    .insertInto('spreadsheet_system_user')
    .values({ spreadsheet_id, address })
    .onConflict(conflict =>
      conflict
        .column('spreadsheet_id')
        .doUpdateSet({ address, learned_at: sql`now()` })
        .where('spreadsheet_system_user.address', '<>', address),
    )
    .execute()
}

/** How many spreadsheets of the person's reports each system user has. */
export async function countBySystemUser(db: Db, owner: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('report')
    .innerJoin('spreadsheet_system_user as known', 'known.spreadsheet_id', 'report.spreadsheet_id')
    .select(['known.address', eb => eb.fn.count<number>('report.spreadsheet_id').distinct().as('count')])
    .where('report.owner', '=', owner)
    .where('report.deleted_at', 'is', null)
    .groupBy('known.address')
    .execute()
  return new Map(rows.map(({ address, count }) => [address, count]))
}

/** The advertisers that the person is a member of, the earliest membership first. */
export async function ownAdvertisers(db: Db, user_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('advertiser_member')
    .select('advertiser')
    .where('user_id', '=', user_id)
    .orderBy('advertiser')
    .execute()
  return rows.map(row => row.advertiser)
}

/** The code that the person is to type into a cell: the one they have, or a fresh one. */
export async function codeFor(
  trx: Trx,
  { spreadsheet_id, user_id }: { spreadsheet_id: string; user_id: number },
  fresh: { code: string; expires_at: Date; now: Date },
): Promise<string> {
  const { code, expires_at, now } = fresh
  const row = await trx
    .insertInto('spreadsheet_code')
    .values({ spreadsheet_id, user_id, code, expires_at })
    .onConflict(conflict =>
      conflict.columns(['spreadsheet_id', 'user_id']).doUpdateSet(eb => ({
        code: eb
          .case()
          .when('spreadsheet_code.expires_at', '>', now)
          .then(eb.ref('spreadsheet_code.code'))
          .else(code)
          .end(),
        expires_at: eb
          .case()
          .when('spreadsheet_code.expires_at', '>', now)
          .then(eb.ref('spreadsheet_code.expires_at'))
          .else(expires_at)
          .end(),
      })),
    )
    .returning('code')
    .executeTakeFirstOrThrow()
  return row.code
}

/** The valid code; null when none was given or it has expired. */
export async function openCode(
  db: Db,
  spreadsheet_id: string,
  { user_id, now }: { user_id: number; now: Date },
) {
  const row = await db
    .selectFrom('spreadsheet_code')
    .select('code')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.code ?? null
}

export async function deleteCodes(db: Db, spreadsheet_id: string) {
  await db.deleteFrom('spreadsheet_code').where('spreadsheet_id', '=', spreadsheet_id).execute()
}

export async function deleteOldCodes(db: Db, now: Date) {
  await db.deleteFrom('spreadsheet_code').where('expires_at', '<', now).execute()
}
