import { sql } from 'kysely'
import type { Trx } from '#server/db/transaction.ts'

/** The next number of a series in the year of a day: Q2026-0001. */
export async function takeNumber(trx: Trx, series: 'Q' | 'P', day: string): Promise<string> {
  const [number = ''] = await takeNumbers(trx, series, { day, count: 1 })
  return number
}

/**
 * The next ones. The row of the series stays locked until the transaction ends, so that numbers have no gaps,
 * and none is given twice.
 */
export async function takeNumbers(
  trx: Trx,
  series: 'Q' | 'P',
  { day, count }: { day: string; count: number },
): Promise<string[]> {
  const year = Number(day.slice(0, 4))
  const { rows } = await sql<{ last: number }>`
    insert into number_series (series, year, last) values (${series}, ${year}, ${count})
    on conflict (series, year) do update set last = number_series.last + ${count}
    returning last`.execute(trx)
  const first = (rows[0]?.last ?? 0) - count + 1
  return Array.from(
    { length: count },
    (_, index) => `${series}${year}-${String(first + index).padStart(4, '0')}`,
  )
}
