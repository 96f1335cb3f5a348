import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import { together } from '#sandbox/memory.ts'
import type { Handled, Platform, PlatformContext } from '#sandbox/platform.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { callerOf, refuseUngranted, tokenExpired, tokenWrong } from './access.ts'
import { rememberedShares } from './audiences.ts'
import { createCustomerFiles } from './customer-files.ts'
import { NotEmulated, noPermission, TikTokError, tooFast } from './errors.ts'
import { TikTokFault } from './faults.ts'
import { type Known, redeem, revoke } from './oauth.ts'
import { linesOf } from '#sandbox/http/multipart.ts'
import { isSentFile, parametersOf, parsed, type Raw, rawParameters } from './parameters.ts'
import { createQuota, type Quota } from './quota.ts'
import { createTasks, FILES } from './report/tasks.ts'
import {
  isNotEmulated,
  type Outcome,
  REVOKE_ROUTE,
  ROUTES,
  type State,
  TASK_ROUTE,
  TOKEN_ROUTE,
} from './routes.ts'

const BASE = /^\/open_api\/([^/]*)\/(.*)$/

/** The API for Business, with the files of its reports. */
export function createTikTok({
  clock,
  dataset,
  grants,
}: Pick<PlatformContext, 'clock' | 'dataset' | 'grants'>): Platform {
  const faults = createFaults<TikTokFault>()
  const state: State = {
    used_codes: new Set(),
    shares: new Map(),
    customer_files: createCustomerFiles(),
    results: new Map(),
    tasks: createTasks(),
  }
  const rates = createQuota()
  const nextId = requestIds()

  return {
    name: 'tiktok',
    owns: pathname => BASE.test(pathname) || pathname.startsWith(FILES),
    async handle(request, response, url) {
      const now = clock.now()
      const raw = await rawParameters(request, url).catch(error => error)
      const account = raw instanceof Error ? null : accountOf(raw)
      const method = request.method ?? 'GET'
      const hits = faults.take({ account, method, path: url.pathname })
      const fault = (action: TikTokFault['action']) => hits.find(hit => hit.action === action)
      const delay = fault('latency')?.delay_ms ?? 0
      if (delay > 0) await wait(delay)
      const known = { grants, now }
      const call = { request, url, raw, known, now, hits, account, request_id: nextId(now) }
      const reply = respond(call, { dataset, state, rates })
      const body = fault('malformed') ? reply.body.slice(0, Math.ceil(reply.body.length / 2)) : reply.body
      await send(request, response, { ...reply, body, cut: fault('cut') !== undefined })
      return { account, ...countsOf(raw) }
    },
    remembered: together({
      customer_files: state.customer_files.remembered,
      shares: rememberedShares(state.shares),
    }),
    control: { ...armedBy('tiktok', faults, TikTokFault), limits: rates.limits, reset },
  }

  function reset() {
    state.used_codes.clear()
    state.shares.clear()
    state.customer_files.reset()
    state.results.clear()
    state.tasks.reset()
    rates.reset()
  }
}

interface Call {
  request: IncomingMessage
  url: URL
  /** What the request says, or why that is unreadable. */
  raw: Raw | Error
  known: Known
  now: number
  hits: TikTokFault[]
  account: string | null
  request_id: string
}

