import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CreatePublisher, Publisher, PublisherList, UpdatePublisher } from '#shared/api/materials.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { PublishersSearch } from './search.ts'

export const PUBLISHERS = '/api/publisher/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = 'name'

export const usePublishers = (view: PublishersSearch) =>
  useListPage<z.infer<typeof PublisherList>>({
    key: ['publishers', 'list'],
    path: PUBLISHERS,
    filters: publisherFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const publisherFilters = ({
  page: _page,
  publisher: _publisher,
  ordering = DEFAULT_ORDERING,
  ...filters
}: PublishersSearch) => ({ ...filters, ordering })

export const usePublisher = (id: number) =>
  useQuery<Publisher, Problem>({
    queryKey: ['publishers', 'one', id],
    queryFn: ({ signal }) => client.get(`${PUBLISHERS}${id}/`, { signal }),
    staleTime: 0,
  })

export const useCreatePublisher = () =>
  useChange((body: CreatePublisher) => client.post<Publisher>(PUBLISHERS, { body }))

export const useUpdatePublisher = (id: number) =>
  useChange((body: UpdatePublisher) => client.patch<Publisher>(`${PUBLISHERS}${id}/`, { body }))

/** The search palette finds them by name. */
export const useReloadPublishers = () => useReload('publishers', 'palette')

function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReloadPublishers()
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: () => void reload() })
}
