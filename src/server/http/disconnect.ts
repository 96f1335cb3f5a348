import type { FastifyReply } from 'fastify'

/** Aborted when the client has disconnected. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the client has disconnected'))
  // It may have done so while the request waited.
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}
