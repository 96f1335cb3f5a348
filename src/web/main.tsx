import './app/styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeFromAddress } from './client/came-back.ts'
import { session } from './client/client.ts'
import { startColorScheme } from './client/color-scheme.ts'
import { meQuery } from './client/me.ts'
import { asProblem } from './client/problem.ts'
import { createQueryClient, forgetPerson } from './client/query-client.ts'
import { watchConnection } from './client/reachability.ts'
import { createAppRouter } from './app/routes.tsx'
import { withRedirect } from './app/searches.ts'
import { startEarly } from './app/start-early.ts'
import { ThemeProvider } from './app/theme-provider.tsx'
import { startI18n } from './i18n/i18n.ts'
import { watchFocus } from './ui/last-focused.ts'

// zod would compile its schemas with `new Function`, which the content security policy forbids. This is
// `z.config` without loading zod before the page that needs it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

takeFromAddress()
startColorScheme()
watchFocus()
watchConnection()
const queries = createQueryClient()
const router = createAppRouter(queries)
startEarly(router, queries)
await Promise.all([startI18n(), 'Temporal' in globalThis ? null : import('temporal-polyfill/global')])

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

const element = document.getElementById('root')
if (element)
  createRoot(element).render(
    <StrictMode>
      <ThemeProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  )
