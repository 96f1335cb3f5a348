import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createClock, type SettableClock } from './clock.ts'
import { handleControl, type Controlled } from './control/control.ts'
import { json, send } from './http/response.ts'
import { KEEP_ALIVE } from './http/keep-alive.ts'
import { createRequestLog, withoutSecrets } from './http/request-log.ts'
import type { Caller } from './oauth/caller.ts'
import { type Memory, openMemory } from './memory.ts'
import { createGrants, type Grants } from './oauth/grants.ts'
import { createPlatforms } from './platforms.ts'
import { createDataset } from './dataset/dataset.ts'
import type { Handled } from './platform.ts'

/** Meta's client sends the people whom it removes in the address: Node's 16 kB hold 200 of them. */
const LONGEST_HEAD = 1024 * 1024

/** A service with a wire of its own (spreadsheets); returns false when the path is not its own. */
export interface Mounted {
  /** The platform of a handled path, for the log. */
  platformOf(path: string): string
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  control: Controlled
  /** The login of the token in this Authorization header; null when it did not issue the token. */
  login?(authorization: string | undefined): Caller | null
  /** The address is known now. */
  ready?(): void
  close(): void | Promise<void>
}

export interface Sandbox {
  port: number
  origin: string
  clock: SettableClock
  /** Stops accepting requests, closes all connections and the mounted services. */
  stop(): Promise<void>
}

export interface SandboxOptions {
  host?: string
  /** 0 for any that is free. */
  port?: number
  clock?: SettableClock
  /** What people have agreed to; by default nothing yet. */
  grants?: Grants
  /** What platforms had before a restart; by default nothing, and nothing is stored. */
  memory?: Memory
  /** Makes the services of other files, given the clock, the origin and the consents. */
  mount?: (shared: { clock: SettableClock; origin: () => string; grants: Grants }) => Mounted[]
}

/** Starts all platforms at one origin. Rejects with EADDRINUSE when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, clock = createClock() } = options
  const { grants = createGrants(), memory = openMemory() } = options
  const log = createRequestLog()
  let origin = ''
  const mounted = options.mount?.({ clock, origin: () => origin, grants }) ?? []
  const login = (authorization: string | undefined) =>
    mounted.map(each => each.login?.(authorization) ?? null).find(caller => caller !== null) ?? null
  const platforms = createPlatforms({ clock, dataset: createDataset({ clock }), login, grants })
  for (const { name, remembered } of platforms) if (remembered) memory.attach(name, remembered)
  const control = { clock, log, grants, services: [...platforms, ...mounted].map(each => each.control) }

  /** The platform that responded, and the account of the request. */
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<(Handled & { platform: string }) | null> => {
    if (/^\/control(\/|$)/.test(url.pathname)) {
      await send(request, response, await handleControl(request, url.pathname, control))
      return null
    }
    const platform = platforms.find(each => each.owns(url.pathname))
    if (platform) return { platform: platform.name, ...(await platform.handle(request, response, url)) }
    for (const service of mounted) {
      if (await service.handle(request, response))
        return { platform: service.platformOf(url.pathname), account: null }
    }
    await send(
      request,
      response,
      json(404, { error: { code: 404, message: `no platform answers ${url.pathname}` } }),
    )
    return { platform: 'none', account: null }
  }

  const server = createServer({ ...KEEP_ALIVE, maxHeaderSize: LONGEST_HEAD }, async (request, response) => {
    const url = urlOf(request)
    const at = new Date(clock.now()).toISOString()
    try {
      const refusal = whyRefused(request)
      if (refusal !== null) return await send(request, response, json(403, { error: refusal }))
      const by = await handle(request, response, url)
      if (!by) return
      const entry = { method: request.method ?? '', path: withoutSecrets(url), status: response.statusCode }
      const { platform, account, counts } = by
      log.add({ at, platform, ...entry, ...(account !== null && { account }), ...(counts && { counts }) })
    } catch (error) {
      console.error(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('sandbox failed')
    } finally {
      if (request.method !== 'GET') memory.touch()
    }
  })
  const bound = await listen(server, { host, port })
  origin = `http://${host}:${bound}`
  for (const service of mounted) service.ready?.()
  return {
    port: bound,
    origin,
    clock,
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      memory.close()
      for (const each of mounted) await each.close()
    },
  }
}

/**
 * Why a request is refused before any routing; null when it is not. The sandbox's people are named, not
 * authenticated, so only programs and pages of this machine may talk to it: no other machine, no name that a
 * name server points here (a page of that name would pass for the sandbox's own), no page of another site.
 */
function whyRefused({ headers, socket }: IncomingMessage): string | null {
  const { host = '', origin } = headers
  if (!/^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '')) return 'loopback only'
  if (!/^(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/i.test(host)) return 'loopback hosts only'
  // Browsers send the origin of what another page's script or form sends …
  if (origin !== undefined && origin !== `http://${host}`) return 'same origin only'
  // … and of what it merely loads, as a picture, a script or a frame. A link may lead here.
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const isForeign = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'] ?? ''))
  return isForeign && !isLink ? 'same origin only' : null
}

/** A request target may be anything that is no URL; then it is a path of no service. */
function urlOf(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://sandbox.invalid') ?? new URL('http://sandbox.invalid/bad')
}

async function listen(server: Server, at: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
