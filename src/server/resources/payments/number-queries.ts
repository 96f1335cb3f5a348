import { sql } from 'kysely'
import type { Trx } from '#server/db/transaction.ts'

/**
 * The next number of a series in the year of a day: Q2026-0001. Its row stays locked until the transaction
 * ends, so that numbers have no gaps, and none is given twice.
 */
export async function takeNumber(trx: Trx, series: 'Q' | 'P', day: string): Promise<string> {
  const year = Number(day.slice(0, 4))
  const { rows } = await sql<{ last: number }>`
    insert into number_series (series, year, last) values (${series}, ${year}, 1)
    on conflict (series, year) do update set last = number_series.last + 1
    returning last`.execute(trx)
  return `${series}${year}-${String(rows[0]?.last ?? 0).padStart(4, '0')}`
}
