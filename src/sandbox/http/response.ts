import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

export interface HttpResponse {
  status: number
  type: string
  headers?: Record<string, string>
  body: string
  /** How the body becomes bytes; UTF-8 by default. */
  encoding?: 'utf16le'
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  type: 'application/json; charset=UTF-8',
  headers,
  body: JSON.stringify(value),
})

/**
 * Sends a response, compressed when the client said it can read that. `cut` sends half of it and breaks the
 * connection.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpResponse & { cut?: boolean },
): Promise<void> {
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) && reply.body.length > 1024
  const plain = Buffer.from(reply.body, reply.encoding)
  const bytes = zipped ? await compress(plain, { level: 1 }) : plain
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': bytes.length,
    vary: 'Accept-Encoding',
    ...(zipped && { 'content-encoding': 'gzip' }),
    ...reply.headers,
  })
  if (reply.cut) {
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
    return
  }
  response.end(bytes)
}
