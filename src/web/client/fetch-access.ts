import type { z } from 'zod'
import type { RefreshReply } from '#shared/api/session.ts'
import type { Client } from './http.ts'
import { asProblem, type Problem } from './problem.ts'

/**
 * A new access token for the refresh cookie; null when the server refuses or gives none. Throws when the
 * server's decision is unknown.
 */
export async function fetchAccess(client: Pick<Client, 'anonymous'>): Promise<string | null> {
  try {
    const pair = await client.anonymous<Partial<z.infer<typeof RefreshReply>>>(
      'POST',
      '/api/token/refresh/',
      { body: {} },
    )
    return pair.access ?? null
  } catch (error) {
    const problem = asProblem(error)
    if (!isRefusal(problem)) throw problem
    return null
  }
}

/**
 * Only an explicit refusal by the server ends a session. A server that is unreachable or busy may accept the
 * token later; so may one behind a network that intercepts requests (captive portal), and one whose response
 * was cut off (some browsers cut it off when the page is left).
 */
const isRefusal = ({ code, status }: Problem) =>
  status !== 0 && status !== 429 && status !== 503 && code !== 'unreachable' && code !== 'unreadable'
