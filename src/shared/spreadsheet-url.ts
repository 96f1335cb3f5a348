/** What the address of a spreadsheet says: its id, and the tab's when it names one. */
export interface SpreadsheetAddress {
  spreadsheet_id: string
  gid: number | null
  /** Scheme, host and port of the service that it is an address of; null: a bare id, which names none. */
  origin: string | null
}

export const GOOGLE_ORIGIN = 'https://docs.google.com'

// Uploaded Office files have the shortest ids, about 33 characters; nothing shorter than 20 is one.
const ID = '[A-Za-z0-9_-]{20,200}'
const BARE_ID = new RegExp(`^${ID}$`)
const ADDRESS = /^(?:(https?):\/\/)?([a-z0-9.:[\]-]+)(\/[^?#\\]*)?(\?[^#\\]*)?(#[^\\]*)?$/i
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

/** What people and programs put around an address that they paste: brackets and quotes of any kind. */
const AROUND = /[\s\u200B-\u200D\u2060\uFEFF<>()"'`“”‘’«»‹›「」『』《》〈〉（）【】]+/u
const PUNCTUATION = /^\[(?!:)|[.,;:!?、。，；：！？…\]]+$/gu

/**
 * Takes the id from a URL of a spreadsheet in any of the forms that people paste, or a bare id; null when it
 * is none, or several. `moreOrigins` (scheme, host, port) are accepted beside Google's; `any`: each one is.
 * The URL is only parsed, never fetched.
 */
export function parseSpreadsheetUrl(
  text: string,
  moreOrigins: readonly string[] | 'any' = [],
): SpreadsheetAddress | null {
  const words = text
    .split(AROUND)
    .map(word => word.replace(PUNCTUATION, ''))
    .filter(word => word !== '')
  const [first, ...others] = words
  if (first !== undefined && others.length === 0 && BARE_ID.test(first))
    return { spreadsheet_id: first, gid: null, origin: null }
  const found = words.flatMap(word => readAddress(word, moreOrigins) ?? [])
  return found.length > 0 ? onlyOne(found) : unwrapped(text, moreOrigins)
}

/** The address as the browser shows it in its shortest form; of a bare id as one of `origin`. */
export function spreadsheetUrl(
  { spreadsheet_id, gid, origin }: SpreadsheetAddress,
  service: string = GOOGLE_ORIGIN,
): string {
  const tab = gid === null ? '' : `#gid=${gid}`
  return `${origin ?? service}/spreadsheets/d/${spreadsheet_id}/edit${tab}`
}

function onlyOne([first, ...others]: SpreadsheetAddress[]): SpreadsheetAddress | null {
  const isSame = others.every(other => other.spreadsheet_id === first?.spreadsheet_id)
  return first !== undefined && isSame ? first : null
}

/** An address that an e-mail program has broken into lines; not within the id, whose end would be a guess. */
function unwrapped(text: string, moreOrigins: readonly string[] | 'any'): SpreadsheetAddress | null {
  const address = readAddress(text.replaceAll(/\s+/g, ''), moreOrigins)
  return address !== null && text.includes(address.spreadsheet_id) ? address : null
}

function readAddress(text: string, moreOrigins: readonly string[] | 'any'): SpreadsheetAddress | null {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] = ADDRESS.exec(text) ?? []
  const origin = originOf(scheme.toLowerCase(), host.toLowerCase(), moreOrigins)
  // A published link carries another id, which opens nothing.
  if (origin === null || PUBLISHED.test(path)) return null
  const id = firstMatch(PATHS, path) ?? firstMatch(QUERIES, query)
  return id === null ? null : { spreadsheet_id: id, gid: gidOf(query + fragment), origin }
}

/** An address may have been copied without its scheme. null: not accepted. */
function originOf(scheme: string, host: string, moreOrigins: readonly string[] | 'any'): string | null {
  if (HOSTS.includes(host)) return GOOGLE_ORIGIN
  if (moreOrigins === 'any') return scheme === '' || host === '' ? null : `${scheme}://${host}`
  const accepted = moreOrigins.map(more => more.toLowerCase().replace(/\/$/, ''))
  return (
    accepted.find(more => (scheme === '' ? more.split('://')[1] === host : more === `${scheme}://${host}`)) ??
    null
  )
}

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
