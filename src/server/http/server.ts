import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { Problem } from '#shared/api/problem.ts'
import type { Db } from '#server/db/connect.ts'
import type { Effects } from './effects.ts'
import { watchArrivals, type Arrivals } from './arrivals.ts'
import { acceptForms, acceptJson, acceptYaml, leaveForms, MAX_BODY } from './bodies.ts'
import { MOST_AT_ONCE, MOST_CONNECTIONS, openCapacity, type Capacity, type RequestSlot } from './capacity.ts'
import { startHeaders } from './headers.ts'
import { allHold, registerHealth, type HealthChecks } from './health.ts'
import { whyWrongHost, type Hosts } from './hosts.ts'
import { registerDocs } from './docs.ts'
import { sendProblem } from './problem.ts'
import { endLate, refuseExpectation, respondToMalformed } from './raw-problem.ts'
import { refuse } from './refusal.ts'
import type { Route } from './route.ts'
import { readBearer } from './session.ts'
import type { PageDrawing } from './draw-pages.ts'
import { registerWeb } from './web.ts'
import { withDatabaseTimeout } from './database-timeout.ts'

export interface ServerOptions {
  db: Db
  effects: Effects
  routes: readonly Route[]
  checks: HealthChecks
  /** What `/metrics` reports beside requests and the process. */
  registerMetrics?: (registry: Registry) => void
  now: () => Date
  log: FastifyBaseLogger | false
  /** The built web part; null when there is none. */
  web_dir: string | null
  /** Draws its pages; left out: browsers do. */
  pages?: PageDrawing
  /** How many proxies are in front; their statement of the client's address is trusted. */
  trust_proxy?: number
  /** The host names that it is reached under; left out: any. */
  hosts?: Hosts
  /** How long a request may take to arrive, its body included; a file only has to go on meanwhile. */
  request_ms?: number
  /** How long connections may take to end by themselves when the process shuts down. */
  drain_ms?: number
  /** Requests are shed above this; 0: never. */
  max_event_loop_delay_ms?: number | undefined
  /** Requests that are worked on at once; any more are shed. */
  most_at_once?: number
  most_connections?: number
  /** false: the database has no role in which rows are read for people, see db/reader.ts. */
  has_reader?: boolean
}

/** Everything that serves HTTP, not yet listening. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { request_ms = REQUEST_MS, hosts = 'any' } = options
  const { most_at_once = MOST_AT_ONCE, most_connections = MOST_CONNECTIONS } = options
  const capacity = openCapacity(most_at_once)
  const app = fastify({
    ...(options.log === false ? { logger: false } : { loggerInstance: options.log }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    // Of the slowest; arrivals.ts ends the others.
    requestTimeout: Math.max(UPLOAD_MS, request_ms),
    http: {
      // Node's own wait twice as long: it checks for late requests every 30 seconds.
      connectionsCheckingInterval: Math.min(1000, request_ms),
      headersTimeout: request_ms,
      // Refused by `whyWrongHost`, with our headers.
      requireHostHeader: false,
    },
    trustProxy: (_address, hop) => hop < (options.trust_proxy ?? 0),
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    // What arrives while the last requests are finished is finished too.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      startHeaders(reply, request.id)
      const wrong = whyWrongHost(request.raw, hosts)
      sendProblem(wrong ? refuse(wrong) : error, request, reply)
    },
    clientErrorHandler: respondToMalformed,
  })
  app.setErrorHandler(sendProblem)
  // Routes read their own input, once the client is authenticated: otherwise an anonymous one would learn
  // what is wrong with a body.
  app.setValidatorCompiler(() => value => ({ value }))
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('onRequest', async (request, reply) => {
    startHeaders(reply, request.id)
    const wrong = whyWrongHost(request.raw, hosts)
    if (wrong) throw refuse(wrong)
  })
  app.addHook('onResponse', async (request, reply) => logResponse(request, reply))
  acceptJson(app)
  acceptYaml(app)
  acceptForms(app)
  const arrivals = watchArrivals(app.server, { request_ms, endLate })
  app.server.on('checkExpectation', refuseExpectation)
  app.server.maxConnections = most_connections
  closeConnections(app, options.drain_ms ?? 0)

  await app.register(cookie)
  registerHealth(app, { ...options, capacity })
  await app.register(async api => {
    // Before any work for a request, such as reading its body or its token.
    api.addHook('onRequest', async () => capacity.refuseWhenFull())
    const { max_event_loop_delay_ms = 1000 } = options
    if (max_event_loop_delay_ms > 0)
      await api.register(underPressure, {
        maxEventLoopDelay: max_event_loop_delay_ms,
        pressureHandler: (request, reply) => void sendProblem(refuse('overloaded'), request, reply),
      })
    await registerDocs(api, options.routes)
    for (const route of options.routes) void registerRoute(api, route, { ...options, capacity, arrivals })
  })
  await registerWeb(
    app,
    options.web_dir,
    options.pages && { ...options.pages, site: options.effects.settings },
  )
  return app
}

/**
 * During shutdown each response closes its connection. A kept-alive connection without a request would delay
 * the shutdown until its idle timeout; and one that was busy when the shutdown began is idle only later, so
 * idle ones are closed again and again.
 */
