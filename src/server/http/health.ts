import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Capacity } from './capacity.ts'
import type { Effects } from './effects.ts'

/** What must work before requests are sent here; each throws or returns false when it does not. */
export type HealthChecks = Record<string, () => Promise<boolean>>

/**
 * GET /healthz (the process is alive), /readyz (its parts work), /metrics (Prometheus). None of them is ever
 * shed.
 */
export function registerHealth(
  app: FastifyInstance,
  {
    checks,
    effects,
    capacity,
    registerMetrics,
  }: {
    checks: HealthChecks
    effects: Effects
    capacity: Capacity
    registerMetrics?: (registry: Registry) => void
  },
) {
  app.get('/healthz', { schema: { hide: true } }, async (_, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
    const outcomes = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const),
    )
    const isReady = outcomes.every(([, ok]) => ok) && !effects.stopping.aborted
    if (!isReady) void reply.code(503).header('retry-after', '2')
    return reply.send({ status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(outcomes) })
  })

  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  measureCapacity(capacity, registry)
  registerMetrics?.(registry)
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, effects.settings.metrics_token)) return reply.callNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Whether all parts work now. */
export async function allHold(checks: HealthChecks): Promise<boolean> {
  const outcomes = await Promise.all(Object.values(checks).map(holds))
  return outcomes.every(ok => ok)
}

const PATIENCE_MS = 2000

/** Whether it works; a check that takes longer than two seconds has failed. */
async function holds(check: () => Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, PATIENCE_MS, false)
  try {
    return await Promise.race([check(), promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function measureRequests(app: FastifyInstance, registry: Registry) {
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'sheetcast_http_requests_total',
    help: 'Requests with a response.',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'sheetcast_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its response.',
    labelNames,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    }
    requests.inc(labels)
    seconds.observe(labels, reply.elapsedTime / 1000)
  })
}

function measureCapacity(capacity: Capacity, registry: Registry) {
  const underWay = new Gauge({
    name: 'sheetcast_http_requests_under_way',
    help: 'Requests in progress.',
    registers: [],
    collect() {
      this.set(capacity.counts().under_way)
    },
  })
  const shed = new Counter({
    name: 'sheetcast_http_requests_shed_total',
    help: 'Requests refused because too many were in progress.',
    registers: [],
    collect() {
      this.reset()
      this.inc(capacity.counts().shed)
    },
  })
  registry.registerMetric(underWay)
  registry.registerMetric(shed)
}

/** With a token set only its bearer; without one only this machine, over a direct connection. */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) return sameText(request.headers.authorization ?? '', `Bearer ${token}`)
  const address = request.socket.remoteAddress ?? ''
  const isLoopback = address === '::1' || /^(::ffff:)?127\./.test(address)
  return isLoopback && request.headers['x-forwarded-for'] === undefined
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
