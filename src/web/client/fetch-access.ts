import type { z } from 'zod'
import type { RefreshReply } from '#shared/api/session.ts'
import type { Client } from './http.ts'
import { asProblem, type Problem } from './problem.ts'

/**
 * A new access token for the refresh cookie; null when the server refuses or gives none. Throws when it has
 * not said so.
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
 * Only the server's own word ends a session. One that cannot be reached or is busy may still say yes later;
 * so may the one behind a network that answers in its place, and the one whose answer broke off (some
 * browsers break it off when the page is left).
 */
const isRefusal = ({ code, status }: Problem) =>
  status !== 0 && status !== 429 && status !== 503 && code !== 'unreachable' && code !== 'unreadable'
