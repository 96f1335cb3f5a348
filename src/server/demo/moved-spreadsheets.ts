import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** The built-in service on this machine, whatever its port. */
const BUILT_IN = String.raw`^http://(127\.0\.0\.1|localhost):\d+(?=/spreadsheets/)`

/**
 * With another SANDBOX_PORT the built-in spreadsheets have another address; those that reports name are
 * updated. `origin`: the new one. Spreadsheets of the real service stay unchanged.
 */
export async function followSpreadsheets(db: Db, origin: string): Promise<void> {
  await db
    .updateTable('report')
    .set({ spreadsheet_url: sql`regexp_replace(spreadsheet_url, ${BUILT_IN}, ${origin})` })
    .where('spreadsheet_url', '~', BUILT_IN)
    .where(sql<boolean>`not starts_with(spreadsheet_url, ${`${origin}/`})`)
    .execute()
}
