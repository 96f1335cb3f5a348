import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Ends requests whose bodies take too long to arrive. */
export interface Arrivals {
  /** This body may take longer, as long as it goes on: a file. */
  expectFile(request: IncomingMessage): void
}

/**
 * The limit of Node is one for all requests, so it is that of the largest file on a slow line; the others
 * have `request_ms` from here. A file has to go on at a pace within each such time, while it is being read:
 * it may wait for its turn.
 */
export function watchArrivals(
  server: Server,
  { request_ms, endLate }: { request_ms: number; endLate: (socket: Socket, hasBegun: boolean) => void },
): Arrivals {
  const files = new WeakSet<IncomingMessage>()
  const leastBytes = (request_ms / 1000) * LEAST_BYTES_A_SECOND

  function watch(request: IncomingMessage, response: ServerResponse) {
    if (!hasBody(request)) return
    let before = request.socket.bytesRead
    // After a pause of this process first what has arrived meanwhile is read.
    const timer = setTimeout(() => setImmediate(endOrGoOn), request_ms)
    function endOrGoOn() {
      if (request.complete || request.destroyed) return
      const arrived = request.socket.bytesRead - before
      before += arrived
      const mayGoOn = files.has(request) && (arrived >= leastBytes || request.readableFlowing !== true)
      if (mayGoOn) timer.refresh()
      else endLate(request.socket, response.headersSent)
    }
    request.once('close', () => clearTimeout(timer))
  }

  server.prependListener('request', watch)
  return { expectFile: request => void files.add(request) }
}

/** A slow telephone sends and reads ten times as much. */
export const LEAST_BYTES_A_SECOND = 8 * 1024

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
