import type { Trx } from '#server/db/transaction.ts'

interface Marked {
  reports: readonly number[]
  user_id: number
}

export async function insertFavourites(trx: Trx, { reports, user_id }: Marked): Promise<void> {
  await trx
    .insertInto('report_favourite')
    .values(reports.map(report => ({ report, user_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function deleteFavourites(trx: Trx, { reports, user_id }: Marked): Promise<void> {
  await trx
    .deleteFrom('report_favourite')
    .where('user_id', '=', user_id)
    .where('report', 'in', [...reports, 0])
    .execute()
}
