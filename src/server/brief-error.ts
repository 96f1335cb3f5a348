/**
 * Of an error only what helps to find its place: a driver hangs its whole connection on an error, and with it what no log may hold.
 */
export function briefError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(cause !== undefined && { cause: briefError(cause) }),
  }
}
