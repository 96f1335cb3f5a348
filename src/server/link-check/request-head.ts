import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A page's status, and where it leads; or why there is none. */
export type Head = { status: number; location: string | null } | 'not_reachable' | 'tls_error'

/** Opens a connection to one of these addresses, and to nothing else. */
export type Dial = (target: { addresses: readonly string[]; port: number }) => Socket

/**
 * Asks for a page at addresses that were checked, and takes no more than the head of the response: the body
 * stays where it is, so that neither its size nor its encoding matters. Nothing of a person or of this
 * installation is sent. It ends with the signal at the latest.
 */
export async function requestHead(
  url: URL,
  { addresses, dial, signal }: { addresses: readonly string[]; dial: Dial; signal: AbortSignal },
): Promise<Head> {
  if (signal.aborted) return 'not_reachable'
  const socket = dial({ addresses, port: portOf(url) })
  // What goes wrong once nobody waits for it any more.
  socket.on('error', () => {})
  let isSecuring = false
  try {
    await once(socket, 'connect', { signal })
    isSecuring = url.protocol === 'https:'
    const stream = isSecuring ? await secured(socket, { host: nameOf(url), signal }) : socket
    isSecuring = false
    return await headOf(url, stream, signal)
  } catch {
    return isSecuring && !signal.aborted ? 'tls_error' : 'not_reachable'
  } finally {
    socket.destroy()
  }
}

export const portOf = ({ protocol, port }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Without the brackets of IPv6. */
export const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

async function secured(socket: Socket, { host, signal }: { host: string; signal: AbortSignal }) {
  const secure = connectTls({
    socket,
    host,
    // An address is no name that a server could be asked for.
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  })
  secure.on('error', () => {})
  await once(secure, 'secureConnect', { signal })
  return secure
}

const MOST_HEAD_BYTES = 64 * 1024

async function headOf(url: URL, stream: Socket, signal: AbortSignal): Promise<Head> {
  const request = httpRequest({
    // Without an agent: no connection is used twice, and no proxy of the environment.
    createConnection: () => stream,
    method: 'GET',
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      'user-agent': 'Mozilla/5.0 (compatible; Sheetcast link check)',
      accept: 'text/html,*/*;q=0.8',
      'accept-encoding': 'identity',
      connection: 'close',
    },
    maxHeaderSize: MOST_HEAD_BYTES,
  })
  request.on('error', () => {})
  request.end()
  const [response]: IncomingMessage[] = await once(request, 'response', { signal })
  const { statusCode: status, headers } = response ?? {}
  return status === undefined ? 'not_reachable' : { status, location: headers?.location ?? null }
}
