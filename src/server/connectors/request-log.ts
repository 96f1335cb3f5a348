import type { HostName, Hosts, PlatformFetch } from './connector.ts'

/** One request to a platform, without its query, headers and body: those hold tokens. */
export interface LoggedRequest {
  /** Whose address it is; `other`: one that a platform has referred to, such as a finished report's. */
  host: HostName | 'other'
  method: string
  /** Below the platform's address; null for others', whose paths may be keys in themselves. */
  path: string | null
  /** null: no response came. */
  status: number | null
  /** Until the response begins. */
  took_ms: number
  /** Of the response's body on the wire, when the platform says it beforehand. */
  bytes: number | null
}

/** The same `fetch`, and each request is logged when its response has begun or failed to. */
export function logRequests(
  request: PlatformFetch,
  hosts: Hosts,
  log: (request: LoggedRequest) => void,
): PlatformFetch {
  // One address may begin like another: the longer one is meant.
  const names = Object.keys(hosts)
    .filter(name => isHost(name, hosts))
    .toSorted((one, other) => hosts[other].length - hosts[one].length)
  return async (to, init, own) => {
    const from = performance.now()
    let response: Response | null = null
    try {
      response = await request(to, init, own)
      return response
    } finally {
      const url = to instanceof Request ? to.url : String(to)
      // The sandbox has one address for all platforms, and so has a proxy.
      const known = own ? names.filter(name => own.includes(name)) : names
      const host = known.find(name => isBelow(url, hosts[name]))
      log({
        host: host ?? 'other',
        method: init?.method ?? 'GET',
        path: host ? url.slice(hosts[host].length).replace(/[?#].*/s, '') : null,
        status: response?.status ?? null,
        took_ms: Math.round(performance.now() - from),
        bytes: sizeOf(response),
      })
    }
  }
}

/** Not every address that begins like it: the name of another machine may. */
const isBelow = (url: string, origin: string) =>
  url.startsWith(origin) && /^$|^[/?#]/.test(url.slice(origin.length))

const isHost = (name: string, hosts: Hosts): name is HostName => name in hosts

function sizeOf(response: Response | null): number | null {
  const text = response?.headers.get('content-length')
  return text ? Number(text) : null
}
