import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpResponse, send } from '#sandbox/http/response.ts'

/** A response that may be a file. */
export type Reply = Omit<HttpResponse, 'body'> & { body: string | Buffer }

/** Sends it; `cut` breaks the connection halfway, `malformed` ends halfway as if that were all. */
export async function deliver(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply & { cut: boolean; malformed: boolean },
): Promise<void> {
  const { body, malformed, ...rest } = reply
  const half = Math.ceil(body.length / 2)
  if (typeof body === 'string') {
    await send(request, response, { ...rest, body: malformed ? body.slice(0, half) : body })
    return
  }
  const bytes = malformed ? body.subarray(0, half) : body
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': bytes.length,
    ...reply.headers,
  })
  if (reply.cut) response.write(bytes.subarray(0, half), () => response.destroy())
  else response.end(bytes)
}
