/** The value of a cookie in `document.cookie`'s form; null when it is missing or empty. */
export function readCookie(jar: string, name: string): string | null {
  for (const pair of jar.split('; ')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at) === name) return decode(pair.slice(at + 1)) || null
  }
  return null
}

/**
 * What to assign to `document.cookie` so that the cookie is gone. A browser writes one with a prefix only
 * where it says Secure.
 */
export const expiredCookie = (name: string) =>
  `${name}=; path=/; max-age=0; samesite=strict${name.startsWith('__Host-') ? '; secure' : ''}`

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
