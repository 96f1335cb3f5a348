/** The page that a campaign leads to, in the pieces that a link is put together from. */
export interface Landing {
  /** As it was entered, but for the host: a look-alike one is seen as what it is. */
  entered: string
  /** Scheme, host in punycode, port and path. */
  base: string
  /** Between the `&`, as they stand. */
  query: { key: string; text: string }[]
  /** With its #, or empty. */
  hash: string
}

/** Every engine has it; the types of shared code know the language alone. */
declare const URL: new (text: string) => Record<'protocol' | 'host' | 'pathname' | 'search' | 'hash', string>

/** null: no page of the web, or one that the link would sign in to. */
export function readLanding(text: string): Landing | null {
  // The engine would drop line breaks in silence; marks of direction make an address read as another one.
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(text)) return null
  // Engines take https:a.demo and https:\\a.demo, too, and drop a user that is empty.
  const [whole = '', scheme = ''] = /^(https?:\/\/)[^/?#\\@]+(?=[/?#\\]|$)/i.exec(text) ?? []
  if (whole === '') return null
  try {
    const url = new URL(text)
    const query = url.search === '' ? [] : url.search.slice(1).split('&')
    return {
      entered: `${scheme}${url.host}${text.slice(whole.length)}`,
      base: `${url.protocol}//${url.host}${url.pathname}`,
      query: query.map(part => ({ key: keyOf(part), text: part })),
      hash: url.hash,
    }
  } catch {
    return null
  }
}

function keyOf(part: string): string {
  const key = part.split('=', 1)[0] ?? ''
  if (!/[%+]/.test(key)) return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}
