import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Payment, PaymentList } from '#shared/api/payments.ts'
import type {
  CreateQuotation,
  Delivery,
  NoteSpent,
  Quotation,
  QuotationList,
  UpdateQuotation,
} from '#shared/api/quotations.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { OrdersSearch } from './search.ts'

export const PATH = '/api/ad_insertion/quotation/'
const PAYMENTS = '/api/ad_insertion/payment/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'

export const useOrders = (view: OrdersSearch) =>
  useListPage<z.infer<typeof QuotationList>>({
    key: ['orders', 'list'],
    path: PATH,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page. */
export function filtersOf({ ordering = DEFAULT_ORDERING, search, status, ...filters }: OrdersSearch) {
  const { advertiser, agent, owner, currency, from, to } = filters
  return { search, ordering, status, advertiser, agent, owner, currency, from, to }
}

const orderQuery = (id: number) => ({
  queryKey: ['orders', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.get<Quotation>(`${PATH}${id}/`, { signal }),
})
export const useOrder = (id: number) =>
  useQuery<Quotation, Problem>({ ...orderQuery(id), staleTime: 0, retry: false })

/** As it is now, for what has just happened to it. */
export function useFetchOrder() {
  const queries = useQueryClient()
  return (id: number) => queries.fetchQuery({ ...orderQuery(id), staleTime: 0 })
}

export const useDelivery = (id: number, enabled: boolean) =>
  useQuery<Delivery, Problem>({
    queryKey: ['orders', 'delivery', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/delivery/`, { signal }),
    enabled,
  })

/** Those of an order, the first due one first. */
export const usePaymentsOf = (quotation: number, enabled: boolean) =>
  useQuery<Payment[], Problem>({
    queryKey: ['payments', 'of', quotation],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof PaymentList>>(PAYMENTS, {
          query: { quotation, ordering: 'due_on', ...rows },
          signal,
        }),
      ),
    enabled,
  })

export const useCreate = () =>
  useChange((body: z.input<typeof CreateQuotation>) => client.post<Quotation>(PATH, { body }))

export const useUpdate = () =>
  useChange(({ id, ...body }: z.input<typeof UpdateQuotation> & { id: number }) =>
    client.patch<Quotation>(`${PATH}${id}/`, { body }),
  )

export type OrderAction = 'send' | 'accept' | 'reject' | 'cancel' | 'revise' | 'copy'

/** An action on an order; answers with the order, or with the draft that was made of it. */
export const useAction = () =>
  useChange(({ id, action, body }: { id: number; action: OrderAction; body: object }) =>
    client.post<Quotation>(`${PATH}${id}/${action}/`, { body }),
  )

export const useDelete = () =>
  useChange(({ id, version }: { id: number; version: number }) =>
    client.delete<null>(`${PATH}${id}/`, { body: { version } }),
  )

/** What a line without ad accounts has delivered so far. */
export const useNoteSpent = () =>
  useChange(({ id, ...body }: z.input<typeof NoteSpent> & { id: number }) =>
    client.post<Quotation>(`${PATH}${id}/spent/`, { body }),
  )

/** Asks again for what void payments have left open. */
export const useAskAgain = () =>
  useChange((body: { quotation: number; due_on: string }) => client.post<Payment>(PAYMENTS, { body }))

/** A change of an order shows in lists of orders, of payments and of advertisers. */
function useChange<Input, Reply>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('orders', 'payments', 'advertisers')
  return useMutation<Reply, Problem, Input>({
    mutationFn: send,
    onSuccess: reload,
    // Somebody else may have changed it: what is shown is out of date.
    onError: problem => (problem.status === 409 ? reload() : undefined),
  })
}
