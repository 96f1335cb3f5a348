import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Issuer, UpdateIssuer } from '#shared/api/customers.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

const ISSUER = '/api/ad_insertion/issuer/'

export const useIssuer = () =>
  useQuery<Issuer, Problem>({
    queryKey: ['issuer'],
    queryFn: ({ signal }) => client.get(ISSUER, { signal }),
  })

/** Drafts of orders and the months of spending show what is changed here. */
export function useUpdateIssuer() {
  const reload = useReload('issuer', 'orders', 'ec-spend')
  return useMutation<Issuer, Problem, z.input<typeof UpdateIssuer>>({
    mutationFn: body => client.patch<Issuer>(ISSUER, { body }),
    onSuccess: reload,
  })
}
