import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import { readBody } from '#sandbox/http/body.ts'
import { linesOf, type Multipart, multipartOf } from '#sandbox/http/multipart.ts'
import type { Handled, Platform, PlatformContext } from '#sandbox/platform.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { callerOf, secretOf } from './access.ts'
import { forbidden, LineError, refused } from './errors.ts'
import { LineFault } from './faults.ts'
import { parametersOf } from './parameters.ts'
import { createReports, type Reports } from './report/reports.ts'
import { route } from './routes.ts'
import { signerOf } from './signature.ts'
import { createSwitches, type Switches } from './switches.ts'
import { createUploads, type Uploads } from './uploads.ts'

const BASE = /^\/api\/(v[123])(?:\/(.*))?$/
const ONLINE = /\/reports\/online\//
/** Online reports that may run at once. */
const MOST_AT_ONCE = 30

/** A file of 60 MB, and the form around it. */
const LARGEST_BODY = 61 * 1024 * 1024

/** The Ads Management API. */
export function createLine({ clock, dataset }: Pick<PlatformContext, 'clock' | 'dataset'>): Platform {
  const faults = createFaults<LineFault>()
  const reports = createReports()
  const uploads = createUploads()
  const switches = createSwitches()
  let running = 0

  return {
    name: 'line',
    owns: pathname => BASE.test(pathname),
    async handle(request, response, url) {
      const isOnline = ONLINE.test(url.pathname)
      const used = isOnline ? ++running : 0
      try {
        const body = await readBody(request, LARGEST_BODY)
        const form = body && (await formOf(body, request))
        const account = /\/adaccounts\/([^/]+)/.exec(url.pathname)?.[1] ?? null
        const hits = faults.take({ account, method: request.method ?? 'GET', path: url.pathname })
        const fault = (action: LineFault['action']) => hits.find(hit => hit.action === action)
        const delay = fault('latency')?.delay_ms ?? 0
        if (delay > 0) await wait(delay)
        const call = { request, url, body, form, now: clock.now(), hits }
        const handle = () => respond(call, { dataset, reports, uploads, switches })
        const reply = isOnline ? withQuota(used, hits, handle) : handle()
        const half = fault('malformed') ? Math.ceil(reply.body.length / 2) : reply.body.length
        const sent = {
          ...reply,
          // By its own clock, as signatures are judged.
          headers: { ...reply.headers, date: new Date(clock.now()).toUTCString() },
          body: reply.body.slice(0, half),
          cut: fault('cut') !== undefined,
        }
        await send(request, response, sent)
        return { account, ...countsOf(form) }
      } finally {
        if (isOnline) running--
      }
    },
    remembered: uploads.remembered,
    control: {
      ...armedBy('line', faults, LineFault),
      limits: switches.limits,
      reset() {
        reports.reset()
        uploads.reset()
        switches.reset()
      },
    },
  }
}

const formOf = async (body: Buffer, { headers }: IncomingMessage) => {
  const type = headers['content-type'] ?? ''
  return /^multipart\/form-data\b/i.test(type) ? await multipartOf(body, type) : null
}

/** A file of hashes is logged as how many lines it has. */
function countsOf(form: Multipart | null): Pick<Handled, 'counts'> {
  const file = form?.files['file']
  return file ? { counts: { lines: linesOf(file).length } } : {}
}

interface Call {
  request: IncomingMessage
  url: URL
  /** null when it is larger than any request may be. */
  body: Buffer | null
  /** The form of a multipart body. */
  form: Multipart | null
  now: number
  hits: LineFault[]
}

/** Online reports say how many run; one too many is refused, and says so. */
function withQuota(used: number, hits: readonly LineFault[], response: () => HttpResponse): HttpResponse {
  const exceeds = used > MOST_AT_ONCE || hits.some(hit => hit.action === 'quota')
  const headers = {
    'x-request-quota-limit': String(MOST_AT_ONCE),
    'x-request-quota-used': exceeds ? 'EXCEED_LIMIT' : String(used),
  }
  const result = exceeds ? TOO_MANY : response()
  return { ...result, headers: { ...result.headers, ...headers } }
}

const TOO_MANY: HttpResponse = { status: 429, type: 'application/json', body: '' }

interface Parts {
  dataset: Dataset
  reports: Reports
  uploads: Uploads
  switches: Switches
}

function respond(call: Call, parts: Parts): HttpResponse {
  const { request, url, form, now, hits } = call
  const { switches } = parts
  const broken = hits.find(hit => hit.action === 'server_error' && (hit.status ?? 500) !== 500)
  if (broken) return { status: broken.status ?? 503, type: 'text/html', body: '<h1>Service unavailable</h1>' }
  try {
    const { caller, body, path } = identified(call)
    const method = request.method ?? 'GET'
    const endpoint = `${method} ${path.replaceAll(/\/[^/]*\d[^/]*/g, '/*')}`
    if (hits.some(hit => hit.action === 'rate_limit') || !switches.mayAsk(caller, endpoint, now))
      return TOO_MANY
    refuseByFault(hits)
    const parameters = parametersOf(url)
    const one_month = switches.one_month()
    return route(method, path, {
      ...parts,
      parameters,
      body,
      form,
      caller,
      now,
      faults: hits,
      fill_ms: switches.fill_ms(),
      one_month,
    })
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    const { status, reason, property } = error
    if (status === 429) return TOO_MANY
    const errors = [{ reason, ...(property !== undefined && { property }) }]
    return json(status, switches.bare_errors() ? errors : { errors })
  }
}

/** Who signed the request, its body and its path below the version. */
function identified({ request, url, body, now, hits }: Call) {
  const [, version, path = ''] = BASE.exec(url.pathname) ?? []
  if (version !== 'v3') throw forbidden('V2_API_AUTHORIZATION_FAILED')
  if (body === null) throw refused('OUT_OF_RANGE')
  const key = signerOf({ headers: request.headers, path: url.pathname, body, now }, secretOf)
  if (hits.some(hit => hit.action === 'unauthorized')) throw new LineError(401, 'AUTHENTICATION_FAILED')
  const type = request.headers['content-type'] ?? ''
  if (body.length > 0 && !/^(application\/json|multipart\/form-data)\b/i.test(type)) {
    throw refused('INVALID_CONTENT_TYPE_HEADER')
  }
  const isForm = /^multipart/i.test(type)
  return { caller: callerOf(key), body: isForm ? '' : body.toString('utf8'), path }
}

function refuseByFault(hits: readonly LineFault[]): void {
  for (const { action, status, reason, property } of hits) {
    if (action === 'server_error') throw new LineError(500, reason ?? 'UNKNOWN')
    if (action === 'revoked') throw forbidden('ACCOUNT_NOT_ALLOWED')
    if (action === 'locked') throw new LineError(status ?? 400, reason ?? 'LOCK_DEFAULT')
    if (action === 'error') throw new LineError(status ?? 400, reason ?? 'INVALID_REQUEST', property)
  }
}
