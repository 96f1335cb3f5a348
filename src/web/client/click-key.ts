/** The idempotency key of one click. Not randomUUID, which exists only on https and localhost. */
export const clickKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('')
