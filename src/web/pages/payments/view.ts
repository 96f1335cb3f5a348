import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { paymentsSearch, type PaymentsSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change of what is listed goes back to the first page. */
export function useView() {
  const view = useSearch({ from: '/shell/customer/insertion-order/payments' })
  const navigate = useNavigate({ from: '/customer/insertion-order/payments' })
  const change = (changed: Change<PaymentsSearch>) =>
    void navigate({
      search: current =>
        paymentsSearch({ ...current, ...(!('payment' in changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed || ('payment' in changed && changed.payment === undefined),
      resetScroll: !('payment' in changed),
    })
  return { view, change }
}

const filters = ['advertiser', 'currency', 'due_from', 'due_to'] as const

/** How many filters are set, without the search and the group. */
export const filterCount = (view: PaymentsSearch) => filters.filter(name => view[name] !== undefined).length

export const NO_FILTERS = {
  search: '',
  ...Object.fromEntries(filters.map(name => [name, undefined])),
} satisfies Change<PaymentsSearch>
