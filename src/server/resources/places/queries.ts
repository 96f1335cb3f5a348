import type { Db } from '#server/db/connect.ts'

/** Reports of anybody that are to write to a spreadsheet, but one. */
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
