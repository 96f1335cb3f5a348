import { useMutation, useQuery } from '@tanstack/react-query'
import type { Image } from '#shared/api/materials.ts'
import { imageFormats, type ImageFormat } from '#shared/materials/image-formats.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { materialQuery, useMaterialPage, useReloadMaterials } from '#web/pages/materials/data.ts'
import { materialPaths } from '#web/pages/materials/paths.ts'
import type { ImagesSearch } from './search.ts'

/** Full rows of a grid, whether it has 2, 3, 4 or 6 columns. */
export const PAGE_SIZE = 24
export const DEFAULT_ORDERING = '-id'

/** What the list is filtered by, on every page. */
export const filtersOf = ({
  page: _page,
  layout: _layout,
  image: _image,
  ordering = DEFAULT_ORDERING,
  format,
  ...filters
}: ImagesSearch) => ({ ...filters, ordering, meets: knownFormat(format) })

export const knownFormat = (format: string | undefined): ImageFormat | undefined =>
  imageFormats.find(known => known === format)

export const useImages = (view: ImagesSearch) =>
  useMaterialPage({ kind: 'image', filters: filtersOf(view), page: view.page, size: PAGE_SIZE })

/** One of them; `known` is what the list says of it. */
export const useImage = (id: number, known: Image | undefined) =>
  useQuery<Image, Problem>({ ...materialQuery<Image>('image', id), placeholderData: () => known })

/** A copy that is cut to a format. */
export function useFitImage(id: number) {
  const reload = useReloadMaterials('image')
  return useMutation<Image, Problem, ImageFormat>({
    mutationFn: format => client.post(`${materialPaths.image}${id}/fit/`, { body: { format } }),
    onSuccess: reload,
  })
}
