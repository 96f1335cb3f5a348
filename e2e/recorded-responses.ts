import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Request } from 'playwright-core'

const FILE = join(import.meta.dirname, 'snapshots/answers.json')

interface RecordedResponse {
  status: number
  type: string
  body: string
}

/**
 * Recorded responses of the server, and when: pages that are rendered from them look the same on every day
 * and on every machine.
 */
export interface RecordedResponses {
  now: string
  answers: Record<string, RecordedResponse>
}

export const readResponses = (): RecordedResponses =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { now: '', answers: {} }

export function writeResponses({ now, answers }: RecordedResponses) {
  const sorted = Object.fromEntries(Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify({ now, answers: sorted }, null, 1)}\n`)
}

const OWN = /^\/(api|users)\//

/**
 * Serves these responses to the pages of a context instead of the server's; with `product` it requests and
 * records them.
 */
export async function serveResponses(
  context: BrowserContext,
  { answers }: RecordedResponses,
  { language, product }: { language: string; product: string | null },
) {
  await context.route(
    url => OWN.test(url.pathname),
    async route => {
      const request = route.request()
      if (request.headers().accept?.includes('text/event-stream') || request.url().includes('/events'))
        return await route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' })
      const key = keyOf(request)
      if (product !== null) {
        const response = await route.fetch({
          url: product + new URL(request.url()).pathname + new URL(request.url()).search,
        })
        answers[key] = {
          status: response.status(),
          type: response.headers()['content-type'] ?? '',
          body: anonymous(await response.text()),
        }
      }
      const response = answers[key] ?? { status: 404, type: 'application/json', body: '{"code":"not_found"}' }
      const body = key.endsWith('/users/identity/') ? speaking(response.body, language) : response.body
      await route.fulfill({ status: response.status, contentType: response.type, body })
    },
  )
}

/** The method and URL of the request, and its language. */
function keyOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  return [request.method(), pathname + search, request.postData() ?? ''].join(' ').trim()
}

/** Without the random port of the sandbox. */
const anonymous = (body: string) => body.replaceAll(/(localhost|127\.0\.0\.1):\d{4,5}/g, '$1:4000')

const speaking = (body: string, language: string) =>
  JSON.stringify({ ...JSON.parse(body), language, theme: 'auto' })
