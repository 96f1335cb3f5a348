import type { IncomingMessage } from 'node:http'

/** What requests are answered by the name that they ask under. */
export type Hosts = 'any' | KnownHosts

interface KnownHosts {
  /** Without ports. */
  names: ReadonlySet<string>
  /** Answered under any name: load balancers ask by address. */
  open_paths: readonly string[]
}

/**
 * Of every machine's own programs and pages; a port may be mapped to another one, so that it says nothing.
 */
const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Under which names a product that listens on `host` answers. On loopback: its own alone, else a page whose
 * name a name server points at this machine (DNS rebinding) would be a page of this product. Elsewhere
 * proxies ask under names of their own choice, nginx under that of its upstream: any, unless some are named.
 */
export function hostsOf({ host, public_url, allowed_hosts, metrics_token }: HostSettings): Hosts {
  if (!isLoopback(host) && allowed_hosts === null) return 'any'
  const names = new Set([...OWN_NAMES, new URL(public_url).hostname, ...(allowed_hosts ?? [])])
  if (isLoopback(host)) return { names, open_paths: [] }
  // Without a token, metrics go by the address alone, which is a rebound page's as well.
  return { names, open_paths: ['/healthz', '/readyz', ...(metrics_token === null ? [] : ['/metrics'])] }
}

interface HostSettings {
  host: string
  public_url: string
  allowed_hosts: readonly string[] | null
  metrics_token: string | null
}

const isLoopback = (host: string) => /^(localhost|::1|127\.\d+\.\d+\.\d+)$/.test(host)

/** Why a request is not answered, whatever it asks for. */
export function whyWrongHost(
  { rawHeaders, url = '', httpVersion }: IncomingMessage,
  hosts: Hosts,
): 'invalid' | 'wrong_host' | null {
  const hostHeaders = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  )
  // Before HTTP/1.1 there was no such header; who leaves it out is no browser.
  if (hostHeaders.length > 1 || (hostHeaders.length === 0 && httpVersion !== '1.0')) return 'invalid'
  // A target with a host of its own is what counts for routers and proxies (RFC 9112, 3.2.2).
  const ofTarget = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]
  const names = [...hostHeaders, ...(ofTarget === undefined ? [] : [ofTarget])].map(nameIn)
  if (names.includes(null)) return 'invalid'
  if (hosts === 'any' || hosts.open_paths.includes(url)) return null
  return names.length > 0 && names.every(name => name !== null && hosts.names.has(name)) ? null : 'wrong_host'
}

/** `Example.com:8080` → `example.com`; null for what is no host: a path, a login, a list. */
const nameIn = (host: string): string | null => HOST.exec(host)?.[1]?.toLowerCase() ?? null

const HOST = /^(\[[\da-f:.]{2,45}\]|[a-z\d_](?:[\w.-]{0,252}))(?::\d{1,5})?$/i
