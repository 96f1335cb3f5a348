import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, invalid } from './errors.ts'

/** A response before it is written: JSON, or bytes of another type, possibly in pieces. */
export interface HttpResponse {
  status: number
  type: string
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  headers?: Record<string, string>
}

export const JSON_TYPE = 'application/json; charset=UTF-8'

export const json = (body: unknown, status = 200): HttpResponse => ({
  status,
  type: JSON_TYPE,
  chunks: [`${JSON.stringify(body, null, status >= 400 ? 2 : 0)}\n`],
})

const BODY_LIMIT = 10_485_760

/**
 * The body as bytes; null when it is larger than Google takes. The rest of a larger one is read and dropped.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : null
}

/** The body as JSON; `{}` when it is empty, as after `values.clear`. */
export function parseBody(body: Buffer | null): unknown {
  if (body === null) throw invalid(`Request payload size exceeds the limit: ${BODY_LIMIT} bytes.`)
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw badRequest([{ description: `Invalid JSON payload received. ${reason}` }])
  }
}

/** Write a response; `cut` ends it after half of its bytes. */
export async function send(response: ServerResponse, reply: HttpResponse, cut = false) {
  if (response.destroyed) return
  response.writeHead(reply.status, {
    'Content-Type': reply.type,
    'Cache-Control': 'private',
    Vary: 'Origin, X-Origin, Referer',
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
  })
  if (cut) {
    const parts: Buffer[] = []
    for await (const chunk of reply.chunks) parts.push(Buffer.from(chunk))
    const whole = Buffer.concat(parts)
    response.end(whole.subarray(0, Math.floor(whole.length / 2)))
    return
  }
  for await (const chunk of reply.chunks) {
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

const drained = (response: ServerResponse) =>
  new Promise<void>(resolve => {
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
