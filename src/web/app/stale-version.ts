/** A part of the page could not be loaded: most likely the server has a newer version, whose files have other names. */
export class StaleVersion extends Error {
  override name = 'StaleVersion'

  constructor(cause: unknown) {
    super('stale version', { cause })
  }
}
