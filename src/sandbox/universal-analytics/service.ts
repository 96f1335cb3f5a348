import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import { readBody } from '#sandbox/http/body.ts'
import { isServiceAccount, mayUse } from '#sandbox/oauth/caller.ts'
import type { Platform, PlatformContext } from '#sandbox/platform.ts'
import { maySee, personAt } from '#sandbox/dataset/persons.ts'
import { localTime } from '#sandbox/dataset/calendar.ts'
import { type View, VIEWS } from '#sandbox/dataset/universal-analytics.ts'
import {
  bodyOf,
  invalid,
  noPermission,
  quotaExceeded,
  scopeMissing,
  UaRefusal,
  unauthenticated,
} from './errors.ts'
import { UaFault } from './faults.ts'
import { manage } from './management.ts'
import { createQuota } from './quota.ts'
import { reportOf } from './report.ts'
import { type Query, readBatch } from './request.ts'

const Limits = z.strictObject({
  /** live: as it was until the shutdown, with the data of then. shutdown: as today. */
  ua_era: z.enum(['live', 'shutdown']).optional(),
  ua_quota: z
    .strictObject({
      /** Requests of a login in 100 seconds. */
      per_user: z.int().positive().default(100),
      /** Requests about a view in a day. */
      per_view: z.int().positive().default(10_000),
    })
    .optional(),
})

const LOGINS: Record<string, readonly View[]> = {
  'sandbox-admin': VIEWS,
  'sandbox-agency': VIEWS.filter(view => view.trait === null),
}
const REPORTS = '/v4/reports:batchGet'

/**
 * Universal Analytics: Management API v3, Metadata API v3 and Reporting API v4, in the era before its
 * shutdown.
 */
export function createUniversalAnalytics({ clock, login }: Omit<PlatformContext, 'dataset'>): Platform {
  const faults = createFaults<UaFault>()
  const quota = createQuota()
  let era: 'live' | 'shutdown' = 'live'

  const callerOf = ({ headers }: IncomingMessage): Caller => {
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (Object.hasOwn(LOGINS, token)) return { name: token, views: LOGINS[token] ?? [] }
    const known = login(headers.authorization)
    if (!known) throw unauthenticated()
    if (!mayUse(known, 'analytics.readonly', 'analytics')) throw scopeMissing()
    // The agency has invited the system account to its views.
    const name = isServiceAccount(known) ? 'sandbox-agency' : known.email
    const person = personAt(name)
    if (person === null) return { name: known.email, views: LOGINS[name] ?? [] }
    const views = VIEWS.filter(view => maySee(person, { advertiser: view.account_name }))
    return { name: known.email, views }
  }

  const handle = (call: Call): Record<string, unknown> => {
    const { request, url, now, hits } = call
    refuseByFault(hits)
    const caller = callerOf(request)
    quota.count({ user: caller.name, view: call.view, now })
    if (url.pathname.startsWith('/analytics/')) {
      if (request.method !== 'GET') throw new UaRefusal(404, 'NOT_FOUND', 'Not Found', 'notFound')
      return manage(url, caller.views, caller.name)
    }
    if (request.method !== 'POST' || url.pathname !== REPORTS)
      throw new UaRefusal(404, 'NOT_FOUND', 'Requested entity was not found.', 'notFound')
    return report(call, caller)
  }

  return {
    name: 'ua',
    owns: pathname => /^\/analytics\/v3\/|^\/v4\/(reports|userActivity)/.test(pathname),
    async handle(request, response, url) {
      const body = await readBody(request)
      const view = /"viewId"\s*:\s*"(\d+)"/.exec(body?.toString('utf8', 0, 4096) ?? '')?.[1] ?? null
      const hits = faults.take({ account: view, method: request.method ?? 'GET', path: url.pathname })
      const struck = (action: UaFault['action']) => hits.find(hit => hit.action === action)
      const leave = quota.enter(view)
      try {
        const delay = struck('latency')?.delay_ms ?? 0
        if (delay > 0) await wait(delay)
        const fault = struck('shutdown')
        const gone = fault || era === 'shutdown' ? (fault?.status ?? 403) : null
        const call = { request, url, body, view, now: clock.now(), hits, is_crowded: leave === null }
        const reply = gone === null ? replyTo(call, handle) : goneReply(gone)
        const text = struck('malformed') ? reply.body.slice(0, Math.ceil(reply.body.length / 2)) : reply.body
        await send(request, response, { ...reply, body: text, cut: struck('cut') !== undefined })
      } finally {
        leave?.()
      }
      return { account: view }
    },
    control: {
      ...armedBy('ua', faults, UaFault),
      reset() {
        faults.set([])
        quota.reset()
        era = 'live'
      },
      limits: {
        names: ['ua_era', 'ua_quota'],
        get: () => ({ ua_era: era, ua_quota: quota.sizes() }),
        set(values) {
          const limits = Limits.parse(values)
          era = limits.ua_era ?? era
          if (limits.ua_quota) quota.resize(limits.ua_quota)
        },
      },
    },
  }
}

