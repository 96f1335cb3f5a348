import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  BulkLinks,
  BulkLinksReply,
  CreateLink,
  CreateLinkPreset,
  Link,
  LinkList,
  LinkPreset,
  LinkPresetList,
  UpdateLink,
  UpdateLinkPreset,
} from '#shared/api/links.ts'
import type { FileList, ImageList, PublisherList, SiteList } from '#shared/api/materials.ts'
import { ga4Channels } from '#shared/links/channels.ts'
import { linkPlatforms } from '#shared/links/platforms.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { LinksSearch } from './search.ts'

export const LINKS = '/api/ad/'
export const PRESETS = '/api/ad/preset/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'

// Links.

/** What the list is filtered by, on every page; what the address has and nobody knows filters nothing. */
export const filtersOf = ({ search, advertiser, ordering = DEFAULT_ORDERING, ...view }: LinksSearch) => ({
  search,
  ordering,
  advertiser,
  platform: linkPlatforms.find(name => name === view.platform),
  ga4_channel: ga4Channels.find(name => name === view.ga4_channel),
  site: view.site,
  publisher: view.publisher,
  image: view.image,
  file: view.file,
})

export const useLinks = (view: LinksSearch) =>
  useListPage<LinkList>({
    key: ['links', 'list'],
    path: LINKS,
    filters: filtersOf(view),
    page: view.page,
    size: PAGE_SIZE,
  })

export const useLink = (id: number) =>
  useQuery<Link, Problem>({
    queryKey: ['links', 'one', id],
    queryFn: ({ signal }) => client.get(`${LINKS}${id}/`, { signal }),
    staleTime: 0,
    retry: false,
  })

export const useCreateLink = () => useChange((body: CreateLink) => client.post<Link>(LINKS, { body }))

export const useUpdateLink = (id: number) =>
  useChange((body: UpdateLink) => client.patch<Link>(`${LINKS}${id}/`, { body }))

/** Only where this installation may send requests to any host. */
export const useHasChecks = () => useMe().has_link_checks

/** Follows a link to its end; the link keeps the outcome. */
export const useCheckLink = () => useChange((id: number) => client.post<Link>(`${LINKS}${id}/check/`))

/** Many at once. */
export const useBulkLinks = () => useChange((body: BulkLinks) => sendMany(body, false))

/** What would become of them. */
export const useBulkTrial = () =>
  useMutation<BulkLinksReply, Problem, BulkLinks>({ mutationFn: body => sendMany(body, true) })

const sendMany = (body: BulkLinks, isTrial: boolean) =>
  client.post<BulkLinksReply>(`${LINKS}bulk/`, { body, query: { dry_run: isTrial } })

// Presets.

/** Those for the links of an advertiser; without one all that the reader sees. */
export const usePresets = (advertiser: number | null) =>
  useQuery<LinkPreset[], Problem>({
    queryKey: ['links', 'presets', advertiser],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof LinkPresetList>>(PRESETS, {
          query: { ordering: 'name', ...(advertiser !== null && { advertiser }), ...rows },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** A preset among them; null is also none that is known yet. */
export function usePreset(advertiser: number | null, id: number | null) {
  const presets = usePresets(advertiser)
  const preset = presets.data?.find(found => found.id === id) ?? null
  const isRead = presets.data !== undefined && !presets.isPlaceholderData
  return { presets, preset, isUnknown: id !== null && preset === null && !isRead }
}

export const useCreatePreset = () =>
  useChange((body: CreateLinkPreset) => client.post<LinkPreset>(PRESETS, { body }))

export const useUpdatePreset = (id: number) =>
  useChange((body: UpdateLinkPreset) => client.patch<LinkPreset>(`${PRESETS}${id}/`, { body }))

function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  // The search finds links, and images and files say how many have them.
  const reload = useReload('links', 'palette', 'images', 'files')
  return useMutation<Reply, Problem, Input>({ mutationFn: send, onSuccess: reload })
}

// What a link refers to.

const MOST_FOUND = 50

export interface Choice {
  id: number
  name: string
}

/** Sites of an advertiser. */
export const useSites = (advertiser: number | null) =>
  useQuery<Choice[], Problem>({
    queryKey: ['sites', 'of', advertiser],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof SiteList>>('/api/site/', {
          query: { advertiser, ordering: 'name', ...rows },
          signal,
        }),
      ),
    enabled: advertiser !== null,
  })

export const usePublishers = () =>
  useQuery<Choice[], Problem>({
    queryKey: ['publishers', 'all'],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof PublisherList>>('/api/publisher/', {
          query: { ordering: 'name', ...rows },
          signal,
        }),
      ),
  })

/** Images or files of an advertiser and of the agency, by name. */
export const useMaterials = (kind: 'image' | 'file', advertiser: number | null, search: string) =>
  useQuery<Choice[], Problem>({
    queryKey: [`${kind}s`, 'of', advertiser, search],
    queryFn: async ({ signal }) => {
      const read = (owner: { advertiser: number | null } | { is_agency: true }) =>
        client.get<ImageList | FileList>(`/api/${kind}/`, {
          query: { ...owner, search, ordering: 'name', limit: MOST_FOUND },
          signal,
        })
      const lists = await Promise.all([read({ advertiser }), read({ is_agency: true })])
      return lists.flatMap(({ results }) => results.map(({ id, name }) => ({ id, name })))
    },
    enabled: advertiser !== null,
    placeholderData: keepPreviousData,
  })

export type Reference = 'site' | 'publisher' | 'image' | 'file'

/** The one that is chosen, which may not be among those that were found. */
export const useChosen = (kind: Reference, id: number | null) =>
  useQuery<Choice, Problem>({
    queryKey: [`${kind}s`, 'one', id],
    queryFn: ({ signal }) => client.get(`/api/${kind}/${id}/`, { signal }),
    enabled: id !== null,
    retry: false,
  })
