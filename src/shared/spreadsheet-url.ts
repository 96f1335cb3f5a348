/** What the address of a spreadsheet says: its id, and the tab's when it names one. */
export interface SpreadsheetAddress {
  spreadsheet_id: string
  gid: number | null
}

// Uploaded Office files have the shortest ids, about 33 characters; nothing shorter than 20 is one.
const ID = '[A-Za-z0-9_-]{20,200}'
const BARE_ID = new RegExp(`^${ID}$`)
const ADDRESS = /^(https?:\/\/[a-z0-9.:[\]-]+)(\/[^?#\\]*)?(\?[^#\\]*)?(#[^\\]*)?$/i
const HOSTS = ['docs.google.com', 'drive.google.com', 'sheets.google.com']
const PUBLISHED = /\/d\/e\//
const PATHS = [
  new RegExp(`^(?:/a/[^/]+)?/spreadsheets(?:/u/\\d+)?/d/(${ID})(?:/|$)`),
  new RegExp(`^(?:/a/[^/]+)?/file(?:/u/\\d+)?/d/(${ID})(?:/|$)`),
  // The product's own viewer.
  new RegExp(`^/sheets/(${ID})(?:/|$)`),
]
const QUERIES = [new RegExp(`[?&]key=(${ID})(?:&|$)`), new RegExp(`[?&]id=(${ID})(?:&|$)`)]
const GID = /[#&?]gid=(\d{1,10})(?![\w])/
const MAX_GID = 2 ** 31 - 1

/**
 * Takes the id from a URL of a spreadsheet in any of the forms that people paste, or a bare id; null when it
 * is none. `moreOrigins` (scheme, host, port) are accepted beside Google's. The URL is only parsed, never
 * fetched.
 */
export function parseSpreadsheetUrl(
  text: string,
  moreOrigins: readonly string[] = [],
): SpreadsheetAddress | null {
  const trimmed = text.trim()
  if (BARE_ID.test(trimmed)) return { spreadsheet_id: trimmed, gid: null }
  const [, origin = '', path = '', query = '', fragment = ''] = ADDRESS.exec(trimmed) ?? []
  // A published link carries another id, which opens nothing.
  if (!isAccepted(origin.toLowerCase(), moreOrigins) || PUBLISHED.test(path)) return null
  const spreadsheet_id = firstMatch(PATHS, path) ?? firstMatch(QUERIES, query)
  return spreadsheet_id === null ? null : { spreadsheet_id, gid: gidOf(query + fragment) }
}

const isAccepted = (origin: string, moreOrigins: readonly string[]) =>
  HOSTS.includes(origin.replace(/^https?:\/\//, '')) ||
  moreOrigins.some(more => more.toLowerCase().replace(/\/$/, '') === origin)

function firstMatch(patterns: RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const id = pattern.exec(text)?.[1]
    if (id !== undefined) return id
  }
  return null
}

function gidOf(text: string): number | null {
  const gid = Number(GID.exec(text)?.[1] ?? NaN)
  return gid <= MAX_GID ? gid : null
}
