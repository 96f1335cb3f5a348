import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReportView, ViewFilters } from '#shared/api/report-views.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

const VIEWS = '/api/gs-template-view/'

export const useViews = () =>
  useQuery<ReportView[], Problem>({
    queryKey: ['views'],
    queryFn: ({ signal }) => client.get(VIEWS, { signal }),
  })

/** Saves a view, changes one, or deletes it. */
function useViewChange<Input, Reply>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('views')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: reload })
}

export const useSaveView = () =>
  useViewChange((body: { name: string; filters: ViewFilters }) => client.post<ReportView>(VIEWS, { body }))

export const useChangeView = (id: number) =>
  useViewChange((body: { name?: string; filters?: ViewFilters }) =>
    client.patch<ReportView>(`${VIEWS}${id}/`, { body }),
  )

export const useDeleteView = () => useViewChange((id: number) => client.delete<unknown>(`${VIEWS}${id}/`))
