import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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
import { Problem } from '#shared/api/problem.ts'
import { MOST_IMAGE_BYTES } from '#shared/images.ts'
import { limits } from '#shared/limits.ts'
import type { Db } from '#server/db/connect.ts'
import type { Effects } from './effects.ts'
import { MOST_AT_ONCE, MOST_CONNECTIONS, openCapacity, type Capacity, type RequestSlot } from './capacity.ts'
import { excessOfJson } from './json-bounds.ts'
import { readForm } from './form.ts'
import { DATA_POLICY, securityHeaders, startHeaders } from './headers.ts'
import { allHold, registerHealth, type HealthChecks } from './health.ts'
import { whyWrongHost, type Hosts } from './hosts.ts'
import { registerDocs } from './docs.ts'
import { sendProblem } from './problem.ts'
import { refuse } from './refusal.ts'
import type { Route } from './route.ts'
import { readBearer } from './session.ts'
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
  /** How many proxies are in front; their statement of the client's address is trusted. */
  trust_proxy?: number
  /** The host names that it is reached under; left out: any. */
  hosts?: Hosts
  /** How long a request may take to arrive, its body included. */
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
    requestTimeout: request_ms,
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
    for (const route of options.routes) registerRoute(api, route, { ...options, capacity })
  })
  await registerWeb(app, options.web_dir)
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

const MAX_BODY = 1024 * 1024
/**
 * Routes for people who are not signed in: a name, a password and a code, a token, a link. Reading a megabyte
 * of made-up fields takes a twentieth of a second.
 */
const MAX_PUBLIC_BODY = 16 * 1024
/** For a request that trickles in; nothing of ours takes long to send. */
const REQUEST_MS = 30_000

/** JSON only; no body at all is empty, whatever the content type says: proxies drop the body of a DELETE. */
function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null)
    const excess = excessOfJson(text, request.routeOptions.config.most_values)
    if (excess !== null) return done(refuse(excess === 'too_deep' ? 'invalid' : 'payload_too_large'))
    parse(request, text, (error, value) => {
      if (error === null && isInvalid(text, value)) return done(refuse('invalid'))
      done(error, value)
    })
  })
}

/** Reports as files: read by the route, which knows their format. */
function acceptYaml(app: FastifyInstance) {
  for (const type of ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'])
    app.addContentTypeParser(
      type,
      { parseAs: 'string', bodyLimit: limits.report_file_bytes },
      (_request, body, done) => done(null, String(body)),
    )
}

/** Forms with a file, where a route takes one: the only bodies that may be larger. */
function acceptForms(app: FastifyInstance) {
  const options = { parseAs: 'buffer' as const, bodyLimit: MAX_FORM }
  app.addContentTypeParser('multipart/form-data', options, (request: FastifyRequest, body: Buffer) =>
    readForm(body, request.headers['content-type']),
  )
}

const MAX_FORM = MOST_IMAGE_BYTES + MAX_BODY

/** Texts with a NUL or half a surrogate pair, which JSON can carry and a database cannot keep. */
function isInvalid(text: string, value: unknown): boolean {
  // Serialised again, whole pairs are plain characters: what is still escaped is invalid.
  return ESCAPED.test(text) && ESCAPED.test(JSON.stringify(value))
}

const ESCAPED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/i

function registerRoute(
  app: FastifyInstance,
  route: Route,
  { db, effects, checks, now, capacity, has_reader = true }: ServerOptions & { capacity: Capacity },
) {
  const { params, query, body, reply: schema, summary, alias, status = schema ? 200 : 204 } = route.facts

  async function respondTo(request: FastifyRequest, reply: FastifyReply, slot: RequestSlot) {
    const at = now()
    const claims = await readBearer(request, effects.tokens, at)
    return await route.respond({ db, now: at, effects, request, reply, slot, claims, has_reader })
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const slot = capacity.openSlot()
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
    response: {
      ...(schema && { [status]: schema }),
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
    if (!route.facts.takes_form && /^\s*multipart\//i.test(request.headers['content-type'] ?? ''))
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

/** Bytes that are no HTTP, and requests that do not end. */
function respondToMalformed(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, title, headers, body } = plainProblem(
    ...(malformed[error.code ?? ''] ?? [400, 'Bad Request']),
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
}

const malformed: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

/** Of the expectations of a request, only 100-continue is supported. */
function refuseExpectation(_: IncomingMessage, response: ServerResponse) {
  const { status, headers, body } = plainProblem(417, 'Expectation Failed')
  response.writeHead(status, headers).end(body)
}

/** Responses that are sent before there is a request. */
function plainProblem(status: number, title: string) {
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'invalid', detail: title })
  const headers = {
    ...securityHeaders,
    'content-security-policy': DATA_POLICY,
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    connection: 'close',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status, title, headers, body }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the JSON of its requests. */
    most_values?: number
  }
}
