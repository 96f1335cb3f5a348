import { GOOGLE_ORIGIN, parseSpreadsheetUrl, spreadsheetUrl } from '#shared/spreadsheet-url.ts'

/** The address in what somebody has typed or pasted; the text itself where it has none, or only an id. */
export function addressIn(text: string): string {
  const address = parseSpreadsheetUrl(text, 'any')
  return address === null || address.origin === null ? text.trim() : spreadsheetUrl(address)
}

/**
 * Where a report's spreadsheet opens: in our own viewer when it is one of the built-in ones, else at its URL.
 */
export type SpreadsheetLink = { built_in: string; gid: number | null } | { href: string } | null

/**
 * The tab that was written to, else the one that the URL names. null: no spreadsheet yet, or the URL names
 * none.
 */
export function spreadsheetLink(url: string, sheet_id: number | null = null): SpreadsheetLink {
  const address = parseSpreadsheetUrl(url, 'any')
  if (!address) return null
  const gid = sheet_id ?? address.gid
  if (address.origin !== null && address.origin !== GOOGLE_ORIGIN)
    return { built_in: address.spreadsheet_id, gid }
  return { href: spreadsheetUrl({ ...address, gid }) }
}
