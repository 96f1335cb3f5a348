import {
  IconBuildingStore,
  IconFiles,
  IconLink,
  IconPhoto,
  IconSpeakerphone,
  IconTargetArrow,
  IconWorldWww,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { mayReach } from '#shared/access.ts'
import { namedKinds, type NamedKind } from '#shared/named-kinds.ts'
import { useMe } from '#web/client/me.ts'
import { useNamed } from './data.ts'
import type { Entry } from './use-entries.ts'

type Navigate = ReturnType<typeof useNavigate>

const LIST = { search: '', page: 1 }

/** What the server finds by name, and where it opens. A further kind is a line here and one in the server. */
const opens: Record<NamedKind, { icon: Icon; open: (navigate: Navigate, id: number) => Promise<void> }> = {
  advertisers: {
    icon: IconBuildingStore,
    open: async (navigate, id) =>
      navigate({ to: '/customer/advertiser/$id', params: { id: String(id) }, search: {} }),
  },
  target_audiences: {
    icon: IconTargetArrow,
    open: async (navigate, id) =>
      navigate({ to: '/advertisement/target-audience', search: { ...LIST, target_audience: id } }),
  },
  links: {
    icon: IconLink,
    open: async (navigate, id) =>
      navigate({ to: '/advertisement/create-link', search: { ...LIST, link: id } }),
  },
  sites: {
    icon: IconWorldWww,
    open: async (navigate, id) => navigate({ to: '/material/site', search: { ...LIST, site: id } }),
  },
  publishers: {
    icon: IconSpeakerphone,
    open: async (navigate, id) => navigate({ to: '/material/media', search: { ...LIST, publisher: id } }),
  },
  images: {
    icon: IconPhoto,
    open: async (navigate, id) => navigate({ to: '/material/image', search: { ...LIST, image: id } }),
  },
  files: {
    icon: IconFiles,
    open: async (navigate, id) => navigate({ to: '/material/file', search: { ...LIST, file: id } }),
  },
}

/** All kinds in one request. Clients may not see any, so that nothing is asked for them. */
export function useNamedEntries(typed: string) {
  const navigate = useNavigate()
  const isAllowed = mayReach(useMe(), 'staff')
  const found = useNamed(typed, isAllowed)
  const results = typed === '' ? [] : (found.data?.results ?? [])
  const entriesOf = (kind: NamedKind): Entry[] =>
    results
      .filter(result => result.kind === kind)
      .map(({ id, name, advertiser_name }) => ({
        key: `${kind} ${id}`,
        name,
        names: [name],
        note: advertiser_name,
        icon: opens[kind].icon,
        open: () => void opens[kind].open(navigate, id),
      }))
  return {
    groups: namedKinds.map(kind => ({ kind, entries: entriesOf(kind) })),
    is_searching: isAllowed && (found.isPending || found.isPlaceholderData),
    has_failed: found.isError,
  }
}
