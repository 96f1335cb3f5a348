import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type { Advertiser, AdvertiserSpend, UpdateAdvertiser } from '#shared/api/advertisers.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { ADVERTISERS, useChange } from '#web/pages/customers/data.ts'

const ACCOUNTS = '/api/ad/account/'

export const useAdvertiser = (id: number) =>
  useQuery<Advertiser, Problem>({
    queryKey: ['advertisers', 'one', id],
    queryFn: ({ signal }) => client.get(`${ADVERTISERS}${id}/`, { signal }),
  })

export const useUpdateAdvertiser = (id: number) =>
  useChange((body: z.input<typeof UpdateAdvertiser>) =>
    client.patch<Advertiser>(`${ADVERTISERS}${id}/`, { body }),
  )

/** What it has spent in this month and the twelve before. */
export const useSpendMonths = (id: number) =>
  useQuery<AdvertiserSpend, Problem>({
    queryKey: ['advertisers', 'spend', id],
    queryFn: ({ signal }) => client.get(`${ADVERTISERS}${id}/spend/`, { signal }),
    staleTime: 60_000,
  })

/** Its accounts, views and properties, as far as one may use them. */
export const useRelatedAccounts = (id: number) =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'of-advertiser', id],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdAccountList>>(ACCOUNTS, {
          query: { advertiser: id, ordering: 'name', ...rows },
          signal,
        }),
      ),
  })

const MOST_ACCOUNTS = 2000

/** Every account that one may use, whoever it belongs to. */
export const useUsableAccounts = () =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'usable'],
    queryFn: ({ signal }) =>
      readAll(
        rows =>
          client.get<z.infer<typeof AdAccountList>>(ACCOUNTS, {
            query: { ordering: 'name', ...rows },
            signal,
          }),
        MOST_ACCOUNTS,
      ),
    staleTime: 60_000,
  })

/** Views and properties of analytics have a path of their own. */
const isView = ({ channel }: Pick<AdAccount, 'channel'>) => channel === 'ga' || channel === 'ga4'

/** Relates accounts of any kind to an advertiser, or releases them. */
export function useRelation(advertiser: number, method: 'relate' | 'release') {
  const reload = useReload('advertisers', 'accounts', 'clients', 'reports')
  const send = method === 'relate' ? client.post : client.delete
  return useMutation<void, Problem, readonly AdAccount[]>({
    async mutationFn(accounts) {
      const views = accounts.filter(isView).map(({ id }) => id)
      const ads = accounts.filter(account => !isView(account)).map(({ id }) => id)
      if (ads.length > 0)
        await send(`${ADVERTISERS}relate/ad-account/`, { body: { advertiser, ad_accounts: ads } })
      if (views.length > 0)
        await send(`${ADVERTISERS}relate/ga-view/`, { body: { advertiser, ga_views: views } })
    },
    onSettled: reload,
  })
}
