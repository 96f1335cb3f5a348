import type { sheets_v4 } from '@googleapis/sheets'
import type { Rect } from './rect.ts'

/** A spreadsheet without its cells: stored as one document. */
export interface Book {
  id: string
  title: string
  locale: string
  time_zone: string
  mime_type: string
  trashed: boolean
  created_at: string
  modified_at: string
  modified_by: string
  version: number
  permissions: Permission[]
  content_restrictions: ContentRestriction[]
  sheets: Sheet[]
  named_ranges: NamedRange[]
  /** Names whose area was deleted: not listed, not deletable through the API, still taken. */
  broken_names: string[]
  metadata: Metadata[]
  /** Formats of cells by number; the first is "none". */
  formats: sheets_v4.Schema$CellFormat[]
}

export const NATIVE = 'application/vnd.google-apps.spreadsheet'

export type Role = 'owner' | 'writer' | 'commenter' | 'reader'

export interface Permission {
  id: string
  type: 'user' | 'group' | 'anyone'
  role: Role
  email: string | null
}

interface ContentRestriction {
  read_only: boolean
  reason: string | null
  by: string
}

export interface Sheet {
  /** Under which its tiles are stored; never shown. */
  key: number
  sheet_id: number
  title: string
  hidden: boolean
  type: 'GRID' | 'OBJECT'
  rows: number
  columns: number
  frozen_rows: number
  frozen_columns: number
  /** Other members of SheetProperties and GridProperties, stored as they came. */
  looks: { hideGridlines?: boolean; rightToLeft?: boolean; tabColor?: object; tabColorStyle?: object }
  merges: Rect[]
  protections: Protection[]
  filter: { rect: Rect; rest: object } | null
  row_looks: DimensionLook[]
  column_looks: DimensionLook[]
}

/** Size and visibility of the rows or columns from `start` to before `end`. */
export interface DimensionLook {
  start: number
  end: number
  pixel_size: number | null
  hidden: boolean
}

export interface Protection {
  id: number
  rect: Rect
  named_range_id: string | null
  description: string
  warning_only: boolean
  editors: string[]
  groups: string[]
  unprotected: Rect[]
}

export interface NamedRange {
  id: string
  name: string
  sheet_id: number
  rect: Rect
}

export interface Metadata {
  id: number
  key: string
  value: string | null
  visibility: 'DOCUMENT' | 'PROJECT'
  /** The project that a PROJECT entry belongs to. */
  project: string
  location:
    | { type: 'SPREADSHEET' }
    | { type: 'SHEET'; sheet_id: number }
    | { type: 'ROW' | 'COLUMN'; sheet_id: number; start: number; end: number }
}

export const EMPTY_LOOKS = {
  merges: [],
  protections: [],
  filter: null,
  row_looks: [],
  column_looks: [],
  looks: {},
}

export const findSheet = (book: Book, sheetId: number) =>
  book.sheets.find(sheet => sheet.sheet_id === sheetId)

/** Cells of all grids, empty ones included: what Google's limit counts. */
export const countCells = (book: Book) =>
  book.sheets.reduce((sum, sheet) => sum + (sheet.type === 'GRID' ? sheet.rows * sheet.columns : 0), 0)
