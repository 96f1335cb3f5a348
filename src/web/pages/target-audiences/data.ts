import { useMutation, useQuery } from '@tanstack/react-query'
import type { Audience, AudienceList } from '#shared/api/audiences.ts'
import type {
  CreateTargetAudience,
  TargetAudience,
  TargetAudienceList,
  UpdateTargetAudience,
} from '#shared/api/target-audiences.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { TargetAudiencesSearch } from './search.ts'

export const TARGET_AUDIENCES = '/api/targetaudience/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-last_modified_at'

export const useTargetAudiences = (view: TargetAudiencesSearch) =>
  useListPage<TargetAudienceList>({
    key: ['target-audiences', 'list'],
    path: TARGET_AUDIENCES,
    filters: targetAudienceFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const targetAudienceFilters = ({
  search,
  advertiser,
  ordering = DEFAULT_ORDERING,
}: TargetAudiencesSearch) => ({ search, advertiser, ordering })

export const useTargetAudience = (id: number) =>
  useQuery<TargetAudience, Problem>({
    queryKey: ['target-audiences', 'one', id],
    queryFn: ({ signal }) => client.get(`${TARGET_AUDIENCES}${id}/`, { signal }),
    staleTime: 0,
  })

/** All audience lists of an advertiser, by name. */
export const useAudiencesOf = (advertiser: number | null) =>
  useQuery<Audience[], Problem>({
    queryKey: ['audiences', 'of', advertiser],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<AudienceList>('/api/lta/', { query: { advertiser, ordering: 'name', ...rows }, signal }),
      ),
    enabled: advertiser !== null,
    staleTime: 60_000,
  })

export const useCreateTargetAudience = () =>
  useChange((body: CreateTargetAudience) => client.post<TargetAudience>(TARGET_AUDIENCES, { body }))

export const useUpdateTargetAudience = (id: number) =>
  useChange((body: UpdateTargetAudience) =>
    client.patch<TargetAudience>(`${TARGET_AUDIENCES}${id}/`, { body }),
  )

/** The search palette finds them by name. */
export const useReloadTargetAudiences = () => useReload('target-audiences', 'palette')

function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReloadTargetAudiences()
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: () => void reload() })
}
