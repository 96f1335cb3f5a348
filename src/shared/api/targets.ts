import { z } from 'zod'
import { Id, IdText } from './list.ts'

export const TargetQuery = z.object({
  spreadsheet_url: z.string().max(2000),
  sheet_name: z.string().min(1).max(200),
  start_cell: z.string().max(20).optional(),
  /** The saved report that is edited: its own table is no obstacle. */
  report: IdText.optional(),
})

/** [start row, start column, end row, end column), counted from 0. */
const Rect = z.tuple([z.int(), z.int(), z.int(), z.int()])

/**
 * The content of a tab and the size of the whole spreadsheet: all that is needed to say what a table would
 * overwrite there.
 */
export const TargetSheet = z.object({
  sheet_id: z.number().int(),
  rows: z.number().int(),
  columns: z.number().int(),
  tabs: z.array(
    z.object({
      sheet_id: z.number().int(),
      title: z.string(),
      rows: z.number().int(),
      columns: z.number().int(),
      /** Columns up to the last one with anything in its first rows; null: unknown. */
      used_columns: z.number().int().nullable(),
    }),
  ),
  /** Tables of other reports, on any sheet. */
  tables: z.array(
    z.object({
      sheet_id: z.number().int(),
      rect: Rect,
      /** planned: its report has not run there yet, so that only its beginning is certain. */
      kind: z.enum(['written', 'planned']),
      /** null: a report that is not visible to the caller. */
      report: z.object({ id: Id, name: z.string() }).nullable(),
    }),
  ),
  /** The report's own last table on this sheet, which the next one replaces. */
  own: Rect.nullable(),
  named_ranges: z.array(z.object({ name: z.string(), rect: Rect })),
  /** Those in which the system user may not write. */
  protected_ranges: z.array(
    z.object({
      description: z.string(),
      /** The named range that it protects. */
      named_range: z.string().nullable(),
      rect: Rect,
    }),
  ),
  /** The part of the tab that was read, and what of it is not empty. */
  looked_at: Rect,
  content: z.array(Rect),
})
export type TargetSheet = z.infer<typeof TargetSheet>