function respond(call: Call, has: { dataset: Dataset; state: State; rates: Quota }): HttpResponse {
  const { url, hits, now, request, request_id } = call
  const broken = hits.find(hit => hit.action === 'server_error' && hit.status !== undefined)
  if (broken) return page(broken.status ?? 500, 'Internal error')
  if (url.pathname.startsWith(FILES)) return has.state.tasks.file(url, { dataset: has.dataset, now })
  const [, version = '', path = ''] = BASE.exec(url.pathname) ?? []
  const route = routeOf(path)
  if (isNotEmulated(path)) return page(501, `The sandbox does not emulate ${path}`)
  if (!route && path !== TOKEN_ROUTE && path !== REVOKE_ROUTE) return page(404, 'Page not found')
  const envelope = (
    code: number,
    message: string,
    { data, headers = {} }: { data: unknown; headers?: Record<string, string> | undefined },
  ) => json(200, { code, message, request_id, data }, { 'x-tt-logid': request_id, ...headers })
  try {
    if (version !== 'v1.3') throw new TikTokError(40006, `The API version ${version} is not supported.`)
    if (request.method !== (route?.method ?? 'POST')) return page(405, 'Method not allowed')
    has.rates.count(now, path === TASK_ROUTE)
    refuseByFault(call, has.rates)
    const outcome = outcomeOf(call, path, { ...has, fill_ms: has.rates.fill_ms() })
    if ('file' in outcome) return outcome.file
    const isPartial = hits.some(hit => hit.action === 'partial')
    return isPartial
      ? envelope(20001, 'Partial success', { data: outcome.data, headers: outcome.headers })
      : envelope(0, 'OK', { data: outcome.data, headers: outcome.headers })
  } catch (error) {
    if (error instanceof NotEmulated) return page(501, error.message)
    if (!(error instanceof TikTokError)) throw error
    return envelope(error.code, error.message, { data: {} })
  }
}

function outcomeOf(
  { request, raw, known, now, hits }: Call,
  path: string,
  { dataset, state, fill_ms }: { dataset: Dataset; state: State; fill_ms: number },
): Outcome {
  const route = routeOf(path)
  const caller = route ? callerOf(request.headers['access-token'], known) : null
  if (raw instanceof Error) throw raw
  const parameters = parametersOf(raw, request.method === 'GET')
  if (!route || !caller) {
    return {
      data: path === TOKEN_ROUTE ? redeem(parameters, state.used_codes, known) : revoke(parameters, known),
    }
  }
  refuseUngranted(caller, path, route.method)
  const origin = `http://${request.headers.host ?? 'sandbox.invalid'}`
  return route.run({ parameters, caller, dataset, now, origin, faults: hits, fill_ms, state })
}

/** A path may be called like what every object has. */
const routeOf = (path: string) => (Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined)

function refuseByFault({ hits, account, now }: Call, rates: Quota): void {
  for (const { action, window = 'second', code, message, account: of } of hits) {
    if (action === 'rate_limit') {
      rates.lock(window, now)
      throw tooFast(window, code)
    }
    if (action === 'expired_token') throw tokenExpired()
    if (action === 'revoked')
      throw of === undefined || account === null ? tokenWrong() : noPermission(account)
    if (action === 'server_error') {
      throw new TikTokError(code ?? 50_000, message ?? 'System error. Please try again later.')
    }
    if (action === 'error') throw new TikTokError(code ?? 40_000, message ?? 'Invalid request.')
  }
}

const page = (status: number, text: string): HttpResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<html><head><title>${status} ${text}</title></head><body><h1>${text}</h1></body></html>`,
})

/** 2026110109300001024500001234: the time, and a number that no other request has. */
function requestIds() {
  let count = 0
  return (now: number) => {
    const time = new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    count++
    return `${time}${count.toString(16).toUpperCase().padStart(20, '0')}`
  }
}

/** A file of hashes is logged as how many lines it has. */
function countsOf(raw: Raw | Error): Pick<Handled, 'counts'> {
  const file = raw instanceof Error ? null : raw['file']
  return isSentFile(file) ? { counts: { lines: linesOf(file).length } } : {}
}

/** The advertiser of a request, if it names one. */
function accountOf(raw: Raw): string | null {
  const { advertiser_id, advertiser_ids } = raw
  if (typeof advertiser_id === 'string') return advertiser_id
  const list = typeof advertiser_ids === 'string' ? parsed(advertiser_ids) : advertiser_ids
  return Array.isArray(list) && typeof list[0] === 'string' ? list[0] : null
}
