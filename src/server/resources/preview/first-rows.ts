import { chunksOf } from '#server/table/chunks.ts'
import type { Table } from '#server/table/shape.ts'

/** The first rows under the header, cell by cell as a run would write them: read from the very bytes. */
export function firstRows(table: Table, most: number): (string | number)[][] {
  const rows: (string | number)[][] = []
  for (const { json } of chunksOf(table, CHUNK_BYTES)) {
    rows.push(...(JSON.parse(decoder.decode(json)) as (string | number)[][]))
    if (rows.length > most) break
  }
  return rows.slice(1, most + 1)
}

/** A few dozen rows: no more than is shown is made. */
const CHUNK_BYTES = 20_000
const decoder = new TextDecoder()
