/** Names of the cookies, all with path `/`. */
export const cookies = {
  /** The access token; readable by the page, which sends it as a bearer header. */
  access: 'access_token',
  /** The refresh token; HttpOnly. */
  refresh: 'refresh_token',
  /** Only the refresh token's `exp` claim, in seconds, so that the page can judge it. */
  refresh_expiry: 'refresh_token_exp',
  /** The language that was last used here, for the pages before signing in and for what the server names ahead of a page. */
  language: 'language',
} as const
