import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CreateReceipt, Payment, PaymentList, UpdatePayment } from '#shared/api/payments.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import { weekOf } from './due-days.ts'
import type { PaymentsSearch } from './search.ts'

export const PATH = '/api/ad_insertion/payment/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'

type List = z.infer<typeof PaymentList>

export const usePayments = (view: PaymentsSearch, today: string) =>
  useListPage<List>({
    key: ['payments', 'list'],
    path: PATH,
    filters: filtersOf(view, today),
    page: view.page,
    size: PAGE_SIZE,
  })

/** What the list is filtered by, on every page; those of this week are due until Sunday. */
export function filtersOf({ search, group, ordering, ...filters }: PaymentsSearch, today: string) {
  const { advertiser, currency, due_from, due_to } = filters
  const days = group === 'week' ? weekOf(today, { due_from, due_to }) : { due_from, due_to }
  return {
    search,
    ordering: ordering ?? orderingOf(group),
    status: group === 'week' ? 'due' : group,
    advertiser,
    currency,
    ...days,
  }
}

/** What is to come in is listed by its due day. */
export const orderingOf = (group: PaymentsSearch['group']) =>
  group === 'overdue' || group === 'week' || group === 'due' ? 'due_on' : DEFAULT_ORDERING

/** What is due until the end of the week, as far as the filters find it. */
export const useWeek = (view: PaymentsSearch, today: string) =>
  useListPage<List>({
    key: ['payments', 'week'],
    path: PATH,
    filters: filtersOf({ ...view, group: 'week' }, today),
    page: 1,
    size: 1,
  })

export const usePayment = (id: number) =>
  useQuery<Payment, Problem>({
    queryKey: ['payments', 'one', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    staleTime: 0,
    retry: false,
  })

export const useUpdate = (id: number) =>
  useChange((body: z.input<typeof UpdatePayment>) => client.patch<Payment>(`${PATH}${id}/`, { body }))

export const useVoid = (id: number) =>
  useChange((body: { version: number; reason: string }) =>
    client.post<Payment>(`${PATH}${id}/void/`, { body }),
  )

export const useAddReceipt = (id: number) =>
  useChange((body: z.input<typeof CreateReceipt>) => client.post<Payment>(`${PATH}${id}/receipt/`, { body }))

export const useReverse = (id: number) =>
  useChange(({ receipt, ...body }: { receipt: number; version: number; reason: string }) =>
    client.post<Payment>(`${PATH}${id}/receipt/${receipt}/reverse/`, { body }),
  )

/** A change of a payment shows in lists of payments, in its order and at its advertiser. */
function useChange<Input>(send: (input: Input) => Promise<Payment>) {
  const reload = useReload('payments', 'orders', 'advertisers')
  return useMutation<Payment, Problem, Input>({
    mutationFn: send,
    onSuccess: reload,
    onError: problem => (problem.status === 409 ? reload() : undefined),
  })
}
