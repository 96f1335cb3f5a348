import './app/styles.ts'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { ROOT_ELEMENT } from '#shared/drawn-page.ts'
import { App } from './app/app.tsx'
import { takeDrawn } from './app/drawn.ts'
import { nameLoadedStyles } from './app/drawn-styles.ts'
import { keepLook } from './app/look.ts'
import { createAppRouter } from './app/routes.tsx'
import { withRedirect } from './app/searches.ts'
import { startEarly } from './app/start-early.ts'
import { takeFromAddress } from './client/came-back.ts'
import { session } from './client/client.ts'
import { startColorScheme } from './client/color-scheme.ts'
import { meQuery } from './client/me.ts'
import { asProblem } from './client/problem.ts'
import { createQueryClient, forgetPerson } from './client/query-client.ts'
import { watchConnection } from './client/reachability.ts'
import { startI18n } from './i18n/i18n.ts'
import { watchFocus } from './ui/last-focused.ts'
import { loadParts } from './visit/lazy.ts'

// zod would compile its schemas with `new Function`, which the content security policy forbids. This is
// `z.config` without loading zod before the page that needs it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

nameLoadedStyles()
takeFromAddress()
startColorScheme()
watchFocus()
watchConnection()
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
keepLook()
const queries = createQueryClient()
const drawn = takeDrawn(queries)
const router = createAppRouter(queries)
startEarly(router, queries)
await startI18n()

session.whenEnded(() => {
  forgetPerson(queries)
  const { pathname, href } = router.latestLocation
  if (!publicPages.includes(pathname))
    void router.navigate({ to: '/expired', search: withRedirect({ redirect: href }) })
})
const publicPages = ['/sign-in', '/expired', '/set-password']

// The setting may come into force while somebody works: the next response then says so.
const DUTY = 'second_factor_setup_required'
queries.getQueryCache().subscribe(({ query: { state } }) => {
  const me = queries.getQueryData(meQuery.queryKey)
  if (!me || me[DUTY] || state.error === null || asProblem(state.error).code !== DUTY) return
  queries.setQueryData(meQuery.queryKey, { ...me, [DUTY]: true })
  void router.invalidate()
})

// Not awaited here: files of pages import this one, and would wait for it.
void draw()

async function draw() {
  const element = document.getElementById(ROOT_ELEMENT)
  if (element === null) return
  const app = <App router={router} queries={queries} />
  if (drawn === null) return createRoot(element).render(app)
  // As on the server, where no page waits for its code.
  router.ssr = { manifest: undefined }
  await router.load()
  await loadParts(drawn.parts)
  // Parts whose code comes later, and where the server's drawing differs: React has drawn those anew.
  hydrateRoot(element, app, { onRecoverableError: () => {} })
}
