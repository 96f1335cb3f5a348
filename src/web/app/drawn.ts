import { hydrate, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import { STATE_ELEMENT, type DrawnState } from '#shared/drawn-page.ts'
import { session } from '#web/client/client.ts'
import { hasUnsavedPreferences } from '#web/client/unsaved-preferences.ts'
import { drawnAt } from '#web/visit/clock.ts'
import { applyStyles } from './drawn-styles.ts'
import { isSameLook } from './look.ts'

/**
 * Whether the server has drawn this page, and as this browser would: then what it has read is in the cache,
 * and React continues with its elements. Otherwise, null, everything is drawn anew over them.
 */
export function takeDrawn(queries: QueryClient): DrawnState | null {
  // Where the server draws, the head is sent before the title is known.
  document.head.append(...document.querySelectorAll('body > title'))
  const element = document.getElementById(STATE_ELEMENT)
  if (element === null) return null
  const drawn: DrawnState = JSON.parse(element.textContent)
  const { href, look } = drawn
  element.remove()
  // Signed out meanwhile, also in another tab; or the page comes from the browser's own history.
  const isSignedIn = ['open', 'renewable'].includes(session.state())
  const isOurs = look === null ? session.state() === 'none' : isSignedIn
  // A choice that is not saved yet is sent again when the browser reads who is there.
  if (!isOurs || href !== location.pathname + location.search || hasUnsavedPreferences()) return null
  hydrate(queries, asReadNow(drawn.queries as DehydratedState))
  if (look !== null && !isSameLook(look)) return null
  // Else the page would go there by itself, and forget what is typed meanwhile.
  history.replaceState(history.state, '', drawn.canonical + location.hash)
  drawnAt(drawn.at_ms)
  applyStyles(drawn.styles)
  return drawn
}

/** By this computer's clock, which need not agree with the server's. */
const asReadNow = ({ queries, ...rest }: DehydratedState): DehydratedState => ({
  ...rest,
  queries: queries.map(query => ({ ...query, state: { ...query.state, dataUpdatedAt: Date.now() } })),
})
