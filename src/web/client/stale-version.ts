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
 * Whether loading a module failed, also one of a part that is loaded later; each browser words the error in
 * its own way.
 */
export const isStaleVersion = (error: unknown): boolean =>
  error instanceof StaleVersion ||
  (error instanceof Error &&
    /dynamically imported module|importing a module script|Unable to preload CSS/i.test(error.message))
