import type { openReader, PermissionEffects } from './check-permission.ts'
import type { SpreadsheetResponse } from './schema.ts'

/** The structure of files, cached for a moment: choosing a tab reads the same thing three times. */
export interface Structures {
  find(spreadsheet_id: string): SpreadsheetResponse | null
  keep(spreadsheet_id: string, response: SpreadsheetResponse): void
  /** When the cached structure was read. */
  readAt(spreadsheet_id: string): Date | null
}

const FIELDS =
  'properties.title,namedRanges(namedRangeId,name,range),sheets(properties(sheetId,title,sheetType,hidden,gridProperties(rowCount,columnCount)),protectedRanges(protectedRangeId,namedRangeId,range,description,warningOnly,requestingUserCanEdit,unprotectedRanges))'

/** Tabs, named and protected ranges of a file. `fresh`: without the cache. Throws SheetsFailure. */
export async function readStructure(
  read: ReturnType<typeof openReader>,
  { client, signal, structures }: PermissionEffects,
  { fresh }: { fresh: boolean },
): Promise<SpreadsheetResponse> {
  const { spreadsheet_id } = read
  const known = fresh ? null : structures?.find(spreadsheet_id)
  if (known) return known
  const response = await read('structure', () =>
    client.getSpreadsheet(spreadsheet_id, { fields: FIELDS }, signal),
  )
  structures?.keep(spreadsheet_id, response)
  return response
}
