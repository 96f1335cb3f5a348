import { z } from 'zod'
import { name } from './names.ts'
import { Instant } from './list.ts'

/**
 * The spreadsheets built into the product, as the caller sees them. Elsewhere (spreadsheets are Google's) all
 * of this is 404.
 */
export const SheetRole = z.enum(['owner', 'writer', 'commenter', 'reader'])
export type SheetRole = z.infer<typeof SheetRole>

export const SpreadsheetId = z.string().regex(/^[\w-]{20,200}$/)

/** Of somebody's access. No dots: `..` would name the spreadsheet itself. */
export const PermissionId = z.string().regex(/^[\w-]{1,100}$/)

export const SheetSummary = z.object({
  id: z.string(),
  title: z.string(),
  role: SheetRole,
  owner: z.string(),
  modified_at: Instant,
})
export type SheetSummary = z.infer<typeof SheetSummary>

export const SheetList = z.array(SheetSummary)

export const CreateSheet = z.strictObject({ title: name(200) })

/** [start row, start column, end row, end column), counted from 0. */
export const SheetRect = z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])

export const SheetTab = z.object({
  gid: z.number().int(),
  title: z.string(),
  hidden: z.boolean(),
  rows: z.number().int(),
  columns: z.number().int(),
  frozen_rows: z.number().int(),
  frozen_columns: z.number().int(),
  /** Pixels, of the columns from the first; the rest have the usual width. */
  column_widths: z.array(z.number()),
  protected_ranges: z.array(
    z.object({ rect: SheetRect, description: z.string(), may_edit: z.boolean(), warning_only: z.boolean() }),
  ),
})
export type SheetTab = z.infer<typeof SheetTab>

export const SheetPermission = z.object({
  id: z.string(),
  /** null: anyone with the link. */
  email: z.string().nullable(),
  role: SheetRole,
  /** Whether it is the address that reports write as. */
  is_system_user: z.boolean(),
})
export type SheetPermission = z.infer<typeof SheetPermission>

export const Sheet = z.object({
  id: z.string(),
  title: z.string(),
  /** Where it opens, and the URL for a report's setup. */
  url: z.string(),
  role: SheetRole,
  /** The address that reports write as, where one has access; else the one to share with as Editor. */
  system_user: z.string(),
  tabs: z.array(SheetTab),
  named_ranges: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      gid: z.number().int(),
      rect: SheetRect,
      /** Only some people may change its cells. */
      is_protected: z.boolean(),
    }),
  ),
  /** Who has access; null for those who may not share. */
  permissions: z.array(SheetPermission).nullable(),
})
export type Sheet = z.infer<typeof Sheet>

const index = z.number().int().min(0).max(10_000_000)

const natural = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)

/** A window of a tab, rows and columns counted from 0. */
export const SheetValuesQuery = z.object({
  gid: natural,
  /** The tab's title, where one knows it: saves the service a request. Wrong ones do no harm. */
  title: z.string().max(200).optional(),
  first_row: natural,
  rows: natural.pipe(z.number().min(1).max(2000)),
  first_column: natural,
  columns: natural.pipe(z.number().min(1).max(500)),
})

/** What the cells show, row by row; trailing empty cells and rows are left out. */
export const SheetValues = z.object({
  values: z.array(z.array(z.string())),
  /**
   * How they look, row by row: of each cell a hexadecimal digit, the sum of 1 (right-aligned), 2 (centered),
   * 4 (bold) and 8 (italic); trailing zeros are left out.
   */
  looks: z.array(z.string()),
})
export type SheetValues = z.infer<typeof SheetValues>

/** Letters, digits and underscores, not beginning with a digit, and not like a cell's name. */
export const CreateNamedRange = z.strictObject({
  name: name(250),
  gid: z.number().int().nonnegative(),
  rect: z.tuple([index, index, index, index]),
  /** Nobody but the caller and the owner of the spreadsheet may change its cells then, reports neither. */
  is_protected: z.boolean().default(false),
})

export const NamedRangeId = z.string().regex(/^[\w-]{1,100}$/)

/** A report has been written to a spreadsheet. */
export const SpreadsheetEvent = z.object({ spreadsheet: SpreadsheetId })
export type SpreadsheetEvent = z.infer<typeof SpreadsheetEvent>

export const ShareSheet = z.strictObject({
  email: z.email().max(254),
  role: z.enum(['writer', 'commenter', 'reader']),
})

export const SheetExportQuery = z.object({ format: z.enum(['xlsx', 'csv']), gid: natural.optional() })
