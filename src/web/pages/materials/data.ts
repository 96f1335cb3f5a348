import { keepPreviousData, useMutation, useQuery, type Query as CachedQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  File as StoredFile,
  FileList,
  Image,
  ImageList,
  MaterialTags,
  StorageUse,
  UpdateMaterial,
} from '#shared/api/materials.ts'
import { client } from '#web/client/client.ts'
import type { Query } from '#web/client/http.ts'
import { rowsOf } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { materialPaths, type MaterialKind } from './paths.ts'

interface Rows {
  image: Image
  file: StoredFile
}
interface Lists {
  image: ImageList
  file: FileList
}

/** First element of the keys of everything that is cached of a kind. */
const keys = { image: 'images', file: 'files' } as const satisfies Record<MaterialKind, string>
const STORAGE = 'storage'

/** Links are signed for at least fifteen minutes. */
const LINKS_LAST_MS = 14 * 60_000

/** Whoever comes back to a page that was left open finds links that still work. */
const linksAreOld = ({ state }: Pick<CachedQuery, 'state'>) =>
  Date.now() - state.dataUpdatedAt > LINKS_LAST_MS ? ('always' as const) : false

interface MaterialPage<Kind> {
  kind: Kind
  /** What the list is filtered by, on every page. */
  filters: Query
  /** From 1. */
  page: number
  size: number
}

/** One page of a list; the one before stays until it is there. */
export function useMaterialPage<Kind extends MaterialKind>(props: MaterialPage<Kind>) {
  const { kind, filters, page, size } = props
  const query = { ...filters, ...rowsOf(page, size) }
  return useQuery<Lists[Kind], Problem>({
    queryKey: [keys[kind], 'list', query],
    queryFn: ({ signal }) => client.get(materialPaths[kind], { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: linksAreOld,
  })
}

/** One of them, as the cache reads it. */
export const materialQuery = <Row>(kind: MaterialKind, id: number) => ({
  queryKey: [keys[kind], 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.get<Row>(`${materialPaths[kind]}${id}/`, { signal }),
  staleTime: 0,
  retry: false,
  refetchOnWindowFocus: linksAreOld,
})

/** The tags in use, by how often. */
export const useMaterialTags = (kind: MaterialKind) =>
  useQuery<z.infer<typeof MaterialTags>, Problem>({
    queryKey: [keys[kind], 'tags'],
    queryFn: ({ signal }) => client.get(`${materialPaths[kind]}tags/`, { signal }),
    staleTime: 60_000,
  })

/** Bytes used and allowed, of an advertiser or of the agency itself. */
export const useStorageUse = (advertiser: number | null) =>
  useQuery<z.infer<typeof StorageUse>, Problem>({
    queryKey: [STORAGE, advertiser],
    queryFn: ({ signal }) => client.get(`${materialPaths.file}usage/`, { query: { advertiser }, signal }),
  })

/** Links that are younger than this do not work for another reason. */
const LINKS_ARE_NEW_MS = 60_000

/** What is done when a picture does not load: its link may have expired, and the list has newer ones. */
export function useNewLinks({ dataUpdatedAt, refetch }: NewLinks): () => void {
  return () => {
    if (Date.now() - dataUpdatedAt > LINKS_ARE_NEW_MS) void refetch({ cancelRefetch: false })
  }
}

interface NewLinks {
  dataUpdatedAt: number
  refetch: (options: { cancelRefetch: boolean }) => unknown
}

// Changes.

export function useUpdateMaterial<Kind extends MaterialKind>(kind: Kind, id: number) {
  const reload = useReloadMaterials(kind)
  return useMutation<Rows[Kind], Problem, UpdateMaterial>({
    mutationFn: body => client.patch(`${materialPaths[kind]}${id}/`, { body }),
    // The form goes on at once: it does not wait for the lists.
    onSuccess: () => void reload(),
  })
}

/** What is shown of a kind, how much room is left, and what the search palette finds by name. */
export const useReloadMaterials = (kind: MaterialKind) => useReload(keys[kind], STORAGE, 'palette')
