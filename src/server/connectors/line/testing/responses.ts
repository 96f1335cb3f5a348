import { sourceOf, type Source, type ConnectorContext } from '#server/connectors/connector.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { line } from '#server/connectors/line/report.ts'
import { NOW } from './sandbox.ts'

// A server of our own, for responses that the sandbox does not give.

export const SECRET = 'kept-secret'

export interface SentRequest {
  method: string
  path: string
  body: string
}
export type HttpResponse = { status?: number; headers?: Record<string, string>; body: string | Buffer }

/** Responds to every request, and records it. */
export async function serving(
  answer: (request: SentRequest) => HttpResponse,
): Promise<{ source: Source; context: ConnectorContext; requests: SentRequest[] }> {
  const requests: SentRequest[] = []
  const origin = await startServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const each = { method: incoming.method ?? '', path: incoming.url ?? '', body }
    requests.push(each)
    const { status = 200, headers = {}, body: text } = answer(each)
    response.writeHead(status, headers).end(text)
  })
  const context = testContext(origin, NOW)
  const source = sourceOf(line, { access_key: 'key', secret_key: SECRET, group_ids: 'G1' })
  return { source, context, requests }
}

/** A page of a list. */
export const listOf = (
  datas: unknown[],
  totalElements = datas.length,
  size = 100,
  page = 1,
): HttpResponse => ({
  body: JSON.stringify({ paging: { page, size, totalElements }, datas }),
})
