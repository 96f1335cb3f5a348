import type { CheckHop, CheckOutcome } from '#shared/links/check-outcomes.ts'
import { isPublicAddress } from './public-address.ts'
import { nameOf, portOf, requestHead, type Dial, type Head } from './request-head.ts'

export interface FollowEffects {
  /** All addresses of a name; none: it has none, or nobody knows. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>
  dial: Dial
  /** Ends all of it. */
  deadline(): AbortSignal
}

export interface Followed {
  outcome: CheckOutcome
  hops: CheckHop[]
}

const MOST_REDIRECTS = 5

/**
 * Follows a campaign link to its end. Somebody has typed the address: every name on the way is resolved here,
 * all of its addresses must be public, and the connection goes to what was checked (docs/decisions/025).
 */
export async function followLink(link: string, effects: FollowEffects): Promise<Followed> {
  const signal = effects.deadline()
  const hops: CheckHop[] = []
  const first = new URL(link)
  for (let url = first; ;) {
    const visited = await visit(url, { ...effects, signal })
    const status = typeof visited === 'string' ? null : visited.status
    hops.push({ url: url.href.slice(0, LONGEST_URL), status })
    if (typeof visited === 'string') return { outcome: visited, hops }
    if (!isRedirect(visited)) return { outcome: outcomeAt(url, { first, status: visited.status }), hops }
    if (hops.length > MOST_REDIRECTS) return { outcome: 'too_many_redirects', hops }
    const next = URL.parse(visited.location, url)
    if (next === null || !['http:', 'https:'].includes(next.protocol)) {
      hops.push({ url: visited.location.slice(0, LONGEST_URL), status: null })
      return { outcome: 'not_reachable', hops }
    }
    // As browsers do where the redirect has none.
    if (next.hash === '') next.hash = url.hash
    url = withoutUser(next)
  }
}

const LONGEST_URL = 2048

/** The head of a page; or why nothing could be asked of its host, or nothing came back. */
async function visit(
  url: URL,
  { resolve, dial, signal }: Pick<FollowEffects, 'resolve' | 'dial'> & { signal: AbortSignal },
): Promise<Head | 'blocked_address'> {
  if (![80, 443].includes(portOf(url))) return 'blocked_address'
  const addresses = await resolve(nameOf(url), signal)
  if (addresses.length === 0) return 'not_reachable'
  if (!addresses.every(isPublicAddress)) return 'blocked_address'
  return await requestHead(url, { addresses, dial, signal })
}

const REDIRECTS = [301, 302, 303, 307, 308]

const isRedirect = (head: {
  status: number
  location: string | null
}): head is { status: number; location: string } => REDIRECTS.includes(head.status) && head.location !== null

function outcomeAt(last: URL, { first, status }: { first: URL; status: number }): CheckOutcome {
  if (status < 200 || status > 299) return 'http_error'
  const isLost = [...first.searchParams].some(
    ([key, value]) => key.startsWith('utm_') && !last.searchParams.getAll(key).includes(value),
  )
  return isLost ? 'utm_lost' : 'ok'
}

/** Nobody is signed in anywhere, and hops are read by people. */
function withoutUser(url: URL): URL {
  url.username = ''
  url.password = ''
  return url
}
