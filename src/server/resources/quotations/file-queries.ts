import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { QuotationFileTable } from '#server/db/tables/billing.ts'

export type FileKind = QuotationFileTable['kind']

export async function findFile(db: Db, quotation: number, kind: FileKind) {
  return await db
    .selectFrom('quotation_file')
    .select(['name', 'mime', 'sha256', 'bytes'])
    .where('quotation', '=', quotation)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** What is there stays. */
export async function insertFile(db: Db, file: Insertable<QuotationFileTable>): Promise<void> {
  await db
    .insertInto('quotation_file')
    .values(file)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
