import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccountList, CheckAccountReply } from '#shared/api/ad-accounts.ts'
import type { Instructions, UpdateInstructions } from '#shared/api/instructions.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const PATH = '/api/instructions/'

export const useInstructions = () =>
  useQuery<Instructions, Problem>({
    queryKey: ['instructions'],
    queryFn: ({ signal }) => client.get(PATH, { signal }),
  })

export function useSaveValues() {
  const queries = useQueryClient()
  return useMutation<Instructions, Problem, UpdateInstructions>({
    mutationFn: body => client.patch(PATH, { body }),
    onSuccess: saved => queries.setQueryData(['instructions'], saved),
  })
}

/** Accounts of the channel by name, as many as fit a list; typing finds the others. */
export const useAccounts = (channel: Channel, search: string) =>
  useQuery<Named[], Problem>({
    queryKey: ['instructions', 'accounts', channel, search],
    queryFn: async ({ signal }) => {
      const query = { search, ordering: 'name', limit: 50 }
      if (channel !== 'ga4')
        return (
          await client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
            query: { ...query, channel },
            signal,
          })
        ).results
      const { results } = await client.get<{
        results: { id: number; property_name: string; property_id: string }[]
      }>('/api/ga4-view/', { query, signal })
      return results.map(({ id, property_name, property_id }) => ({
        id,
        name: property_name,
        external_id: property_id,
      }))
    },
  })

interface Named {
  id: number
  name: string
  external_id: string
}

export const useCheck = () =>
  useMutation<CheckAccountReply, Problem, number>({
    mutationFn: id => client.post(`/api/ad/account/${id}/check/`),
  })
