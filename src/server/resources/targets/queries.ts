import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'

/** Reports of anybody that are to write to a spreadsheet, except one. */
export async function reportsIn(db: Db, spreadsheet_id: string, but: number | null) {
  let found = db
    .selectFrom('report')
    .select([
      'id',
      'name',
      'sheet_name',
      'start_cell',
      'timezone',
      'dimensions',
      'channels',
      'arrangement',
      'comparison',
      'blends',
      'date_start',
      'date_end',
      'dynamic_range',
    ])
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('deleted_at', 'is', null)
  if (but !== null) found = found.where('id', '<>', but)
  return await found.orderBy('id').execute()
}
export type ReportInFile = Awaited<ReturnType<typeof reportsIn>>[number]

/** Reports of this owner in that spreadsheet, locked, for storing the result of a check. */
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
