import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import type { Platform, PlatformContext } from '#sandbox/platform.ts'
import { loginOf } from './access.ts'
import { AdsError, FrontDoorError, newRequestId, refusal } from './errors.ts'
import { GoogleAdsFault, refuseByFault } from './faults.ts'
import { createQuota } from './quota.ts'
import { checkVersion, route } from './routes.ts'
import { createSearch, PAGE_SIZE, type Search } from './search.ts'

const PATH = /^\/(v\d+)(\/(?:customers|googleAdsFields)(?:[/:].*)?)$/

/** The Google Ads API. */
export function createGoogleAds({ clock, dataset, login }: PlatformContext): Platform {
  const faults = createFaults<GoogleAdsFault>()
  const search = createSearch({ clock, dataset })
  const rates = createQuota()

  return {
    name: 'google_ads',
    owns: pathname => PATH.test(pathname),
    async handle(request, response, url) {
      const account = /\/customers\/(\d+)\//.exec(url.pathname)?.[1] ?? null
      const hits = faults.take({ account, method: request.method ?? 'GET', path: url.pathname })
      const fault = (action: GoogleAdsFault['action']) => hits.find(hit => hit.action === action)
      const delayMs = fault('latency')?.delay_ms ?? 0
      const under_quota = async <T>(work: () => Promise<T>): Promise<T> => {
        const leave = rates.enter(account)
        try {
          rates.count(clock.now())
          if (delayMs > 0) await wait(delayMs)
          return await work()
        } finally {
          leave()
        }
      }
      const reply = await respond({ request, url, hits, login, search, under_quota })
      const body = fault('malformed') ? reply.body.slice(0, Math.ceil(reply.body.length / 2)) : reply.body
      await send(request, response, { ...reply, body, cut: fault('cut') !== undefined })
      return { account }
    },
    control: {
      ...armedBy('google_ads', faults, GoogleAdsFault),
      reset() {
        search.reset()
        rates.reset()
      },
      limits: {
        names: ['google_ads_page_size', ...rates.limits.names],
        get: () => ({ google_ads_page_size: search.page_size, ...rates.limits.get() }),
        set({ google_ads_page_size, ...limits }) {
          if (google_ads_page_size !== undefined)
            search.page_size = Limits.parse({ google_ads_page_size }).google_ads_page_size
          if (Object.keys(limits).length > 0) rates.limits.set(limits)
        },
      },
    },
  }
}

/** Rows of a page and of a batch. */
const Limits = z.object({ google_ads_page_size: z.int().positive().max(PAGE_SIZE) })

interface Call extends Pick<PlatformContext, 'login'> {
  request: IncomingMessage
  url: URL
  hits: GoogleAdsFault[]
  search: Search
  under_quota: <T>(work: () => Promise<T>) => Promise<T>
}

async function respond({ request, url, hits, login, search, under_quota }: Call): Promise<HttpResponse> {
  const [, version = '', path = ''] = PATH.exec(url.pathname) ?? []
  const request_id = newRequestId()
  const headers = { 'request-id': request_id, 'cache-control': 'private' }
  try {
    checkVersion(version)
    refuseByFault(hits, version)
    const caller = loginOf(request.headers.authorization, login)
    const ads = { request, url, version, path, login: caller, hits, request_id }
    const reply = await under_quota(() => route(ads, search))
    return reply ? { ...reply, headers } : notThere
  } catch (error) {
    if (!(error instanceof AdsError || error instanceof FrontDoorError)) throw error
    const { status, body } = refusal(error, { version, request_id })
    // A stream that never began is an array, too.
    return json(status, path.endsWith(':searchStream') ? [body] : body, {
      ...headers,
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' }),
    })
  }
}

const notThere: HttpResponse = {
  status: 404,
  type: 'text/html; charset=UTF-8',
  body: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title><p>The requested URL was not found on this server.',
}
