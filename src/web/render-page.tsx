import {
  dehydrate,
  skipToken,
  type Query,
  type QueryClient,
  type QueryObserverOptions,
} from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { DrawnPage, DrawnState, PageRequest } from '#shared/drawn-page.ts'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/routes.tsx'
import { startEarly } from './app/start-early.ts'
import { drawnTitle } from './client/page-title.ts'
import { createQueryClient } from './client/query-client.ts'
import { loadAllTexts, startI18n } from './i18n/i18n.ts'
import { cssOf, withoutStyles } from './app/drawn-styles.ts'
import { reportQuery } from './pages/reports/report-query.ts'
import { reportSearch } from './pages/reports/search.ts'
import { drawnAt } from './visit/clock.ts'
import { firstParts, loadParts } from './visit/lazy.ts'

export { setVisits } from './visit/per-visit.ts'

/**
 * Draws a page as its browser would, within a visit; null when the address leads elsewhere, or when nobody
 * knows in time who is there. What cannot be read, or not before `enough`, or only from a platform, is drawn
 * as loading, and the browser requests it itself.
 */
export async function renderPage(
  { href, look, at_ms }: PageRequest,
  enough: Promise<unknown>,
): Promise<DrawnPage | null> {
  const queries = createQueryClient()
  const router = createAppRouter(queries, createMemoryHistory({ initialEntries: [href] }))
  // As the address is written once its page is there.
  const { pathname: to } = router.latestLocation
  const { publicHref } = router.buildLocation({ to, search: true, _includeValidateSearch: true })
  if (publicHref !== router.latestLocation.publicHref) router.history.replace(publicHref)
  drawnAt(at_ms)
  startEarly(router, queries)
  // Here and not where browsers start early: a report that is read again while React takes over may differ.
  const { id } = to.startsWith('/gs-template/') ? reportSearch(router.latestLocation.search) : {}
  if (id !== undefined) void queries.prefetchQuery(reportQuery(id))
  await startI18n()
  await loadAllTexts()
  await Promise.race([router.load(), enough])
  if (router.state.resolvedLocation === undefined) return null
  // What arrives after a drawing is not in it, and must not be in what the browser compares it with.
  const draw = () => ({
    html: renderToString(<App router={router} queries={queries} />),
    read: dehydrate(queries, { shouldDehydrateQuery: ({ state: { status } }) => status === 'success' }),
  })
  const { html, read } = await drawWithData(draw, queries, enough)
  const { markup, styles } = withoutStyles(html)
  const parts = [...firstParts()]
  const state: DrawnState = { href, canonical: publicHref, look, at_ms, styles, parts, queries: read }
  return {
    title: drawnTitle().text,
    markup,
    css: cssOf(styles),
    parts,
    state: JSON.stringify(state).replaceAll('<', '\\u003c'),
  }
}

/** So many times does what has arrived show what else is to be read. */
const MOST_ROUNDS = 4

/** Draws, loads what was missing, and draws again, until nothing is missing. */
async function drawWithData<Drawing>(draw: () => Drawing, queries: QueryClient, enough: Promise<unknown>) {
  const tried = new Set<string>()
  let isOver = false
  void enough.then(() => (isOver = true))
  for (let round = 0; ; round++) {
    for (const query of queries.getQueryCache().findAll({ predicate: hasFailed })) query.reset()
    const drawing = draw()
    const missing = queries.getQueryCache().findAll({ predicate: query => isMissing(query, tried) })
    const parts = [...firstParts()].filter(module => !tried.has(module))
    if ((missing.length === 0 && parts.length === 0) || isOver || round === MOST_ROUNDS) return drawing
    for (const name of [...missing.map(query => query.queryHash), ...parts]) tried.add(name)
    const loading = [...missing.map(query => query.fetch()), loadParts(parts)]
    await Promise.race([Promise.allSettled(loading), enough])
  }
}

const hasFailed = ({ state }: Query) => state.status === 'error'

function isMissing(query: Query, tried: ReadonlySet<string>): boolean {
  const { queryHash, state, options, meta } = query
  if (meta?.asks_platform) return false
  // Those of the component that has just been drawn.
  const { enabled = true } = options as QueryObserverOptions
  const isEnabled = typeof enabled === 'function' ? enabled(query) : enabled
  return state.status === 'pending' && isEnabled && options.queryFn !== skipToken && !tried.has(queryHash)
}
