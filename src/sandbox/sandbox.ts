import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createClock, type SettableClock } from './clock.ts'
import { handleControl, type Controlled } from './control/control.ts'
import { json, send } from './http/response.ts'
import { KEEP_ALIVE } from './http/keep-alive.ts'
import { createRequestLog, withoutSecrets } from './http/request-log.ts'
import type { Caller } from './oauth/caller.ts'
import { whyRefused } from './http/visitor.ts'
import { createPlatforms } from './platforms.ts'
import { createDataset } from './dataset/dataset.ts'

/** A service with a wire of its own (spreadsheets); answers false when the path is none of its. */
export interface Mounted {
  /** The platform of a path that it answered, for the log. */
  platformOf(path: string): string
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  control: Controlled
  /** Whose token this Authorization header has; null when it gave no such token. */
  login?(authorization: string | undefined): Caller | null
  /** The address is known now. */
  ready?(): void
  close(): void | Promise<void>
}

export interface Sandbox {
  port: number
  origin: string
  clock: SettableClock
  /** Stops taking requests, lets go of all connections, closes the mounted services. */
  stop(): Promise<void>
}

export interface SandboxOptions {
  host?: string
  /** 0 for any that is free. */
  port?: number
  clock?: SettableClock
  /** Makes the services of other files, given the clock and the origin. */
  mount?: (shared: { clock: SettableClock; origin: () => string }) => Mounted[]
}

/** Starts all platforms at one origin. Rejects with EADDRINUSE when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, clock = createClock() } = options
  const log = createRequestLog()
  let origin = ''
  const mounted = options.mount?.({ clock, origin: () => origin }) ?? []
  const login = (authorization: string | undefined) =>
    mounted.map(each => each.login?.(authorization) ?? null).find(caller => caller !== null) ?? null
  const platforms = createPlatforms({ clock, dataset: createDataset({ clock }), login })
  const control = { clock, log, services: [...platforms, ...mounted].map(each => each.control) }

  /** The platform that answered, and the account it was about. */
  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
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

  const server = createServer(KEEP_ALIVE, async (request, response) => {
    const url = urlOf(request)
    const at = new Date(clock.now()).toISOString()
    try {
      const refusal = whyRefused(request)
      if (refusal !== null) return await send(request, response, json(403, { error: refusal }))
      const by = await answer(request, response, url)
      if (!by) return
      const entry = { method: request.method ?? '', path: withoutSecrets(url), status: response.statusCode }
      log.add({ at, platform: by.platform, ...entry, ...(by.account !== null && { account: by.account }) })
    } catch (error) {
      console.error(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('sandbox failed')
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
      for (const each of mounted) await each.close()
    },
  }
}

/** A request target may be anything that is no URL; then it is a path that nobody has. */
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
