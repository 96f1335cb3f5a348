import type { z } from 'zod'
import type { Sheet, SheetRole, SheetSummary } from '#shared/api/sheets.ts'
import type { Rect } from '#shared/cell.ts'
import type { BookResponse, FileResponse, GridRange } from './schema.ts'

export const summaryOf = (file: FileResponse): z.infer<typeof SheetSummary> => ({
  id: file.id,
  title: file.name,
  role: roleOf(file),
  owner: file.owners[0]?.emailAddress ?? '',
  modified_at: file.modifiedTime,
})

/** A spreadsheet as the viewer shows it. `public_url` has no slash at the end. */
export function sheetOf(
  file: FileResponse,
  book: BookResponse,
  {
    public_url,
    system_users,
    to_share_with,
  }: { public_url: string; system_users: readonly string[]; to_share_with: string },
): z.infer<typeof Sheet> {
  const permissions =
    file.permissions?.map(permission => ({
      ...permissionOf(permission),
      is_system_user: system_users.includes(permission.emailAddress ?? ''),
    })) ?? null
  const writer = permissions?.find(({ is_system_user, role }) => is_system_user && WRITES.includes(role))

  const grids = book.sheets.flatMap(sheet =>
    sheet.properties.gridProperties ? [{ ...sheet, grid: sheet.properties.gridProperties }] : [],
  )
  const sizeOf = (gid: number) => grids.find(({ properties }) => properties.sheetId === gid)?.grid
  const rectOf = (range: GridRange): Rect => [
    range.startRowIndex ?? 0,
    range.startColumnIndex ?? 0,
    range.endRowIndex ?? sizeOf(range.sheetId)?.rowCount ?? 0,
    range.endColumnIndex ?? sizeOf(range.sheetId)?.columnCount ?? 0,
  ]
  return {
    id: file.id,
    title: book.properties.title,
    url: `${public_url}/spreadsheets/d/${file.id}/edit`,
    role: roleOf(file),
    system_user: writer?.email ?? to_share_with,
    tabs: grids.map(({ properties, grid, data, protectedRanges }) => ({
      gid: properties.sheetId,
      title: properties.title,
      hidden: properties.hidden,
      rows: grid.rowCount,
      columns: grid.columnCount,
      frozen_rows: grid.frozenRowCount,
      frozen_columns: grid.frozenColumnCount,
      column_widths: data[0]?.columnMetadata.map(column => column.pixelSize) ?? [],
      protected_ranges: protectedRanges.map(range => ({
        rect: rectOf(range.range),
        description: range.description,
        may_edit: range.requestingUserCanEdit,
        warning_only: range.warningOnly,
      })),
    })),
    named_ranges: book.namedRanges.map(({ namedRangeId, name, range }) => ({
      id: namedRangeId,
      name,
      gid: range.sheetId,
      rect: rectOf(range),
      is_protected: book.sheets.some(sheet =>
        sheet.protectedRanges.some(each => each.namedRangeId === namedRangeId && !each.warningOnly),
      ),
    })),
    permissions,
  }
}

const WRITES: readonly SheetRole[] = ['writer', 'owner']

const permissionOf = ({ id, type, role, emailAddress }: Permission) => ({
  id,
  email: type === 'anyone' ? null : (emailAddress ?? ''),
  role,
})
type Permission = NonNullable<FileResponse['permissions']>[number]

function roleOf({ ownedByMe, capabilities }: FileResponse): SheetRole {
  if (ownedByMe) return 'owner'
  if (capabilities.canEdit) return 'writer'
  return capabilities.canComment ? 'commenter' : 'reader'
}
