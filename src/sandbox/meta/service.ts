import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#sandbox/clock.ts'
import type { Faults, MetaFault } from '#sandbox/control/faults.ts'
import { type Limits, limitsTogether } from '#sandbox/control/control.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import type { Remembered } from '#sandbox/memory.ts'
import type { Handled } from '#sandbox/platform.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'
import { callerOf, tokenOf } from './access.ts'
import { accessRevoked, envelope, GraphError, rateLimit, tokenExpired } from './errors.ts'
import type { GraphRequest } from './graph.ts'
import { createAudiences } from './audiences/store.ts'
import { isTermsPage, termsPage } from './audiences/terms-page.ts'
import type { Terms } from './audiences/terms.ts'
import { createJobs } from './insights/jobs.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { route, type State } from './routes.ts'
import { debugToken, exchange } from './tokens.ts'
import { refuseUngranted } from './permissions.ts'
import { bucketOf, createQuota } from './quota.ts'

/** The Marketing API. */
export interface MetaService {
  /** Whether the path is one of the Graph API's. */
  owns(pathname: string): boolean
  /** Handles a request; returns its ad account, and how much its body held where the log counts that. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<Handled>
  reset(): void
  limits: Limits
  terms: Terms
  /** Audiences and terms. */
  remembered: Remembered
}

const VERSIONS = new Set(['v25.0', 'v26.0'])
const UNVERSIONED = /^\/(me|act_\d+|debug_token|oauth\/access_token)(\/|$)/

export function createMeta({
  clock,
  dataset,
  faults,
  grants,
}: {
  clock: Clock
  dataset: Dataset
  faults: Faults
  grants: Grants
}): MetaService {
  const state: State = { jobs: createJobs(), audiences: createAudiences(), grants }
  const usage = createQuota()

  return {
    owns: pathname =>
      /^\/v\d+\.\d+(\/|$)/.test(pathname) || UNVERSIONED.test(pathname) || isTermsPage(pathname),
    async handle(request, response, url) {
      if (isTermsPage(url.pathname)) {
        await send(request, response, termsPage(request, url, state.audiences.terms))
        return { account: null }
      }
      const now = clock.now()
      const account = accountOf(url.pathname, dataset, state)
      const method = request.method ?? 'GET'
      const hits = faults.take({ account, method, path: url.pathname })
      const fault = (action: MetaFault['action']) => hits.find(hit => hit.action === action)
      const delay = fault('latency')?.delay_ms ?? 0
      if (delay > 0) await wait(delay)
      const bucket = bucketOf(url.pathname)
      usage.count({ account, method, now, bucket })
      const headers = {
        ...usage.headers({ account, now, bucket, percent: fault('usage')?.percent ?? null }),
        'facebook-api-version': 'v25.0',
        'cache-control': 'private, no-cache, no-store, must-revalidate',
      }
      const refusal = usage.refusal({ account, now, bucket })
      const counted: Pick<Handled, 'counts'> = {}
      const count: GraphRequest['count'] = counts => void (counted.counts = counts)
      const reply = await respond({ request, url, now, hits, refusal, count }, { dataset, state })
      const sent = { ...reply, headers: { ...headers, ...reply.headers } }
      const body = fault('malformed') ? sent.body.slice(0, Math.ceil(sent.body.length / 2)) : sent.body
      await send(request, response, { ...sent, body, cut: fault('cut') !== undefined })
      return { account, ...counted }
    },
    limits: limitsTogether(usage.limits, state.audiences.limits),
    terms: state.audiences.terms,
    remembered: state.audiences.remembered,
    reset() {
      state.jobs.reset()
      state.audiences.reset()
      usage.reset()
    },
  }
}

interface Call {
  request: IncomingMessage
  url: URL
  now: number
  hits: MetaFault[]
  /** For a quota that is used up. */
  refusal: GraphError | null
  count: GraphRequest['count']
}

