import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  Audience,
  AudienceList,
  AudienceSources,
  AudienceEvent,
  AudienceUpload,
  CheckReply,
  CreateAudience,
  ShareAudience,
  ShareAudienceReply,
  ShareReply,
  UpdateAudience,
} from '#shared/api/audiences.ts'
import type { AdAccount, AdAccountList } from '#shared/api/ad-accounts.ts'
import type { User } from '#shared/api/people.ts'
import type { ShareState } from '#shared/audiences.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import { useIsInternal, useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { audiencesQuery, PATH } from './list-query.ts'
import type { AudiencesSearch } from './search.ts'

/** While the platforms work on a share; no event announces what they say. */
const AGAIN_MS = 5000

export const useAudiences = (view: AudiencesSearch) =>
  useQuery<AudienceList, Problem>({
    ...audiencesQuery(view),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.results.some(isOnItsWay) ? AGAIN_MS : false),
  })

export const useAudience = (id: number) =>
  useQuery<Audience, Problem>({
    queryKey: ['audiences', 'one', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data && isOnItsWay(state.data) ? AGAIN_MS : false),
  })

const isOnItsWay = ({ shares }: Audience) => shares.some(isMoving)
const moving: readonly ShareState[] = ['queued', 'creating', 'uploading', 'matching', 'removing']
const isMoving = ({ state }: { state: ShareState }) => moving.includes(state)

export const useUploads = (id: number) =>
  useQuery<AudienceUpload[], Problem>({
    queryKey: ['audiences', 'uploads', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/uploads/`, { signal }),
    staleTime: 0,
  })

export const useHistory = (id: number) =>
  useQuery<AudienceEvent[], Problem>({
    queryKey: ['audiences', 'history', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/history/`, { signal }),
    staleTime: 0,
  })

/** Employees have every plan; a client's own account says it. */
export function useMayWrite(): boolean | undefined {
  const isInternal = useIsInternal()
  const { user_id } = useMe()
  const { data } = useQuery<User, Problem>({
    queryKey: ['users', 'self', user_id],
    queryFn: ({ signal }) => client.get(`/users/${user_id}/`, { signal }),
    enabled: !isInternal,
  })
  return isInternal || (data && data.plan === ADVANCED)
}

const ADVANCED = 1

export const useSources = (advertiser: number | null) =>
  useQuery<AudienceSources, Problem>({
    queryKey: ['audiences', 'sources', advertiser],
    queryFn: ({ signal }) => client.get(`${PATH}sources/`, { query: { advertiser }, signal }),
    enabled: advertiser !== null,
  })

/** What a lookalike can be made of: audiences of the advertiser that Meta has. */
export const useSeeds = (advertiser: number | null) =>
  useQuery<Audience[], Problem>({
    queryKey: ['audiences', 'seeds', advertiser],
    queryFn: async ({ signal }) => {
      const query = { advertiser, channel: 'fb', ordering: 'name' }
      const all = await readAll(rows =>
        client.get<AudienceList>(PATH, { query: { ...query, ...rows }, signal }),
      )
      return all.filter(({ kind }) => kind === 'customer_file' || kind === 'website')
    },
    enabled: advertiser !== null,
  })

export const useAccounts = (advertiser: number) =>
  useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'of', advertiser],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
          query: { advertiser, ordering: 'name', ...rows },
          signal,
        }),
      ),
    staleTime: 60_000,
  })

/**
 * The advertisers of a client, who may read no list of them: those of their ad accounts. null: somebody of
 * the agency, or not known yet.
 */
export function useOwnAdvertisers(): { id: number; name: string }[] | null {
  const isInternal = useIsInternal()
  const { data } = useQuery<AdAccount[], Problem>({
    queryKey: ['accounts', 'own'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof AdAccountList>>('/api/ad/account/', {
          query: { ordering: 'name', ...rows },
          signal,
        }),
      ),
    enabled: !isInternal,
    staleTime: 60_000,
  })
  if (isInternal || !data) return null
  const names = new Map(data.map(({ advertiser: id, advertiser_name: name }) => [id, name]))
  return [...names].flatMap(([id, name]) => (id === null ? [] : [{ id, name: name ?? '' }]))
}

/** Whether an audience can be shared with an account, and what to do where it cannot. */
export function useCheck({ account, audience }: { account: number; audience: number }) {
  const queries = useQueryClient()
  const queryKey = ['audiences', 'check', audience, account]
  const ask = (more: { again?: true } = {}) =>
    client.get<CheckReply>(`${PATH}check-ad-account-permission`, {
      query: { ad_account: account, audience, ...more },
    })
  const check = useQuery<CheckReply, Problem>({ queryKey, queryFn: () => ask(), staleTime: 60_000 })
  // The server keeps what the platform has said.
  const again = useMutation<CheckReply, Problem>({
    mutationFn: () => ask({ again: true }),
    onSuccess: found => queries.setQueryData(queryKey, found),
  })
  return { data: check.data, error: again.error ?? check.error, again }
}

// Changes.

export const useCreateAudience = () =>
  useChange((body: CreateAudience) => client.post<Audience>(PATH, { body }))

export const useUpdateAudience = (id: number) =>
  useChange((body: UpdateAudience) => client.patch<Audience>(`${PATH}${id}/`, { body }))

export const useDeleteAudience = (id: number) =>
  useChange((body: { version: number }) => client.delete<null>(`${PATH}${id}/`, { body }))

export const useShare = () =>
  useChange((body: z.input<typeof ShareAudience>) =>
    client.post<ShareAudienceReply>(`${PATH}share-custom-audience`, { body }),
  )

type SharedReply = z.infer<typeof ShareReply>
type ShareChange =
  | { share: number; what: 'retry' | 'unshare' }
  | { share: number; what: 'follow'; follows: boolean }

export const useChangeShare = (id: number) =>
  useChange(async (change: ShareChange) => {
    const path = `${PATH}${id}/shares/${change.share}/`
    switch (change.what) {
      case 'retry':
        return await client.post<SharedReply>(`${path}retry/`)
      case 'unshare':
        return await client.delete<SharedReply>(path)
      case 'follow':
        return await client.patch<SharedReply>(path, { body: { auto_sync: change.follows } })
    }
  })

function useChange<Input, Result>(send: (input: Input) => Promise<Result>) {
  const reload = useReload('audiences')
  return useMutation<Result, Problem, Input>({
    mutationFn: send,
    onSuccess: reload,
    onError: problem => (problem.status === 409 ? reload() : undefined),
  })
}
