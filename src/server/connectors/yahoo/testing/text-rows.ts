import type { ComparableRow } from '#server/connectors/testing/context.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { utf8 } from '#server/connectors/kit/http.ts'
import { startReader } from '#server/connectors/yahoo/ranges.ts'
import { deviceOf } from '#server/connectors/yahoo/fields.ts'

// Files of ads by day and device, read cell by cell as texts: what the reader of bytes must read, too. Throws
// what it must throw.

export const OWNER = '330030'
export const range = { start: '2026-10-01', end: '2026-10-31' }
export const metrics = ['impressions', 'cost', 'conversions', 'conversion_value']
const readers = [decimal, millionths, decimal, millionths]

/** Columns: the account, the day, id and name of the ad, the device, the numbers. */
export function lyRows(bytes: Buffer): ComparableRow[] {
  const text = utf8({ bytes })
  if (!/(?:^|\n)Total,[^\n]*\n?$/.test(text) && /\n[^]/.test(text))
    throw unreadable('a report without its last row')
  const rows = csvRows(text)
  const { value: header = [] } = rows.next()
  if (header.length !== 9 || header[0] === OWNER) throw unreadable(`a header of other columns than ${fields}`)
  const dayOf = startReader(range, 'date')
  const read: ComparableRow[] = []
  let sum = 0
  for (const row of rows) {
    const count = decimal(row[5])
    if (row[0] === OWNER) sum += Number.isNaN(count) ? 0 : count
    else if (row[0] === 'Total' && !Number.isNaN(count) && count !== sum)
      throw unreadable(`rows of ${sum} instead of ${count} IMPS`)
    if (row.length !== 9) throw unreadable(`a row of ${row.length} cells instead of 9`)
    if (['Total', '', '--'].includes(row[0] ?? '')) continue
    if (row[0] !== OWNER) throw unreadable('a row of another account')
    read.push(rowOf(row, { date: dayOf(row[1] ?? ''), id: 2, name: 3, numbers: 5 }))
  }
  return read
}

const fields = 'ACCOUNT_ID,DAY,AD_ID,AD_NAME,DEVICE,IMPS,COST,CONVERSIONS,CONV_VALUE'

/** Columns: the day, id and name of the advertiser and of the ad, the device, the numbers. */
export function dspRows(bytes: Buffer, count: number): ComparableRow[] {
  const text = utf8({ bytes })
  // The same file comes again and again.
  if (!text.endsWith('\n') && /(?:^|[,\t])$/.test(text)) throw unreadable('a report that breaks off')
  const rows = csvRows(text)
  const { value: header } = rows.next()
  if (!header) throw unreadable('a report without a header')
  const isId = (at: number) => /\bid$/i.test(header[at] ?? '')
  for (const at of [1, 3])
    if (!isId(at) && !isId(at + 1))
      throw unreadable(`a header without ids: ${header.join(',').slice(0, 200)}`)
  if (header.length !== 10) throw unreadable(`a header of ${header.length} columns instead of 10`)
  const dayOf = startReader(range, 'date')
  const read: ComparableRow[] = []
  for (const row of rows) {
    if (row.length !== 10) throw unreadable(`a row of ${row.length} cells instead of 10`)
    if (row[isId(1) ? 1 : 2] !== OWNER) throw unreadable('a row of another advertiser')
    const [id, name] = isId(3) ? [3, 4] : [4, 3]
    read.push(rowOf(row, { date: dayOf(row[0] ?? ''), id, name, numbers: 6 }))
  }
  if (read.length !== count) throw unreadable(`a report of ${read.length} rows instead of ${count}`)
  return read
}

interface RowPlaces {
  date: string
  id: number
  name: number
  numbers: number
}

function rowOf(row: readonly string[], { date, id, name, numbers }: RowPlaces): ComparableRow {
  const device = deviceOf(row[numbers - 1] ?? '')
  return {
    date,
    keys: [row[id] ?? '', device],
    labels: [row[name] ?? '', device],
    values: metrics.map((metric, at) => {
      const cell = row[numbers + at] ?? ''
      const value = readers[at]?.(cell) ?? Number.NaN
      if (Number.isNaN(value) && !/^(?:--|[<>].*)?$/.test(cell))
        throw unreadable(`${metric}: ${cell.slice(0, 40)}`)
      return value
    }),
  }
}
