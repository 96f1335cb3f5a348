import type { Gap } from '#shared/api/reports.ts'
import type { ErrorCode } from '#shared/errors.ts'

const codeOfGap: Record<Gap, ErrorCode> = {
  start_cell_not_set: 'start_cell_not_set',
  page_not_set: 'page_not_set',
  permission_not_set: 'spreadsheet_not_shared',
  channels_not_set: 'channels_not_set',
}

/**
 * The code with which a report's run ends at once when it is executed among others; null when the report can
 * run.
 */
export const refusalOfGap = ([gap]: readonly Gap[]): ErrorCode | null => (gap ? codeOfGap[gap] : null)
