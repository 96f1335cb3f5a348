import type { ColumnFormat, StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { CellValue } from '#server/sheets/body.ts'

/**
 * A stored table of these rows, in chunks of `sizes` rows (the header counts as one); without them, in one.
 */
export function tableOf({
  titles,
  rows,
  formats = [],
  sizes = [],
  note = null,
}: {
  titles: string[]
  rows: CellValue[][]
  formats?: ColumnFormat[]
  sizes?: number[]
  note?: string | null
}): StoredTable {
  const all: CellValue[][] = [titles, ...rows]
  return {
    columns: titles.map((title, index) => ({ title, format: formats[index] ?? { kind: 'text' } })),
    rows: rows.length,
    note,
    async *chunks(): AsyncIterable<TableChunk> {
      let from = 0
      for (const size of [...sizes, all.length]) {
        const part = all.slice(from, from + size)
        if (part.length > 0)
          yield { first_row: from, rows: part.length, json: Buffer.from(JSON.stringify(part)) }
        from += size
      }
    },
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
