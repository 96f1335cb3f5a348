import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EcSpend } from '#shared/api/ec-spend.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import type { View } from './view.ts'

export const PATH = '/api/ad/ecspend/'

/** While accounts are fetched for the first time. */
const FILLING_MS = 10_000

type Filters = Pick<View, 'from' | 'to' | 'advertiser' | 'industry' | 'channel' | 'group' | 'convert'>

export const useSpend = (view: Filters) =>
  useQuery<EcSpend, Problem>({
    ...spendQuery(filtersOf(view)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? FILLING_MS : false),
  })

/** The accounts of one advertiser, once somebody wants to see them. */
export const useAccountSpend = (view: Filters, advertiser: number) =>
  useQuery<EcSpend, Problem>(spendQuery({ ...filtersOf(view), advertiser, group: 'account' }))

/** What the page asks for, and the file of it. Advertisers open into channels, so these are asked for. */
export const filtersOf = ({ from, to, advertiser, industry, channel, group, convert }: Filters) => ({
  from,
  to,
  advertiser,
  industry,
  channel,
  group: group === 'account' && (advertiser !== undefined || from === to) ? group : ('channel' as const),
  convert: convert ?? false,
})

const spendQuery = (query: ReturnType<typeof filtersOf>) => ({
  queryKey: ['ec-spend', 'months', query],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.get<EcSpend>(PATH, { query, signal }),
})
