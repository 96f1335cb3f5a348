import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import type { Platform, PlatformContext } from '#sandbox/platform.ts'
import { loginOf } from './access.ts'
import { AnalyticsError, envelope, exhausted } from './errors.ts'
import { Ga4Fault, refuseByFault } from './faults.ts'
import { createQuota, type Quota } from './quota.ts'
import type { Flags } from './report/report.ts'
import { route } from './routes.ts'

/** The Data API and the Admin API of GA4, whose paths are apart. */
export function createGa4({ clock, login }: PlatformContext): Platform {
  const faults = createFaults<Ga4Fault>()
  const quota = createQuota(clock)
  let flags = USUAL

  return {
    name: 'ga4',
    owns: pathname =>
      /^\/v1(beta\/(accountSummaries|properties\/.*)|alpha\/properties\/[^/]+\/audiences.*)$/.test(pathname),
    async handle(request, response, url) {
      const account = /^\/v1(?:beta|alpha)\/properties\/(\d+)/.exec(url.pathname)?.[1] ?? null
      const hits = faults.take({ account, method: request.method ?? 'GET', path: url.pathname })
      const fault = (action: Ga4Fault['action']) => hits.find(hit => hit.action === action)
      const leave = quota.enter(account ?? '')
      try {
        const delay = fault('latency')?.delay_ms ?? 0
        if (delay > 0) await wait(delay)
        const is_crowded = leave === null && account !== null
        const reply = await respond({ request, url, hits, account, clock, login, quota, flags, is_crowded })
        const body = fault('malformed') ? reply.body.slice(0, Math.ceil(reply.body.length / 2)) : reply.body
        await send(request, response, { ...reply, body, cut: fault('cut') !== undefined })
      } finally {
        leave?.()
      }
      return { account }
    },
    control: {
      ...armedBy('ga4', faults, Ga4Fault),
      not_emulated: NOT_EMULATED,
      reset() {
        quota.reset()
        flags = USUAL
      },
      limits: {
        names: ['ga4_cardinality', 'ga4_threshold', 'ga4_sampling', 'ga4_page_rows', 'ga4_quota'],
        get: () => ({
          ga4_cardinality: flags.cardinality,
          ga4_threshold: flags.threshold,
          ga4_sampling: flags.sampling,
          ga4_page_rows: flags.page_rows,
          ga4_quota: quota.sizes,
        }),
        set(values) {
          const { ga4_cardinality, ga4_threshold, ga4_sampling, ga4_page_rows, ga4_quota } =
            Limits.parse(values)
          flags = {
            ...flags,
            ...(ga4_cardinality !== undefined && { cardinality: ga4_cardinality }),
            ...(ga4_threshold !== undefined && { threshold: ga4_threshold }),
            ...(ga4_sampling !== undefined && { sampling: ga4_sampling }),
            ...(ga4_page_rows !== undefined && { page_rows: ga4_page_rows }),
          }
          if (ga4_quota) quota.sizes = ga4_quota as Quota['sizes']
        },
      },
    },
  }
}

const NOT_EMULATED = [
  'changes of audiences',
  'other fields, filters and several date ranges with audienceId or audienceName',
]

const USUAL: Flags = {
  cardinality: 50_000,
  threshold: null,
  sampling: 10_000_000,
  is_truncated: false,
  page_rows: 250_000,
}

const size = z.int().nonnegative()
const Limits = z.strictObject({
  ga4_cardinality: z.int().positive().optional(),
  ga4_threshold: z.int().positive().nullable().optional(),
  ga4_sampling: z.int().positive().optional(),
  ga4_page_rows: z.int().positive().optional(),
  ga4_quota: z
    .partialRecord(
      z.enum([
        'tokensPerDay',
        'tokensPerHour',
        'tokensPerProjectPerHour',
        'concurrentRequests',
        'serverErrorsPerProjectPerHour',
        'potentiallyThresholdedRequestsPerHour',
      ]),
      size,
    )
    .optional(),
})

interface Call extends Pick<PlatformContext, 'clock' | 'login'> {
  request: IncomingMessage
  url: URL
  hits: Ga4Fault[]
  account: string | null
  quota: Quota
  flags: Flags
  is_crowded: boolean
}

async function respond({ account, login, is_crowded, ...call }: Call): Promise<HttpResponse> {
  try {
    if (is_crowded) throw exhausted('concurrent')
    refuseByFault(call.hits)
    const reply = await route({ ...call, login: loginOf(call.request.headers.authorization, login) })
    return reply ? json(200, reply, { 'cache-control': 'private' }) : notThere
  } catch (error) {
    if (!(error instanceof AnalyticsError)) throw error
    if (error.status >= 500 && account !== null) call.quota.serverError(account)
    return json(
      error.status,
      envelope(error),
      error.status === 401 ? { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' } : {},
    )
  }
}

const notThere: HttpResponse = {
  status: 404,
  type: 'text/html; charset=UTF-8',
  body: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title><p>The requested URL was not found on this server.',
}
