import { AsyncLocalStorage } from 'node:async_hooks'
import type { PageRequest } from '#shared/drawn-page.ts'
import type { ApiRead, ApiReply } from './messages.ts'

/** One page that is drawn. */
export interface PageVisit {
  page: PageRequest
  /** The state of the interface's modules (web/visit/per-visit.ts). */
  state: Map<symbol, unknown>
  read: (read: ApiRead) => Promise<ApiReply | null>
}

const visits = new AsyncLocalStorage<PageVisit>()

/** Draws within a visit: all that the interface knows of its browser is that of this page's. */
export const during = <Result>(visit: PageVisit, draw: () => Promise<Result>): Promise<Result> =>
  visits.run(visit, draw)

/** What modules keep while no page is drawn, such as when they are loaded, is nobody's. */
export const stateOfVisit = () => visits.getStore()?.state ?? new Map<symbol, unknown>()

function now(): PageVisit {
  const visit = visits.getStore()
  if (!visit) throw new Error('no page is drawn')
  return visit
}

/**
 * What the interface reads of a browser while it is drawn, and no more: there is no `window`, by which
 * libraries tell that they are on a server.
 */
export function installBrowser(): void {
  const globals = {
    document: {
      get cookie() {
        return now().page.cookies
      },
      /** A page that is drawn sets none. */
      set cookie(_) {},
      /** Written in vain: the page's own says what its cookies say. */
      documentElement: { dataset: {}, lang: '' },
    },
    location: {
      get protocol() {
        return new URL(now().page.origin).protocol
      },
      get origin() {
        return now().page.origin
      },
      get pathname() {
        return addressOf(now()).pathname
      },
      get search() {
        return addressOf(now()).search
      },
      hash: '',
    },
    localStorage: { ...noStorage, getItem: (key: string) => now().page.look?.stored[key] ?? null },
    sessionStorage: noStorage,
    matchMedia: (query: string) => ({
      matches: query === '(prefers-color-scheme: dark)' && now().page.look?.is_dark === true,
    }),
    fetch: readApi,
    Temporal: { ...Object.fromEntries(temporalParts()), Now: clockOf(Temporal.Now) },
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

const addressOf = ({ page: { href, origin } }: PageVisit) => new URL(href, origin)

const noStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

const temporalParts = () =>
  Object.getOwnPropertyNames(Temporal).map(name => [name, Temporal[name as keyof typeof Temporal]])

/** The reader's own zone unless another is named. */
function clockOf(clock: typeof Temporal.Now) {
  const zone = () => now().page.look?.time_zone ?? 'UTC'
  return {
    instant: () => clock.instant(),
    timeZoneId: zone,
    plainDateISO: (timezone = zone()) => clock.plainDateISO(timezone),
    plainDateTimeISO: (timezone = zone()) => clock.plainDateTimeISO(timezone),
    zonedDateTimeISO: (timezone = zone()) => clock.zonedDateTimeISO(timezone),
  }
}

/** Reads alone: what changes anything is the browser's. */
async function readApi(path: string, { method = 'GET', headers = {} }: ApiInit = {}): Promise<Response> {
  if (method !== 'GET' || !path.startsWith('/')) throw new TypeError('a page that is drawn only reads')
  const reply = await now().read({ path, headers })
  if (reply === null) throw new TypeError('not read')
  return new Response(reply.body, { status: reply.status, headers: reply.headers })
}

interface ApiInit {
  method?: string
  headers?: Record<string, string>
}
