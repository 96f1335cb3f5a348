import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CreateFeeAgreement, FeeAgreement, UpdateFeeAgreement } from '#shared/api/customers.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

const pathOf = (advertiser: number) => `/api/advertiser/${advertiser}/fee-agreement/`

/** What the customer pays the agency, from the latest month back. */
export const useFeeAgreements = (advertiser: number) =>
  useQuery<FeeAgreement[], Problem>({
    queryKey: ['advertisers', 'fees', advertiser],
    queryFn: async ({ signal }) =>
      (await client.get<{ results: FeeAgreement[] }>(pathOf(advertiser), { signal })).results,
  })

/** A new one, or the change of one that is there. */
export const useSaveAgreement = (advertiser: number, before?: Pick<FeeAgreement, 'id' | 'version'>) =>
  useChange((body: z.input<typeof CreateFeeAgreement>) =>
    before
      ? client.patch<FeeAgreement>(`${pathOf(advertiser)}${before.id}/`, {
          body: { ...body, version: before.version },
        })
      : client.post<FeeAgreement>(pathOf(advertiser), { body }),
  )

export const useUpdateAgreement = (advertiser: number, id: number) =>
  useChange((body: z.input<typeof UpdateFeeAgreement>) =>
    client.patch<FeeAgreement>(`${pathOf(advertiser)}${id}/`, { body }),
  )

export const useRemoveAgreement = (advertiser: number) =>
  useChange(({ id, version }: Pick<FeeAgreement, 'id' | 'version'>) =>
    client.delete<null>(`${pathOf(advertiser)}${id}/`, { body: { version } }),
  )

/** Also a refused change reads the agreements anew: somebody else may have changed them. */
function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const reload = useReload('advertisers')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSettled: reload })
}
