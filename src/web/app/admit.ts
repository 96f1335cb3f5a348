import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { session } from '#web/client/client.ts'
import { loadMe } from '#web/client/me.ts'
import { asProblem } from '#web/client/problem.ts'
import { withRedirect } from './searches.ts'

/** Lets people who are signed in into the shell, and sends everybody else to where they can. */
export async function admit(queries: QueryClient, href: string): Promise<void> {
  const back = withRedirect({ redirect: href })
  if (session.state() === 'none') throw redirect({ to: '/sign-in', search: back })
  const me = await loadMeOrExpire(queries, back)
  if (me.second_factor_setup_required) throw redirect({ to: '/second-factor', search: back })
}

/** Who is signed in; somebody whose session has expired is sent to the page that says so. */
export async function loadMeOrExpire(queries: QueryClient, back: { redirect?: string }) {
  try {
    return await loadMe(queries)
  } catch (error) {
    // Anyone whom the identity call accepts is signed in.
    if (![401, 403, 404].includes(asProblem(error).status)) throw error
    session.expire()
    throw redirect({ to: '/expired', search: back })
  }
}