function closeConnections(app: FastifyInstance, drainMs: number) {
  app.addHook('preClose', async () => {
    await sleep(drainMs)
    const timer = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(timer))
  })
}

/**
 * Routes for people who are not signed in: a name, a password and a code, a token, a link. Reading a megabyte
 * of made-up fields takes a twentieth of a second.
 */
const MAX_PUBLIC_BODY = 16 * 1024
/** For a request that trickles in; nothing but files takes long to send. */
export const REQUEST_MS = 30_000
/** For a file of 50 MB at 0.7 Mbit/s. */
export const UPLOAD_MS = 600_000

function registerRoute(
  app: FastifyInstance,
  route: Route,
  {
    db,
    effects,
    checks,
    now,
    capacity,
    arrivals,
    has_reader = true,
  }: ServerOptions & { capacity: Capacity; arrivals: Arrivals },
) {
  const { params, query, body, streams_form, reply: schema, summary, alias } = route.facts
  const { status = schema ? 200 : 204, also_status } = route.facts

  async function respondTo(request: FastifyRequest, reply: FastifyReply, slot: RequestSlot) {
    const at = now()
    const claims = await readBearer(request, effects.tokens, at)
    return await route.respond({ db, now: at, effects, request, reply, slot, claims, has_reader })
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const slot = capacity.openSlot()
    if (streams_form) arrivals.expectFile(request.raw)
    // Held until the work has ended, also when the client has disconnected: a client that sends and
    // disconnects would otherwise cause more work than there are slots.
    const responding = respondTo(request, reply, slot).finally(slot.release)
    // A response that has begun, or waits for something other than the database, is not aborted.
    const result = await withDatabaseTimeout(responding, async () => reply.sent || (await allHold(checks)))
    // Begun is enough: one that a client has left in the middle is not sent again.
    if (reply.sent || reply.raw.headersSent) return reply
    return reply.code(status).send(schema ? result : undefined)
  }

  const schemas = {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(streams_form && {
      body: streams_form.extend({ file: z.file() }),
      consumes: ['multipart/form-data'],
    }),
    response: {
      ...(schema && { [status]: schema }),
      ...(schema && also_status !== undefined && { [also_status]: schema }),
      default: { description: 'Refused', content: { 'application/problem+json': { schema: Problem } } },
    },
  }
  const declared = {
    method: route.method,
    handler: handle,
    preParsing: guardBody(route, effects, now),
    ...(route.level === 'public' && { bodyLimit: MAX_PUBLIC_BODY }),
    ...limitsOf(route),
  }
  const documented = { ...schemas, summary, description: whoMay(route), tags: [tagOf(route.path)] }
  if (streams_form)
    return app.register(async scope => {
      leaveForms(scope)
      scope.route({ ...declared, url: route.path, schema: documented })
    })
  app.route({ ...declared, url: route.path, schema: documented })
  if (alias !== undefined) app.route({ ...declared, url: alias, schema: { ...documented, hide: true } })
}

function limitsOf({ facts: { largest_file, largest_json } }: Route) {
  if (largest_json) return { bodyLimit: largest_json.bytes, config: { most_values: largest_json.values } }
  return largest_file === undefined ? {} : { bodyLimit: largest_file + MAX_BODY }
}

/** The body of an anonymous request is not even read, nor a form where none is taken. */
function guardBody(route: Route, effects: Effects, now: () => Date) {
  return async (request: FastifyRequest) => {
    if (route.level !== 'public' && (await readBearer(request, effects.tokens, now())) === null)
      throw refuse('unauthenticated')
    // Case-insensitive, as the content type parsers are.
    const { takes_form, streams_form } = route.facts
    if (!takes_form && !streams_form && /^\s*multipart\//i.test(request.headers['content-type'] ?? ''))
      throw refuse('unsupported_media_type')
  }
}

const whoMay = ({ level }: Route) =>
  level === 'public' ? 'Without signing in.' : `Least role: ${level.replaceAll('_', ' ')}.`

/** /api/ad/account/ → ad; /users/… → users */
const tagOf = (path: string) => path.split('/').find(part => part !== '' && part !== 'api') ?? 'api'

/** One line a response. The path as it was declared, since addresses can hold names and links. */
function logResponse(request: FastifyRequest, reply: FastifyReply) {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
      user_id: request.user_id,
    },
    'request completed',
  )
}
