/**
 * The finished table, as it is stored before the first write and as the writer sends it: every attempt of a
 * run writes these bytes. Rows are JSON arrays of cells in chunks of at most about 2 MB, so that the large
 * path can send a chunk without parsing it.
 */
export interface StoredTable {
  columns: TableColumn[]
  /** Rows under the header. */
  rows: number
  /** For the start cell; null: the report has none. */
  note: string | null
  /** The header and the rows in order; calling it again starts again. */
  chunks(): AsyncIterable<TableChunk>
}

export interface TableColumn {
  title: string
  format: ColumnFormat
}

/**
 * The format of the column's cells: text is always literal; day and month are real dates; the digits are
 * those after the point.
 */
export type ColumnFormat =
  | { kind: 'text' }
  | { kind: 'day' }
  | { kind: 'month' }
  | { kind: 'number'; digits: number }
  | { kind: 'percent'; digits: number }

export interface TableChunk {
  /** 0-based; row 0 is the header. */
  first_row: number
  rows: number
  /**
   * UTF-8 of a JSON array of rows, each an array of `columns.length` cells: a number, a text, or "" for an
   * empty cell.
   */
  json: Uint8Array
}
