import type { HostName, Hosts } from './connector.ts'

/** One request to a platform, without its query, headers and body: those hold tokens. */
export interface LoggedRequest {
  /** Whose address it is; `other`: one that a platform has sent us to, such as a finished report's. */
  host: HostName | 'other'
  method: string
  /** Below the platform's address; null for others', whose paths may be keys in themselves. */
  path: string | null
  /** null: no answer came. */
  status: number | null
  /** Until the answer begins. */
  took_ms: number
  /** Of the answer's body on the wire, when the platform says it beforehand. */
  bytes: number | null
}

/** The same `fetch`, and each request is told of when its answer has begun or failed to. */
export function logRequests(
  request: typeof fetch,
  hosts: Hosts,
  tell: (told: LoggedRequest) => void,
): typeof fetch {
  // One address may begin like another: the longer one is meant.
  const names = Object.keys(hosts)
    .filter(name => isHost(name, hosts))
    .toSorted((one, other) => hosts[other].length - hosts[one].length)
  return async (to, init) => {
    const from = performance.now()
    let answer: Response | null = null
    try {
      answer = await request(to, init)
      return answer
    } finally {
      const url = to instanceof Request ? to.url : String(to)
      const host = names.find(name => isBelow(url, hosts[name]))
      tell({
        host: host ?? 'other',
        method: init?.method ?? 'GET',
        path: host ? url.slice(hosts[host].length).replace(/[?#].*/s, '') : null,
        status: answer?.status ?? null,
        took_ms: Math.round(performance.now() - from),
        bytes: sizeOf(answer),
      })
    }
  }
}

/** Not every address that begins like it: the name of somebody else's machine may. */
const isBelow = (url: string, place: string) =>
  url.startsWith(place) && /^$|^[/?#]/.test(url.slice(place.length))

const isHost = (name: string, hosts: Hosts): name is HostName => name in hosts

function sizeOf(answer: Response | null): number | null {
  const text = answer?.headers.get('content-length')
  return text ? Number(text) : null
}