interface Caller {
  name: string
  views: readonly View[]
}

interface Call {
  request: IncomingMessage
  url: URL
  body: Buffer | null
  view: string | null
  now: number
  hits: UaFault[]
  /** Ten requests about the view are already under way. */
  is_crowded: boolean
}

function replyTo(call: Call, handle: (call: Call) => Record<string, unknown>): HttpResponse {
  try {
    if (call.is_crowded) throw quotaExceeded('Concurrent requests per view')
    return json(200, handle(call))
  } catch (error) {
    if (!(error instanceof UaRefusal)) throw error
    const isManagement = call.url.pathname.startsWith('/analytics/')
    const status = isManagement && error.code === 429 ? 403 : error.code
    return json(status, bodyOf(error, isManagement))
  }
}

/** The responses after the shutdown. */
function goneReply(status: number): HttpResponse {
  if (status === 404)
    return {
      status,
      type: 'text/html; charset=UTF-8',
      body: '<html><title>Error 404 (Not Found)!!1</title></html>',
    }
  const [word, message] = ['PERMISSION_DENIED', 'Universal Analytics has been shut down.']
  return json(status, { error: { code: status, message, status: status === 410 ? 'NOT_FOUND' : word } })
}

function refuseByFault(hits: UaFault[]): void {
  for (const { action, status, code, message } of hits) {
    if (action === 'rate_limit') throw quotaExceeded('USER-100s')
    if (action === 'server_error')
      throw status === 503
        ? new UaRefusal(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'backendError')
        : new UaRefusal(status ?? 500, 'INTERNAL', 'Internal error encountered.', 'internalServerError')
    if (action === 'expired_token') throw unauthenticated()
    if (action === 'revoked') throw noPermission()
    if (action === 'error')
      throw new UaRefusal(
        status ?? 400,
        code ?? 'INVALID_ARGUMENT',
        message ?? 'Request contains an invalid argument.',
      )
  }
}

function report({ request, body, now, hits }: Call, caller: Caller) {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw invalid('Invalid JSON payload received. Content-Type must be application/json.')
  const today = (view: View) => localTime(now, view.time_zone).today
  const viewOf = (id: string): View => {
    if (!/^\d+$/.test(id)) throw invalid(`Invalid viewId: ${id}`)
    const view = caller.views.find(each => each.view_id === id)
    if (!view || view.trait === 'revoked') throw noPermission()
    return view
  }
  const queries = readBatch(parse(body), { viewOf, today })
  const most_rows = hits.find(hit => hit.action === 'other_row')?.rows ?? null
  return {
    reports: queries.map((query: Query) => reportOf(query, { today: today(query.view), most_rows })),
    queryCost: queries.length,
  }
}

function parse(body: Buffer | null): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '')
  } catch {
    throw invalid('Invalid JSON payload received. Unexpected end of string.')
  }
}
