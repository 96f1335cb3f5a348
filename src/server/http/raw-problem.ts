import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DATA_POLICY, securityHeaders } from './headers.ts'

/** A response that has begun cannot become another one. */
export function endLate(socket: Socket, hasBegun: boolean) {
  if (hasBegun) socket.destroy()
  else respondToMalformed(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

/** Bytes that are no HTTP, and requests that do not end. */
export function respondToMalformed(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, title, headers, body } = plainProblem(
    ...(malformed[error.code ?? ''] ?? [400, 'Bad Request']),
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
}

const malformed: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

/** Of the expectations of a request, only 100-continue is supported. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse) {
  const { status, headers, body } = plainProblem(417, 'Expectation Failed')
  response.writeHead(status, headers).end(body)
}

/** Responses that are sent before there is a request. */
function plainProblem(status: number, title: string) {
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'invalid', detail: title })
  const headers = {
    ...securityHeaders,
    'content-security-policy': DATA_POLICY,
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    connection: 'close',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status, title, headers, body }
}
