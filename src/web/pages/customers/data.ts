import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  Agent,
  AgentList,
  CreateAgent,
  CreateIndustry,
  Industry,
  IndustryList,
  MergeIndustry,
  UpdateAgent,
  UpdateIndustry,
} from '#shared/api/customers.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { ListSearch } from '#web/client/search.ts'
import type { AgentsSearch } from './search.ts'

export const INDUSTRIES = '/api/industry/'
export const AGENTS = '/api/agent/'
export const ADVERTISERS = '/api/advertiser/'
export const PAGE_SIZE = 10

// Industries.

export const useIndustries = (view: ListSearch) =>
  useListPage<z.infer<typeof IndustryList>>({
    key: ['industries', 'list'],
    path: INDUSTRIES,
    filters: industryFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const industryFilters = ({ search, ordering = 'name' }: ListSearch) => ({ search, ordering })

/** All of them, to choose one. */
export const useAllIndustries = () =>
  useQuery<Industry[], Problem>({
    queryKey: ['industries', 'all'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof IndustryList>>(INDUSTRIES, {
          query: { ordering: 'name', ...rows },
          signal,
        }),
      ),
    staleTime: 60_000,
  })

export const useCreateIndustry = () =>
  useChange((body: z.input<typeof CreateIndustry>) => client.post<Industry>(INDUSTRIES, { body }))

export const useUpdateIndustry = (id: number) =>
  useChange((body: z.input<typeof UpdateIndustry>) => client.patch<Industry>(`${INDUSTRIES}${id}/`, { body }))

export const useMergeIndustry = (id: number) =>
  useChange((body: z.input<typeof MergeIndustry>) =>
    client.post<unknown>(`${INDUSTRIES}${id}/merge/`, { body }),
  )

// Agents.

export const useAgents = (view: AgentsSearch) =>
  useListPage<z.infer<typeof AgentList>>({
    key: ['agents', 'list'],
    path: AGENTS,
    filters: agentFilters(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const agentFilters = ({ search, ordering = 'name', is_active }: AgentsSearch) => ({
  search,
  ordering,
  is_active,
})

/** All of them, the inactive ones too, to choose one and to name them. */
export const useAllAgents = () =>
  useQuery<Agent[], Problem>({
    queryKey: ['agents', 'all'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AgentList>>(AGENTS, { query: { ordering: 'name', ...rows }, signal }),
      ),
    staleTime: 60_000,
  })

export const useAgent = (id: number | undefined) =>
  useQuery<Agent, Problem>({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) => client.get(`${AGENTS}${id}/`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })

export const useCreateAgent = () =>
  useChange((body: z.input<typeof CreateAgent>) => client.post<Agent>(AGENTS, { body }))

export const useUpdateAgent = (id: number) =>
  useChange((body: z.input<typeof UpdateAgent>) => client.patch<Agent>(`${AGENTS}${id}/`, { body }))

// All three.

/** Whatever changes here changes the counts and names that the others show. */
export function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('industries', 'agents', 'advertisers', 'clients')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: reload })
}
