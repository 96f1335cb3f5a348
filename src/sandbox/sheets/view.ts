import type { sheets_v4 } from '@googleapis/sheets'
import { mayEditProtected } from './access.ts'
import { viewNamedRange } from './batch-update/named-ranges.ts'
import type { Book, DimensionLook, Metadata, Protection, Sheet } from './book.ts'
import { writeGridRange } from './grid-range.ts'
import { viewMetadata, visibleMetadata } from './metadata.ts'

export interface Viewer {
  email: string
  project: string
  origin: string
}

/** A book as `spreadsheets.get` returns it; grid data is added by the caller. */
export function viewBook(
  book: Book,
  viewer: Viewer,
  data?: (sheet: Sheet) => sheets_v4.Schema$GridData[],
): sheets_v4.Schema$Spreadsheet {
  const metadata = visibleMetadata(book, viewer.project)
  return {
    spreadsheetId: book.id,
    properties: {
      title: book.title,
      locale: book.locale,
      autoRecalc: 'ON_CHANGE',
      timeZone: book.time_zone,
      defaultFormat: {
        backgroundColor: { red: 1, green: 1, blue: 1 },
        padding: { top: 2, right: 3, bottom: 2, left: 3 },
        verticalAlignment: 'BOTTOM',
        wrapStrategy: 'OVERFLOW_CELL',
        textFormat: { foregroundColor: {}, fontFamily: 'arial,sans,sans-serif', fontSize: 10 },
      },
      spreadsheetTheme: { primaryFontFamily: 'Arial' },
    },
    sheets: book.sheets.map(sheet =>
      viewSheet(book, sheet, { viewer, metadata, ...(data && { data: data(sheet) }) }),
    ),
    ...notEmpty('namedRanges', book.named_ranges.map(viewNamedRange)),
    spreadsheetUrl: `${viewer.origin}/spreadsheets/d/${book.id}/edit`,
    ...notEmpty(
      'developerMetadata',
      metadata.filter(each => each.location.type === 'SPREADSHEET').map(viewMetadata),
    ),
  }
}

function viewSheet(
  book: Book,
  sheet: Sheet,
  { viewer, metadata, data }: { viewer: Viewer; metadata: Metadata[]; data?: sheets_v4.Schema$GridData[] },
): sheets_v4.Schema$Sheet {
  const own = metadata.filter(
    ({ location }) => location.type === 'SHEET' && location.sheet_id === sheet.sheet_id,
  )
  return {
    properties: viewProperties(book, sheet),
    ...notEmpty('data', data ?? []),
    ...notEmpty(
      'merges',
      sheet.merges.map(rect => writeGridRange(sheet.sheet_id, rect)),
    ),
    ...notEmpty(
      'protectedRanges',
      sheet.protections.map(each => viewProtection(book, sheet, { protection: each, email: viewer.email })),
    ),
    ...(sheet.filter && {
      basicFilter: { range: writeGridRange(sheet.sheet_id, sheet.filter.rect), ...sheet.filter.rest },
    }),
    ...notEmpty('developerMetadata', own.map(viewMetadata)),
  }
}

export function viewProperties(book: Book, sheet: Sheet): sheets_v4.Schema$SheetProperties {
  const { hideGridlines, ...looks } = sheet.looks
  return {
    sheetId: sheet.sheet_id,
    title: sheet.title,
    index: book.sheets.indexOf(sheet),
    sheetType: sheet.type,
    ...(sheet.type === 'GRID' && {
      gridProperties: {
        rowCount: sheet.rows,
        columnCount: sheet.columns,
        ...(sheet.frozen_rows > 0 && { frozenRowCount: sheet.frozen_rows }),
        ...(sheet.frozen_columns > 0 && { frozenColumnCount: sheet.frozen_columns }),
        ...(hideGridlines && { hideGridlines }),
      },
    }),
    ...(sheet.hidden && { hidden: true }),
    ...looks,
  }
}

/** A protection as a person sees it: its editors only when the person is one of them. */
export function viewProtection(
  book: Book,
  { sheet_id }: Pick<Sheet, 'sheet_id'>,
  { protection, email }: { protection: Protection; email: string },
): sheets_v4.Schema$ProtectedRange {
  const canEdit = mayEditProtected(book, protection, email)
  const owner = book.permissions.find(each => each.role === 'owner')?.email
  const users = [...new Set([...(owner ? [owner] : []), ...protection.editors])]
  return {
    protectedRangeId: protection.id,
    range: writeGridRange(sheet_id, protection.rect),
    ...(protection.named_range_id && { namedRangeId: protection.named_range_id }),
    ...(protection.description && { description: protection.description }),
    ...(protection.warning_only && { warningOnly: true }),
    ...(canEdit && { requestingUserCanEdit: true }),
    ...notEmpty(
      'unprotectedRanges',
      protection.unprotected.map(rect => writeGridRange(sheet_id, rect)),
    ),
    ...(canEdit &&
      !protection.warning_only && { editors: { users, ...notEmpty('groups', protection.groups) } }),
  }
}

/** Properties of rows or columns from `start` to before `end`, as grid data has them. */
export function viewDimensions(
  book: Book,
  sheet: Sheet,
  { looks, type, start, end }: { looks: DimensionLook[]; type: 'ROW' | 'COLUMN'; start: number; end: number },
): sheets_v4.Schema$DimensionProperties[] {
  const usual = type === 'ROW' ? 21 : 100
  const entries = book.metadata.flatMap(entry =>
    entry.location.type === type && entry.location.sheet_id === sheet.sheet_id
      ? [{ entry, at: entry.location.start }]
      : [],
  )
  return Array.from({ length: end - start }, (_, i) => {
    const look = looks.find(each => each.start <= start + i && start + i < each.end)
    const own = entries.filter(({ at }) => at === start + i).map(({ entry }) => viewMetadata(entry))
    return {
      pixelSize: look?.pixel_size ?? usual,
      ...(look?.hidden && { hiddenByUser: true }),
      ...notEmpty('developerMetadata', own),
    }
  })
}

const notEmpty = <Name extends string, T>(name: Name, list: T[]) => (list.length > 0 ? { [name]: list } : {})
