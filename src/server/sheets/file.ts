import { SheetsFailure } from './failure.ts'
import type { FileResponse } from './schema.ts'

const SPREADSHEET = 'application/vnd.google-apps.spreadsheet'

/** Refuses a file that cannot be written to, by its metadata in the drive service. */
export function refuseUnusableFile(file: FileResponse): void {
  if (file.mimeType !== SPREADSHEET)
    throw new SheetsFailure('not_a_spreadsheet', { detail: { mime_type: file.mimeType } })
  // In the bin it can still be read and written by those who have it, but nobody would find it there.
  if (file.trashed)
    throw new SheetsFailure('spreadsheet_not_shared', { why: 'trashed', detail: { trashed: true } })
  const { canEdit, canModifyContent } = file.capabilities
  const is_locked = file.contentRestrictions.some(restriction => restriction.readOnly)
  if (!canEdit || canModifyContent === false || is_locked)
    throw new SheetsFailure('spreadsheet_not_editor', { detail: { locked: is_locked } })
}
