import type { sheets_v4 } from '@googleapis/sheets'
import { parseRange } from './a1.ts'
import type { Book, Metadata } from './book.ts'
import { invalid, notFound } from './errors.ts'
import { readGridRange } from './grid-range.ts'
import { intersect } from './rect.ts'
import type { Rect } from './rect.ts'

type Lookup = sheets_v4.Schema$DeveloperMetadataLookup
type Filter = sheets_v4.Schema$DataFilter
type Location = sheets_v4.Schema$DeveloperMetadataLocation

/** What a caller of the project sees: DOCUMENT entries and those of its own project. */
export const visibleMetadata = (book: Book, project: string) =>
  book.metadata.filter(each => each.visibility === 'DOCUMENT' || each.project === project)

/** `developerMetadata.get`. */
export function getMetadata(book: Book, project: string, id: number) {
  const entry = visibleMetadata(book, project).find(each => each.id === id)
  if (!entry) throw notFound()
  return viewMetadata(entry)
}

/** `developerMetadata.search`: entries that fit any of the filters, each with the filters that it fits. */
export function searchMetadata(
  book: Book,
  project: string,
  filters: Filter[],
): sheets_v4.Schema$SearchDeveloperMetadataResponse {
  const matched = visibleMetadata(book, project).flatMap(entry => {
    const dataFilters = filters.filter(filter => fits(book, entry, filter))
    return dataFilters.length > 0 ? [{ developerMetadata: viewMetadata(entry), dataFilters }] : []
  })
  return matched.length > 0 ? { matchedDeveloperMetadata: matched } : {}
}

export const findMetadata = (book: Book, project: string, filters: Filter[]) =>
  visibleMetadata(book, project).filter(entry => filters.some(filter => fits(book, entry, filter)))

function fits(book: Book, entry: Metadata, filter: Filter): boolean {
  if (filter.developerMetadataLookup) return fitsLookup(book, entry, filter.developerMetadataLookup)
  if (filter.a1Range) {
    const { sheet, rect } = parseRange(filter.a1Range, book)
    return liesIn(entry, sheet.sheet_id, rect)
  }
  if (filter.gridRange) {
    const { sheet, rect } = readGridRange(book, filter.gridRange)
    return liesIn(entry, sheet.sheet_id, rect)
  }
  throw invalid('Must specify a data filter.')
}

function fitsLookup(book: Book, entry: Metadata, lookup: Lookup): boolean {
  const { metadataId, metadataKey, metadataValue, visibility, locationType, metadataLocation } = lookup
  return (
    (metadataId === undefined || metadataId === entry.id) &&
    (metadataKey === undefined || metadataKey === entry.key) &&
    (metadataValue === undefined || metadataValue === entry.value) &&
    (!visibility || visibility.endsWith('UNSPECIFIED') || visibility === entry.visibility) &&
    (!locationType || locationType.endsWith('UNSPECIFIED') || locationType === entry.location.type) &&
    (!metadataLocation ||
      fitsLocation(book, entry, { expected: metadataLocation, strategy: lookup.locationMatchingStrategy }))
  )
}

function fitsLocation(
  book: Book,
  entry: Metadata,
  { expected, strategy }: { expected: Location; strategy: string | null | undefined },
): boolean {
  const location = readLocation(book, expected)
  if (strategy !== 'INTERSECTING_LOCATION') return JSON.stringify(location) === JSON.stringify(entry.location)
  if (location.type === 'SPREADSHEET') return true
  if (entry.location.type === 'SPREADSHEET') return false
  if (location.sheet_id !== entry.location.sheet_id) return false
  if (location.type === 'SHEET' || entry.location.type === 'SHEET') return true
  return (
    location.type !== entry.location.type ||
    (location.start < entry.location.end && entry.location.start < location.end)
  )
}

function liesIn({ location }: Metadata, sheet_id: number, rect: Rect): boolean {
  if (location.type === 'SPREADSHEET' || location.sheet_id !== sheet_id) return false
  if (location.type === 'SHEET') return true
  const whole = { r0: 0, c0: 0, r1: Infinity, c1: Infinity }
  const { start, end, type } = location
  return (
    intersect(rect, type === 'ROW' ? { ...whole, r0: start, r1: end } : { ...whole, c0: start, c1: end }) !==
    null
  )
}

/** The location of a new entry; exactly one may be named, and it must exist. */
export function readLocation(book: Book, location: Location | null | undefined): Metadata['location'] {
  const { sheetId, spreadsheet, dimensionRange } = location ?? {}
  const named = [sheetId !== undefined, spreadsheet === true, dimensionRange !== undefined].filter(
    Boolean,
  ).length
  if (named !== 1)
    throw invalid('Exactly one of spreadsheet, sheetId or dimensionRange must be set as the location.')
  if (spreadsheet) return { type: 'SPREADSHEET' }
  const id = dimensionRange ? (dimensionRange.sheetId ?? 0) : (sheetId ?? 0)
  const sheet = book.sheets.find(each => each.sheet_id === id)
  if (!sheet) throw invalid(`No grid with id: ${id}`)
  if (!dimensionRange) return { type: 'SHEET', sheet_id: id }
  const { dimension, startIndex, endIndex } = dimensionRange
  const size = dimension === 'ROWS' ? sheet.rows : sheet.columns
  const [start, end] = [startIndex ?? 0, endIndex ?? 0]
  if (dimension !== 'ROWS' && dimension !== 'COLUMNS') throw invalid('No dimension specified.')
  if (end - start !== 1 || start < 0)
    throw invalid('Developer metadata can only be associated with a single row or column.')
  if (end > size) throw invalid(`Dimension range exceeds grid limits: ${dimension} ${start}`)
  return { type: dimension === 'ROWS' ? 'ROW' : 'COLUMN', sheet_id: id, start, end }
}

/** An entry as Google writes it. */
export function viewMetadata({
  id,
  key,
  value,
  visibility,
  location,
}: Metadata): sheets_v4.Schema$DeveloperMetadata {
  return {
    metadataId: id,
    metadataKey: key,
    ...(value && { metadataValue: value }),
    location: viewLocation(location),
    visibility,
  }
}

function viewLocation(location: Metadata['location']): Location {
  if (location.type === 'SPREADSHEET') return { locationType: 'SPREADSHEET', spreadsheet: true }
  if (location.type === 'SHEET') return { locationType: 'SHEET', sheetId: location.sheet_id }
  const { type, sheet_id, start, end } = location
  const dimension = type === 'ROW' ? 'ROWS' : 'COLUMNS'
  return {
    locationType: type,
    dimensionRange: { sheetId: sheet_id, dimension, startIndex: start, endIndex: end },
  }
}
