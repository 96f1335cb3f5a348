import type { FastifyReply } from 'fastify'

/** Aborted when the client has disconnected. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort(new Error('the client has disconnected')))
  return controller.signal
}
