import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { ordersSearch, type OrdersSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useView() {
  const view = useSearch({ from: '/shell/customer/insertion-order/' })
  const navigate = useNavigate({ from: '/customer/insertion-order/' })
  const change = (changed: Change<OrdersSearch>) =>
    void navigate({
      search: current => ordersSearch({ ...current, page: 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

const filters = ['advertiser', 'agent', 'owner', 'currency', 'from', 'to'] as const

/** How many filters are set, without the search and the state. */
export const filterCount = (view: OrdersSearch) => filters.filter(name => view[name] !== undefined).length

export const NO_FILTERS = {
  search: '',
  ...Object.fromEntries(filters.map(name => [name, undefined])),
} satisfies Change<OrdersSearch>
