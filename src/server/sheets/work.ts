import type { Rect } from '#shared/cell.ts'
import type { TableColumn } from '#server/table/stored-table.ts'
import type { SheetsClient } from './client.ts'
import type { Patience, Requests } from './requests.ts'
import type { MeasuredTable } from './widths.ts'

/** One attempt at writing one table: its input, and its effects. */
export interface Work {
  spreadsheet_id: string
  sheet_id: number | null
  sheet_name: string
  /** Where the new table goes, its header included. */
  rect: Rect
  columns: TableColumn[]
  /** Whether the table is made to look like its preview. */
  format_table: boolean
  table: MeasuredTable
  head: string
  report_id: number
  run_id: string
  attempt: number
  previous: PreviousTable | null
  other_tables: OtherTable[]
  limits: WriterLimits
  client: SheetsClient
  requests: Requests
  signal: AbortSignal
  now: () => Date
}

export interface PreviousTable {
  sheet_id: number
  rect: Rect
  head: string
  fmt?: string | null
  /** What it wrote on its start cell. */
  note?: string | null
  /** The project of the system user that wrote it. */
  project?: string
}

export interface OtherTable {
  report_id: number
  name?: string
  sheet_id: number
  rect: Rect
}

export interface WriterLimits extends Patience {
  /** Cells of a whole spreadsheet. */
  cells: number
  /** A table up to this size is sent in one request. Google has accepted 9.0 MB and 120,000 cells. */
  small_cells: number
  small_bytes: number
  /** One chunk of a large table. Google's own advice is 2 MB; 250,000 cells take under a minute. */
  chunk: { bytes: number; cells: number }
  no_room_cells: number
  no_room_bytes: number
  /** Patience once a large table is partly staged. */
  staged_patience_ms: number
}
