import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  BeginSecondFactor,
  ProvenAgain,
  RecoveryCodes,
  SecondFactor,
  SecondFactorSecret,
} from '#shared/api/second-factor.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const PATH = '/api/second-factor/'
const KEY = ['second-factor']

export const useSecondFactor = () =>
  useQuery<SecondFactor, Problem>({
    queryKey: KEY,
    queryFn: ({ signal }) => client.get(PATH, { signal }),
    staleTime: 0,
  })

/** The secret is discarded with the dialog that shows it; so are the codes below. */
export const useBegin = () =>
  useMutation<SecondFactorSecret, Problem, z.input<typeof BeginSecondFactor>>({
    mutationFn: body => client.post(PATH, { body }),
    gcTime: 0,
  })

export const useConfirm = () =>
  useChange((code: string) => client.post<RecoveryCodes>(`${PATH}confirm/`, { body: { code } }))

export const useNewCodes = () =>
  useChange((body: z.input<typeof ProvenAgain>) =>
    client.post<RecoveryCodes>(`${PATH}recovery-codes/`, { body }),
  )

export const useTurnOff = () =>
  useChange((body: z.input<typeof ProvenAgain>) => client.delete<null>(PATH, { body }))

function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation<Reply, Problem, Input>({
    mutationFn: send,
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}
