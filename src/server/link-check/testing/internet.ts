import { createServer, type RequestListener } from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import { followLink, type Followed } from '../follow-link.ts'
import type { Certificate } from './certificate.ts'

/** A public address, by its number; who dials it gets a server of this process. */
export const PUBLIC = '93.184.215.14'

interface Site {
  /** What its name resolves to, one after the other; the last stays. */
  addresses?: string[][]
  handle?: RequestListener
  /** Instead of `handle`: whatever comes over the connection. */
  speak?: (socket: Socket) => void
  certificate?: Certificate
}

export interface Internet {
  follow(link: string): Promise<Followed>
  /** Where connections went. */
  dialled: { address: string; port: number }[]
  /** Names that were resolved. */
  resolved: string[]
  /** Ends the time that a check may take. */
  timeIsUp(): void
}

/**
 * An internet of a few sites by host name. Everything is as in production but for what names resolve to, and
 * which server stands behind a public address. An address that is not public has a server too: it would
 * answer, if anybody asked it.
 */
export async function internet(sites: Record<string, Site>): Promise<Internet & AsyncDisposable> {
  const servers = new Map<string, number>()
  const open: Server[] = []
  const deadline = new AbortController()
  const [dialled, resolved]: [Internet['dialled'], string[]] = [[], []]
  for (const [name, { handle = reply(200), speak, certificate }] of Object.entries(sites)) {
    const server = speak
      ? createTcpServer(speak)
      : certificate
        ? createTlsServer(certificate, handle)
        : createServer(handle)
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push(server)
    servers.set(name, portOf(server))
  }
  let current = ''
  const left = new Map(
    Object.entries(sites).map(([name, { addresses = [[PUBLIC]] }]) => [name, [...addresses]]),
  )
  return {
    dialled,
    resolved,
    timeIsUp: () => deadline.abort(),
    follow: link =>
      followLink(link, {
        async resolve(name) {
          resolved.push(name)
          current = name
          const answers = left.get(name)
          if (!answers) return /^[\d.]+$|:/.test(name) ? [name] : []
          return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
        },
        dial({ addresses, port }) {
          dialled.push(...addresses.map(address => ({ address, port })))
          return connect({ host: '127.0.0.1', port: servers.get(current) ?? 1 })
        },
        deadline: () => deadline.signal,
      }),
    async [Symbol.asyncDispose]() {
      deadline.abort()
      for (const server of open) {
        if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
          server.closeAllConnections()
        server.close()
      }
    },
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

export const reply =
  (status: number, headers: Record<string, string | string[]> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end('<p>Autumn</p>')
  }

export const redirect = (location: string, status = 302) => reply(status, { location })
