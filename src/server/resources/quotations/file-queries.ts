import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { QuotationFileTable } from '#server/db/tables/billing.ts'
import type { Trx } from '#server/db/transaction.ts'

export type FileKind = QuotationFileTable['kind']

export async function findFile(db: Db, quotation: number, kind: FileKind) {
  return await db
    .selectFrom('quotation_file')
    .select(['name', 'mime', 'sha256', 'bytes'])
    .where('quotation', '=', quotation)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

export async function insertFile(trx: Trx, file: Insertable<QuotationFileTable>): Promise<void> {
  await trx.insertInto('quotation_file').values(file).execute()
}
