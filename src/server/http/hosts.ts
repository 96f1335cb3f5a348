import type { IncomingMessage } from 'node:http'

/** The host names under which requests are served. */
export type Hosts = 'any' | KnownHosts

interface KnownHosts {
  /** Without ports. */
  names: ReadonlySet<string>
  /** Served under any name: load balancers use the address. */
  open_paths: readonly string[]
}

/** Of programs and pages of this machine itself; a port may be mapped to another one, so it is ignored. */
const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * The names under which a product that listens on `host` responds. On loopback: its own alone, else a page
 * whose name resolves to this machine (DNS rebinding) would share the product's origin. Elsewhere proxies use
 * names of their own choice, nginx that of its upstream: any, unless some are configured.
 */
export function hostsOf({ host, public_url, allowed_hosts, metrics_token }: HostSettings): Hosts {
  if (!isLoopback(host) && allowed_hosts === null) return 'any'
  const names = new Set([...OWN_NAMES, new URL(public_url).hostname, ...(allowed_hosts ?? [])])
  if (isLoopback(host)) return { names, open_paths: [] }
  // Without a token, metrics are protected by the address alone, which a rebound page has as well.
  return { names, open_paths: ['/healthz', '/readyz', ...(metrics_token === null ? [] : ['/metrics'])] }
}

interface HostSettings {
  host: string
  public_url: string
  allowed_hosts: readonly string[] | null
  metrics_token: string | null
}

const isLoopback = (host: string) => /^(localhost|::1|127\.\d+\.\d+\.\d+)$/.test(host)

/** Why a request is refused, whatever it requests. */
export function whyWrongHost(
  { rawHeaders, url = '', httpVersion }: IncomingMessage,
  hosts: Hosts,
): 'invalid' | 'wrong_host' | null {
  const hostHeaders = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  )
  // HTTP/1.0 has no such header; a client without it is no browser.
  if (hostHeaders.length > 1 || (hostHeaders.length === 0 && httpVersion !== '1.0')) return 'invalid'
  // A target with a host of its own takes precedence for routers and proxies (RFC 9112, 3.2.2).
  const ofTarget = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]
  const names = [...hostHeaders, ...(ofTarget === undefined ? [] : [ofTarget])].map(nameIn)
  if (names.includes(null)) return 'invalid'
  if (hosts === 'any' || hosts.open_paths.includes(url)) return null
  return names.length > 0 && names.every(name => name !== null && hosts.names.has(name)) ? null : 'wrong_host'
}

/** `Example.com:8080` → `example.com`; null for what is no host: a path, credentials, a list. */
const nameIn = (host: string): string | null => HOST.exec(host)?.[1]?.toLowerCase() ?? null

const HOST = /^(\[[\da-f:.]{2,45}\]|[a-z\d_](?:[\w.-]{0,252}))(?::\d{1,5})?$/i
