/**
 * Names of the cookies of a session, all with path `/`. Over https a browser accepts one whose name begins
 * with `__Host-` from this very host alone, Secure and for all paths: another host of the same domain, or a
 * page over plain http, can set none instead of it.
 */
export const sessionCookies = (protocol: string) => (protocol === 'https:' ? named('__Host-') : named(''))

const named = (prefix: '' | '__Host-') =>
  ({
    /** The access token; readable by the page, which sends it as a bearer header. */
    access: `${prefix}access_token`,
    /** The refresh token; HttpOnly. */
    refresh: `${prefix}refresh_token`,
    /** Only the refresh token's `exp` claim, in seconds, so that the page can judge it. */
    refresh_expiry: `${prefix}refresh_token_exp`,
  }) as const

/**
 * The language that was last used here, for the pages before signing in and for the files that the server
 * names in a page.
 */
export const LANGUAGE_COOKIE = 'language'
