import { z } from 'zod'
import type { Rect } from '#shared/cell.ts'

// Google's responses, as far as we read them. Zeros, empty texts and false are left out on the wire, also the
// id of the first tab.

const GridRange = z.object({
  sheetId: z.number().int().default(0),
  startRowIndex: z.number().int().default(0),
  endRowIndex: z.number().int().optional(),
  startColumnIndex: z.number().int().default(0),
  endColumnIndex: z.number().int().optional(),
})
export type GridRange = z.infer<typeof GridRange>

const DeveloperMetadata = z.object({
  metadataId: z.number().int(),
  metadataKey: z.string().default(''),
  metadataValue: z.string().default(''),
})
export type DeveloperMetadata = z.infer<typeof DeveloperMetadata>

const ProtectedRange = z.object({
  protectedRangeId: z.number().int(),
  /** It protects what this named range covers. */
  namedRangeId: z.string().optional(),
  range: GridRange.optional(),
  description: z.string().default(''),
  warningOnly: z.boolean().default(false),
  requestingUserCanEdit: z.boolean().default(false),
  unprotectedRanges: z.array(GridRange).default([]),
})

const CellData = z.object({
  userEnteredValue: z
    .object({
      stringValue: z.string().optional(),
      numberValue: z.number().optional(),
      boolValue: z.boolean().optional(),
      formulaValue: z.string().optional(),
    })
    .optional(),
  note: z.string().default(''),
})
export type CellData = z.infer<typeof CellData>

export const SheetResponse = z.object({
  properties: z.object({
    sheetId: z.number().int(),
    title: z.string(),
    sheetType: z.string().default('GRID'),
    hidden: z.boolean().default(false),
    gridProperties: z
      .object({
        rowCount: z.number().int().default(0),
        columnCount: z.number().int().default(0),
        frozenRowCount: z.number().int().default(0),
      })
      .default({ rowCount: 0, columnCount: 0, frozenRowCount: 0 }),
  }),
  protectedRanges: z.array(ProtectedRange).default([]),
  merges: z.array(GridRange).default([]),
  developerMetadata: z.array(DeveloperMetadata).default([]),
  tables: z.array(z.object({ name: z.string().default(''), range: GridRange.optional() })).default([]),
  data: z
    .array(
      z.object({
        startRow: z.number().int().default(0),
        startColumn: z.number().int().default(0),
        rowData: z.array(z.object({ values: z.array(CellData).default([]) })).default([]),
      }),
    )
    .default([]),
})
export type SheetResponse = z.infer<typeof SheetResponse>

export const SpreadsheetResponse = z.object({
  spreadsheetId: z.string().optional(),
  properties: z.object({ title: z.string().default('') }).default({ title: '' }),
  namedRanges: z
    .array(
      z.object({
        namedRangeId: z.string().default(''),
        name: z.string().default(''),
        range: GridRange.optional(),
      }),
    )
    .default([]),
  sheets: z.array(SheetResponse).default([]),
})
export type SpreadsheetResponse = z.infer<typeof SpreadsheetResponse>

/** The response to a write names the spreadsheet; one that does not is truncated or of another service. */
export const WriteResponse = z.object({ spreadsheetId: z.string() })

export const ValuesResponse = z.object({
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).default([]),
})
export const ManyValuesResponse = z.object({ valueRanges: z.array(ValuesResponse).default([]) })

export const FileResponse = z.object({
  id: z.string(),
  name: z.string().default(''),
  mimeType: z.string().default(''),
  trashed: z.boolean().default(false),
  capabilities: z
    .object({ canEdit: z.boolean().default(false), canModifyContent: z.boolean().optional() })
    .default({ canEdit: false }),
  contentRestrictions: z.array(z.object({ readOnly: z.boolean().default(false) })).default([]),
})
export type FileResponse = z.infer<typeof FileResponse>

export const PermissionsResponse = z.object({
  nextPageToken: z.string().optional(),
  permissions: z
    .array(
      z.object({
        id: z.string().default(''),
        type: z.string().default(''),
        role: z.string().default(''),
        emailAddress: z.string().default(''),
        deleted: z.boolean().default(false),
      }),
    )
    .default([]),
})
export type FilePermission = z.infer<typeof PermissionsResponse>['permissions'][number]

export const TokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** The key file of a service account, as Google's console exports it. */
export const ServiceAccountKey = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  project_id: z.string().min(1).optional(),
})
export type ServiceAccountKey = z.infer<typeof ServiceAccountKey>

export const ErrorResponse = z.object({
  error: z.object({
    message: z.string().default(''),
    details: z
      .array(
        z.looseObject({
          reason: z.string().optional(),
          metadata: z.looseObject({ quota_limit: z.string().optional() }).optional(),
        }),
      )
      .default([]),
    errors: z.array(z.looseObject({ reason: z.string().optional() })).default([]),
  }),
})

const StoredRect = z.tuple([
  z.number().int().nonnegative(),
  z.number().int().nonnegative(),
  z.number().int().nonnegative(),
  z.number().int().nonnegative(),
])

/** The entry of a run in the tab beside its cells, in the same atomic change. */
export const TabState = z.object({
  v: z.literal(1),
  /** Copies of a tab or a file may contain the entry: it is valid only for the ids that it names. */
  ss: z.string(),
  sheet: z.number().int(),
  run: z.string(),
  /** Incremented with each run that is written here. */
  n: z.number().int(),
  at: z.string(),
  rect: StoredRect,
  head: z.string(),
  /** One letter and digits a column: its format; with a dash, it has no more formats than it needs. */
  fmt: z.string(),
  /** The hash of the note that the run wrote on the start cell; absent when it wrote none. */
  note: z.string().optional(),
  /** Only while a table is written in more than one visible step: the table that it replaces. */
  was: z.object({ rect: StoredRect, head: z.string(), fmt: z.string().optional() }).optional(),
})
export type TabState = z.infer<typeof TabState>

/** The rectangle that a range covers on a tab of this size. */
export function rectOf(range: GridRange | undefined, rows: number, columns: number): Rect {
  return [
    range?.startRowIndex ?? 0,
    range?.startColumnIndex ?? 0,
    range?.endRowIndex ?? rows,
    range?.endColumnIndex ?? columns,
  ]
}

export const gridRange = (sheetId: number, [r0, c0, r1, c1]: Rect) => ({
  sheetId,
  startRowIndex: r0,
  endRowIndex: r1,
  startColumnIndex: c0,
  endColumnIndex: c1,
})

/** A person who has agreed that spreadsheets are written as them. */
export interface PersonConsent {
  address: string
  client_id: string
  client_secret: string
  refresh_token: string
}
