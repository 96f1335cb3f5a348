import { z } from 'zod'
import { SheetRole } from '#shared/api/sheets.ts'

// The responses of the built-in spreadsheet service, as far as they are read here.

const GridRange = z.object({
  sheetId: z.number().default(0),
  startRowIndex: z.number().optional(),
  startColumnIndex: z.number().optional(),
  endRowIndex: z.number().optional(),
  endColumnIndex: z.number().optional(),
})
export type GridRange = z.infer<typeof GridRange>

const Permission = z.object({
  id: z.string(),
  type: z.string(),
  role: SheetRole,
  emailAddress: z.string().optional(),
})

export const FileResponse = z.object({
  id: z.string(),
  name: z.string(),
  modifiedTime: z.iso.datetime(),
  ownedByMe: z.boolean(),
  owners: z.array(z.object({ emailAddress: z.string() })),
  capabilities: z.object({ canEdit: z.boolean(), canComment: z.boolean().default(false) }),
  /** Only for those who may share. */
  permissions: z.array(Permission).optional(),
})
export type FileResponse = z.infer<typeof FileResponse>

export const FileListResponse = z.object({
  files: z.array(FileResponse).default([]),
  nextPageToken: z.string().optional(),
})

export const BookResponse = z.object({
  properties: z.object({ title: z.string() }),
  sheets: z
    .array(
      z.object({
        properties: z.object({
          sheetId: z.number().default(0),
          title: z.string(),
          hidden: z.boolean().default(false),
          gridProperties: z
            .object({
              rowCount: z.number(),
              columnCount: z.number(),
              frozenRowCount: z.number().default(0),
              frozenColumnCount: z.number().default(0),
            })
            .optional(),
        }),
        data: z
          .array(z.object({ columnMetadata: z.array(z.object({ pixelSize: z.number() })).default([]) }))
          .default([]),
        protectedRanges: z
          .array(
            z.object({
              protectedRangeId: z.number().default(0),
              namedRangeId: z.string().optional(),
              range: GridRange,
              description: z.string().default(''),
              requestingUserCanEdit: z.boolean().default(false),
              warningOnly: z.boolean().default(false),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  namedRanges: z
    .array(z.object({ namedRangeId: z.string(), name: z.string(), range: GridRange }))
    .default([]),
})
export type BookResponse = z.infer<typeof BookResponse>

export const TitlesResponse = z.object({
  properties: z.object({ title: z.string() }),
  sheets: z.array(
    z.object({
      properties: z.object({
        sheetId: z.number().default(0),
        title: z.string(),
        gridProperties: z.object({ rowCount: z.number(), columnCount: z.number() }).optional(),
      }),
    }),
  ),
})

export const ValuesResponse = z.object({
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String))).default([]),
})

const Align = z.enum(['HORIZONTAL_ALIGN_UNSPECIFIED', 'LEFT', 'CENTER', 'RIGHT'])
const CellResponse = z.object({
  formattedValue: z.string().default(''),
  effectiveValue: z
    .object({ numberValue: z.number(), boolValue: z.boolean(), errorValue: z.object({}) })
    .partial()
    .default({}),
  userEnteredFormat: z
    .object({
      horizontalAlignment: Align,
      textFormat: z.object({ bold: z.boolean().default(false), italic: z.boolean().default(false) }),
    })
    .partial()
    .default({}),
})
export type CellResponse = z.infer<typeof CellResponse>

/** A range of one tab. */
export const CellsResponse = z.object({
  sheets: z.tuple([
    z.object({
      data: z.tuple([
        z.object({
          rowData: z.array(z.object({ values: z.array(CellResponse).default([]) })).default([]),
        }),
      ]),
    }),
  ]),
})
export type CellsResponse = z.infer<typeof CellsResponse>

export const CreatedResponse = z.object({ spreadsheetId: z.string() })
