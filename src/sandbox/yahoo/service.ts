import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { readBody } from '#sandbox/http/body.ts'
import type { Platform, PlatformContext } from '#sandbox/platform.ts'
import { handleDsp, type DspState } from './dsp/service.ts'
import { type YahooFault, YahooFault as YahooFaultSchema, type YahooPlatform } from './faults.ts'
import { createJobs } from './ly/jobs.ts'
import { createLogins } from './ly/logins.ts'
import { handleLy } from './ly/service.ts'
import { createQuota } from './quota.ts'
import { deliver, type Reply } from './wire.ts'

/**
 * Search Ads and Display Ads of LY Corporation below /ly-search/api/v20 and /ly-display/api/v19 (or, without
 * the first part, at the paths of their own hosts), their token endpoint at /oauth/v1/token, and Yahoo DSP of
 * Yahoo Inc.
 */
export function createYahoo({
  clock,
  dataset,
  grants,
}: Pick<PlatformContext, 'clock' | 'dataset' | 'grants'>): Platform[] {
  const ly = { dataset, jobs: createJobs(), logins: createLogins(grants) }
  const pace = createQuota()
  const dsp: DspState = { dataset, reports: new Map(), tokens: new Map() }

  const platform = (name: YahooPlatform, handle: (call: Call) => Reply, forget: () => void): Platform => {
    const faults = createFaults<YahooFault>()
    return {
      name,
      owns: pathname => positionOf(pathname)?.name === name,
      async handle(request, response, url) {
        const body = await readBody(request)
        const account = accountOf(body, url)
        const now = clock.now()
        const armed = faults.take({ account, method: request.method ?? 'GET', path: url.pathname })
        const isTooFast = name.startsWith('ly_') && pace.isTooMany(account, now)
        const hits = isTooFast ? [...armed, TOO_FAST(name)] : armed
        const struck = (action: YahooFault['action']) => hits.find(hit => hit.action === action)
        const delay = struck('latency')?.delay_ms ?? 0
        if (delay > 0) await wait(delay)
        const path = positionOf(url.pathname)?.path ?? ''
        const reply = handle({ request, url, path, body, now, faults: hits })
        await deliver(request, response, {
          ...reply,
          cut: struck('cut') !== undefined,
          malformed: struck('malformed') !== undefined,
        })
        return { account }
      },
      control: {
        ...armedBy(name, faults, YahooFaultSchema),
        reset() {
          faults.set([])
          forget()
          pace.reset()
        },
        revokeTokens: forget,
        ...(name === 'ly_search' && { limits: pace.limits }),
      },
    }
  }

  return [
    platform('ly_search', call => handleLy({ ...call, product: 'ly_search' }, ly), ly.jobs.reset),
    platform('ly_display', call => handleLy({ ...call, product: 'ly_display' }, ly), ly.jobs.reset),
    platform('ly_oauth', call => tokenResponse(call, ly.logins), ly.logins.revoke),
    platform(
      'yahoo_dsp',
      call => handleDsp(call, dsp),
      () => {
        dsp.reports.clear()
        dsp.tokens.clear()
      },
    ),
  ]
}

const TOO_FAST = (platform: YahooPlatform): YahooFault => ({ platform, action: 'rate_limit', skip: 0 })

interface Call {
  request: IncomingMessage
  url: URL
  /** What follows the version. */
  path: string
  body: Buffer | null
  now: number
  faults: YahooFault[]
}

function tokenResponse(
  { request, url, body, now, faults }: Call,
  logins: ReturnType<typeof createLogins>,
): Reply {
  const json = (status: number, value: unknown) => ({
    status,
    type: 'application/json',
    body: JSON.stringify(value),
  })
  for (const { action, status } of faults) {
    if (action === 'server_error') return json(status ?? 500, { error: 'server_error' })
    if (action === 'rate_limit') return json(429, { error: 'temporarily_unavailable' })
    if (action === 'revoked' || action === 'expired_token')
      return json(400, { error: 'invalid_grant', error_description: 'refresh_token is invalid' })
  }
  if (request.method !== 'GET' && request.method !== 'POST') return json(405, { error: 'invalid_request' })
  const type = request.headers['content-type'] ?? ''
  if (request.method === 'POST' && !/^application\/x-www-form-urlencoded\b/i.test(type))
    return json(400, { error: 'invalid_request', error_description: 'a form is required' })
  const form = request.method === 'GET' ? url.searchParams : new URLSearchParams(body?.toString('utf8'))
  const { status, body: reply } = logins.exchange(form, now)
  return json(status, reply)
}

const VERSIONS = { search: '20', display: '19' } as const

function positionOf(pathname: string): { name: YahooPlatform; path: string } | null {
  if (pathname === '/oauth/v1/token') return { name: 'ly_oauth', path: pathname }
  if (/^\/(traffic|yamplus_api|identity)\//.test(pathname)) return { name: 'yahoo_dsp', path: pathname }
  const [, prefix, version = '', rest = ''] =
    /^(?:\/ly-(search|display))?\/api\/v(\d+)\/(.*)$/.exec(pathname) ?? []
  const product = prefix ?? (version === '20' ? 'search' : version === '19' ? 'display' : null)
  if (product === 'search') return { name: 'ly_search', path: version === VERSIONS.search ? rest : '' }
  if (product === 'display') return { name: 'ly_display', path: version === VERSIONS.display ? rest : '' }
  return null
}

/** The ad account that a request is about, for faults and the log. */
function accountOf(body: Buffer | null, url: URL): string | null {
  const text = body?.toString('utf8', 0, 4096) ?? ''
  return /"accountIds?"\s*:\s*\[?\s*"?(\d+)/.exec(text)?.[1] ?? url.searchParams.get('advertiserId')
}