async function respond(
  call: Call,
  { dataset, state }: { dataset: Dataset; state: State },
): Promise<HttpResponse> {
  try {
    const { request, url, hits } = call
    const page = serverError(hits)
    if (page) return page
    const { version, path } = versioned(url.pathname)
    const parameters = await readParameters(request, url)
    const method = methodOf(request, parameters)
    refuseByFault(hits)
    if (call.refusal) throw call.refusal
    const edge = path.join('/')
    const known = { dataset, grants: state.grants, now: call.now }
    if (edge === 'oauth/access_token') return json(200, exchange(parameters, known))
    if (edge === 'debug_token') return json(200, debugToken(parameters, known, tokenOf(request, parameters)))
    const caller = callerOf(request, parameters, known)
    const graph: GraphRequest = {
      version,
      method,
      path,
      parameters,
      caller,
      dataset,
      now: call.now,
      faults: hits,
      terms: state.audiences.terms,
      count: call.count,
      link: cursor => linkOf(request, url, { ...cursor, access_token: caller.token }),
    }
    refuseUngranted(graph)
    return json(200, route(graph, state))
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return json(
      error.status,
      envelope(error),
      error.code === 190 ? { 'www-authenticate': 'OAuth "Facebook Platform"' } : {},
    )
  }
}

function versioned(pathname: string): { version: string; path: string[] } {
  const [version = '', ...path] = pathname.split('/').filter(part => part !== '')
  if (!VERSIONS.has(version)) {
    throw new GraphError(
      400,
      2635,
      `(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: v25.0.`,
    )
  }
  return { version, path: path.map(decodeSegment) }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new GraphError(400, 2500, 'Malformed path')
  }
}

function methodOf(request: IncomingMessage, parameters: Parameters): GraphRequest['method'] {
  const method = (parameters.text('method') ?? request.method ?? 'GET').toUpperCase()
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new GraphError(400, 2500, `Unsupported method ${method}`)
}

/** The request again with other cursors, and with the token, as Meta writes it. */
function linkOf(request: IncomingMessage, url: URL, cursor: Record<string, string>): string {
  const link = new URL(url.pathname, `http://${request.headers.host ?? url.host}`)
  for (const [name, value] of url.searchParams) {
    if (!['after', 'before', 'access_token', 'appsecret_proof'].includes(name))
      link.searchParams.set(name, value)
  }
  for (const [name, value] of Object.entries(cursor)) link.searchParams.set(name, value)
  return link.href
}

function refuseByFault(hits: MetaFault[]): void {
  for (const { action, code, error_subcode, status, message } of hits) {
    if (action === 'rate_limit') throw rateLimit(code, error_subcode)
    if (action === 'expired_token') throw tokenExpired()
    if (action === 'revoked') throw accessRevoked()
    if (action === 'error') {
      throw new GraphError(status ?? 400, code ?? 1, message ?? `(#${code ?? 1}) An unknown error occurred`, {
        ...(error_subcode !== undefined && { error_subcode }),
      })
    }
  }
}

/** 500 comes from the API itself, the others from its front end: those are pages, not JSON. */
function serverError(hits: MetaFault[]): HttpResponse | null {
  const hit = hits.find(each => each.action === 'server_error')
  if (!hit) return null
  const status = hit.status ?? 500
  if (status > 500) {
    return {
      status,
      type: 'text/html; charset=utf-8',
      body: '<html><body><h1>Sorry, something went wrong.</h1></body></html>',
    }
  }
  const error = new GraphError(
    status,
    hit.code ?? 2,
    hit.message ?? 'An unexpected error has occurred. Please retry your request later.',
    {
      is_transient: true,
      ...(hit.error_subcode !== undefined && { error_subcode: hit.error_subcode }),
    },
  )
  return json(status, envelope(error))
}

/** The bare number of the ad account that a path is about. */
function accountOf(pathname: string, dataset: Dataset, state: State): string | null {
  const direct = /\/act_(\d+)(\/|$)/.exec(pathname)?.[1]
  if (direct !== undefined) return direct
  const id = /^\/v[\d.]+\/(\d+)(\/|$)/.exec(pathname)?.[1]
  if (id === undefined) return null
  const job = state.jobs.find(id)
  if (job) return job.query.account.id
  const number = /^(?:12021|23850)(\d{3})/.exec(id)?.[1]
  return dataset.accounts('fb').find(account => account.number === Number(number))?.id ?? null
}
