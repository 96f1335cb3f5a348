/**
 * The fields of an error that help to locate it: a driver attaches its whole connection to an error, and with
 * it what no log may hold.
 */
export function errorSummary(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(cause !== undefined && { cause: errorSummary(cause) }),
  }
}
