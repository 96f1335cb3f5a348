/**
 * A part of the page could not be loaded: the server has a newer version, whose files have other names, or it
 * cannot be reached.
 */
export class StaleVersion extends Error {
  override name = 'StaleVersion'

  constructor(cause: unknown) {
    super('stale version', { cause })
  }
}

/**
 * Whether it was that, also where a part of a page was loaded later; each browser says it in its own words.
 */
export const isStaleVersion = (error: unknown): boolean =>
  error instanceof StaleVersion ||
  (error instanceof Error &&
    /dynamically imported module|importing a module script|Unable to preload CSS/i.test(error.message))
