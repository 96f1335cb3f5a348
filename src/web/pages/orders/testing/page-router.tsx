import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { IdentityReply } from '#shared/api/people.ts'
import { client } from '#web/client/client.ts'
import { Me } from '#web/client/me.ts'
import { Problem } from '#web/client/problem.ts'
import { createQueryClient } from '#web/client/query-client.ts'
import { newOrderSearch, orderSearch, ordersSearch } from '#web/pages/orders/search.ts'
import { paymentsSearch } from '#web/pages/payments/search.ts'
import { draw } from '#web/testing/render.tsx'

/** The pages of orders by the addresses that they have in the product; left out: nothing is drawn there. */
interface Pages {
  list?: () => ReactNode
  create?: () => ReactNode
  payments?: () => ReactNode
  order?: () => ReactNode
  edit?: () => ReactNode
}

/** Opens an address with somebody of the agency; returns what is open now. */
export function openPage(address: string, pages: Pages, me: Partial<IdentityReply> = {}) {
  const root = createRootRoute({ component: Outlet })
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const orders = createRoute({ getParentRoute: () => shell, path: '/customer/insertion-order' })
  const order = createRoute({ getParentRoute: () => orders, path: '/$id' })
  const nothing = () => null
  const children = [
    createRoute({
      getParentRoute: () => orders,
      path: '/',
      validateSearch: ordersSearch,
      component: pages.list ?? nothing,
    }),
    createRoute({
      getParentRoute: () => orders,
      path: '/new',
      validateSearch: newOrderSearch,
      component: pages.create ?? nothing,
    }),
    createRoute({
      getParentRoute: () => orders,
      path: '/payments',
      validateSearch: paymentsSearch,
      component: pages.payments ?? nothing,
    }),
    order.addChildren([
      createRoute({
        getParentRoute: () => order,
        path: '/',
        validateSearch: orderSearch,
        component: pages.order ?? nothing,
      }),
      createRoute({ getParentRoute: () => order, path: '/edit', component: pages.edit ?? nothing }),
    ]),
  ]
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([orders.addChildren(children)])]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  draw(
    <QueryClientProvider client={createQueryClient()}>
      <Me
        value={
          {
            user_id: 4,
            identity: 'superuser',
            department: null,
            time_zone: 'Asia/Taipei',
            ...me,
          } as IdentityReply
        }
      >
        {/* The product's own routes are registered as the type; these have the same addresses. */}
        <RouterProvider router={router as never} />
      </Me>
    </QueryClientProvider>,
  )
  return () => router.state.location
}

type Answer = unknown

/** What the API answers, by path; what is not named does not exist. A function gets what was requested. */
export function answerWith(answers: Record<string, Answer | ((query: object) => Answer)>) {
  const sent: { method: string; path: string; body: unknown }[] = []
  vi.spyOn(client, 'get').mockImplementation(async (path, { query = {} } = {}) => {
    const answer = answers[path]
    if (answer === undefined) throw new Problem({ code: 'not_found', status: 404 })
    return (typeof answer === 'function' ? answer(query) : answer) as never
  })
  for (const method of ['post', 'patch', 'delete'] as const)
    vi.spyOn(client, method).mockImplementation(async (path, { body } = {}) => {
      sent.push({ method, path, body })
      const answer = answers[`${method} ${path}`]
      if (answer instanceof Problem) throw answer
      return (answer ?? null) as never
    })
  return sent
}

/** One page of a list. */
export const listOf = (results: readonly object[], more: object = {}) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
  ...more,
})

export const button = (name: string) => screen.findByRole('button', { name })
