import type { FastifyReply } from 'fastify'

/** Aborted when the asking browser has hung up. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort(new Error('nobody waits any more')))
  return controller.signal
}
