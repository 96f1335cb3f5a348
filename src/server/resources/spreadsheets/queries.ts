import { sql, type Transaction } from 'kysely'
import { mayUseSpreadsheet, type Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'

type Trx = Transaction<Database>

/** Whose a spreadsheet is; null while nobody has proven it. */
export async function findBinding(db: Db, spreadsheet_id: string) {
  const binding = await db
    .selectFrom('spreadsheet_binding')
    .select(['advertiser', 'proven_by'])
    .where('spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  return binding ?? null
}

/** May this person's reports write to it, as far as is proven? */
export async function isProvenFor(db: Db, person: Person, spreadsheet_id: string): Promise<boolean> {
  const binding = await findBinding(db, spreadsheet_id)
  return binding !== null && mayUseSpreadsheet(person, binding, await advertisersOf(db, person))
}

/** Which system user a spreadsheet sticks to; null while none is known to have it. */
export async function findSystemUser(db: Db, spreadsheet_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('spreadsheet_system_user')
    .select('address')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  return row?.address ?? null
}

export async function keepSystemUser(db: Db, spreadsheet_id: string, address: string) {
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

/** The first who proves it has it; false when somebody else was faster. */
export async function insertBinding(
  db: Db,
  binding: {
    spreadsheet_id: string
    advertiser: number | null
    proven_by: number
    proof: 'permission' | 'code'
  },
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('spreadsheet_binding')
    .values({ ...binding, created_at: now })
    .onConflict(conflict => conflict.column('spreadsheet_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteBinding(trx: Trx, spreadsheet_id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('spreadsheet_binding')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** An advertiser that the person belongs to, for what they prove: the one they joined first. */
export async function ownAdvertiser(db: Db, user_id: number): Promise<number | null> {
  const row = await db
    .selectFrom('advertiser_member')
    .select('advertiser')
    .where('user_id', '=', user_id)
    .orderBy('advertiser')
    .limit(1)
    .executeTakeFirst()
  return row?.advertiser ?? null
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

/** The code that still counts; null when none was given or it has expired. */
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

export async function forgetOldCodes(db: Db, now: Date) {
  await db.deleteFrom('spreadsheet_code').where('expires_at', '<', now).execute()
}

/** Reports of this owner in that spreadsheet, locked, for noting what a check has found. */
export async function lockReportsIn(trx: Trx, owner: number, spreadsheet_id: string) {
  return await trx
    .selectFrom('report')
    .selectAll()
    .where('owner', '=', owner)
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}
