import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'

/**
 * Where a report's spreadsheet opens: in our own viewer when it is one of the built-in ones, else at its URL.
 */
export type SpreadsheetLink = { built_in: string; gid: number | null } | { href: string } | null

/**
 * The tab that was written to, else the one that the URL names. null: no spreadsheet yet, or the URL names
 * none.
 */
export function spreadsheetLink(url: string, sheet_id: number | null = null): SpreadsheetLink {
  const origin = URL.canParse(url) ? new URL(url).origin : null
  const address = parseSpreadsheetUrl(url, origin === null ? [] : [origin])
  if (!address) return null
  const tab = sheet_id ?? address.gid
  const isGoogle = origin === null || /(^|\.)google\.com$/.test(new URL(url).hostname)
  if (!isGoogle) return { built_in: address.spreadsheet_id, gid: tab }
  const gid = tab === null ? '' : `#gid=${tab}`
  return { href: `https://docs.google.com/spreadsheets/d/${address.spreadsheet_id}/edit${gid}` }
}
