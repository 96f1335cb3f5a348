/**
 * The path of this site that `redirect` names, or null when it could lead anywhere else: it starts with one
 * `/` and has no `//`, no backslash and no control character (browsers drop tabs and newlines before they
 * read an address, so `/<tab>/evil` would be `//evil`).
 */
export function sitePath(redirect: unknown): string | null {
  if (typeof redirect !== 'string' || redirect.length > 2000) return null
  if (!redirect.startsWith('/') || redirect.includes('//') || redirect.includes('\\')) return null
  for (const character of redirect) {
    const code = character.codePointAt(0) ?? 0
    if (code <= 0x20 || code === 0x7f) return null
  }
  return redirect
}
