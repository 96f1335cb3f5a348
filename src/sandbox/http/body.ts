import type { IncomingMessage } from 'node:http'

const BODY_LIMIT = 10 * 1024 * 1024

/** The bytes of a request body; null when there are more than the limit. */
export async function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
