import type { Generated } from 'kysely'
import type { OperationBefore, OperationKind } from '#shared/api/bulk-operations.ts'
import type { ViewFilters } from '#shared/api/report-views.ts'
import type { Blend, Block, Comparison, TableSort } from '#shared/api/reports.ts'
import type { ReportPart } from '#shared/api/report-versions.ts'
import type { Dimension } from '#shared/channels/catalogue.ts'
import type { Language } from '#shared/language.ts'
import type { GeneratedJson, Json, NullableJson } from './json.ts'

export interface FolderTable {
  id: Generated<number>
  owner: number
  name: string
  parent: number | null
  layer: number
  deleted_at: Date | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface ReportTable {
  id: Generated<number>
  owner: number
  folder: number | null
  version: Generated<number>
  name: string
  spreadsheet_url: Generated<string>
  spreadsheet_id: string | null
  sheet_name: Generated<string>
  sheet_id: number | null
  start_cell: Generated<string>
  timezone: string
  header_language: Language
  arrangement: 'joined' | 'stacked'
  fill_zero: boolean
  format_table: Generated<boolean>
  sort: NullableJson<TableSort>
  limit: number | null
  currency: string | null
  comparison: NullableJson<Comparison>
  note: Generated<boolean>
  blends: GeneratedJson<Blend[]>
  dimensions: Json<Dimension[]>
  channels: Json<Block[]>
  date_start: string | null
  date_end: string | null
  dynamic_range: number
  history_extended: Generated<boolean>
  update_frequency: number
  update_time: Generated<string>
  update_day_of_week: number | null
  update_day_of_month: number | null
  next_run_at: Date | null
  target_state: string | null
  target_checked_at: Date | null
  copied_by: number | null
  deleted_at: Date | null
  deleted_by: number | null
  /** When the latest run ended; the database fills it in. */
  last_run_at: Date | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface ReportShareTable {
  report: number
  user_id: number
  access: 'viewer' | 'editor'
  shared_by: number | null
  folder: number | null
  created_at: Generated<Date>
}

/** A share that has ended, as it was, so that this can be undone. */
export interface EndedShareTable extends Omit<ReportShareTable, 'created_at'> {
  created_at: Date
  ended_at: Date
  ended_by: number | null
  was_favourite: boolean
}

/** A filter of the list under a name. */
export interface ReportViewTable {
  id: Generated<number>
  owner: number
  name: string
  filters: Json<ViewFilters>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface ReportVersionTable {
  report: number
  version: number
  /** As they were saved; other versions of the program may have stored them. */
  settings: Json<unknown>
  changed: Generated<ReportPart[]>
  author: number | null
  restores: number | null
  saved_at: Date
}

export interface BulkOperationTable {
  id: string
  kind: OperationKind
  actor: number
  folders: Generated<number[]>
  created_at: Generated<Date>
}

export interface BulkChangeTable {
  operation: string
  report: number
  version: number
  before: NullableJson<OperationBefore>
  is_undone: Generated<boolean>
}

export interface SpreadsheetBindingTable {
  spreadsheet_id: string
  advertiser: number | null
  proven_by: number | null
  proof: 'permission' | 'code'
  /** The permission by which somebody of the scope controls it: an owner's proof cannot be replaced. */
  role: Generated<'owner' | 'writer'>
  department: number | null
  title: string | null
  /** How many it has, as of the last time that they were listed. */
  tabs: Generated<number | null>
  permissions: string[] | null
  verified_at: Date | null
  lapsed_at: Date | null
  created_at: Generated<Date>
}

/** A spreadsheet that was created for a person. */
export interface SpreadsheetCreationTable {
  user_id: number
  idempotency_key: string
  title: string
  /** null until the service has created it. */
  spreadsheet_id: string | null
  /** While a request is creating it. */
  started_at: Date | null
  created_at: Generated<Date>
}
