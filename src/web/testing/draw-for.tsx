import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type NavigateOptions,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import type { IdentityReply } from '#shared/api/people.ts'
import { Me } from '#web/client/me.ts'
import { createQueryClient } from '#web/client/query-client.ts'
import { draw } from './render.tsx'

interface Person {
  identity?: IdentityName
  department?: number | null
  has_link_checks?: boolean
}

/** Draws something for somebody of the agency. */
export function drawFor(content: ReactNode, person: Person = {}) {
  const { identity = 'manager', department = 2, has_link_checks = false } = person
  const me = {
    user_id: 7,
    identity,
    department,
    language: 'en',
    time_zone: 'Asia/Taipei',
    availableBM: {},
    has_link_checks,
  } as IdentityReply
  return draw(
    <QueryClientProvider client={createQueryClient()}>
      <Me value={me}>{content}</Me>
    </QueryClientProvider>,
  )
}

interface Address {
  /** As the product's routes have it: `/customer/advertiser/$id`. */
  path: string
  search?: object
  params?: Readonly<Record<string, string>>
}

/**
 * Draws a page at its address, which it does not leave: returned is where it would have gone, in this order,
 * with the whole search of each address. It is there a moment later.
 */
export function drawAt(page: ReactNode, { path, search = {}, params = {} }: Address, person: Person = {}) {
  const root = createRootRoute({ component: Outlet })
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const route = createRoute({
    getParentRoute: () => shell,
    path,
    validateSearch: () => search,
    component: () => page,
  })
  const address = path.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? '')
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([route])]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const went: object[] = []
  vi.spyOn(router, 'navigate').mockImplementation(async to => {
    const { from: _, search: next, ...rest } = to as NavigateOptions
    const found = typeof next === 'function' ? (next as (before: object) => object)(search) : next
    went.push({ ...rest, ...(found !== undefined && { search: found }) })
  })
  // The product's own routes are registered as the type; this one has the address of one of them.
  drawFor(<RouterProvider router={router as never} />, person)
  return went
}
