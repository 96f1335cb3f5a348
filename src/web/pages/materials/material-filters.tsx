import type { ReactNode } from 'react'
import type { Change } from '#web/client/search.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useMaterialTags } from './data.ts'
import { OwnerField } from './owner-field.tsx'
import type { Owner } from './owner.ts'
import type { MaterialKind } from './paths.ts'
import type { MaterialSearch } from './search.ts'

interface MaterialFiltersProps {
  kind: MaterialKind
  search: string
  view: MaterialSearch
  onChange: (change: Change<MaterialSearch>) => void
  /** Further ones, before the last. */
  children?: ReactNode
}

/** What both lists can be filtered by. */
export function MaterialFilters({ kind, search, view, onChange, children }: MaterialFiltersProps) {
  const { t } = useTranslation('materials')
  return (
    <>
      <SearchField label={search} value={view.search} onSearch={text => onChange({ search: text })} />
      <OwnerField
        aria-label={t('field.owner')}
        any={t('filter.owner_any')}
        value={filteredOwner(view)}
        onChange={owner =>
          onChange({
            advertiser: typeof owner === 'number' ? owner : undefined,
            is_agency: owner === 'agency' ? true : undefined,
          })
        }
      />
      {children}
      <TagFilter kind={kind} value={view.tag} onChange={tag => onChange({ tag })} />
      <FilterField
        aria-label={t('filter.use')}
        any={t('filter.use_any')}
        options={[
          { value: 'unused', label: t('filter.unused') },
          { value: 'used', label: t('filter.used') },
        ]}
        value={view.is_used === undefined ? undefined : view.is_used ? 'used' : 'unused'}
        onChange={use => onChange({ is_used: use === undefined ? undefined : use === 'used' })}
      />
    </>
  )
}

export const filteredOwner = ({ is_agency, advertiser }: MaterialSearch): Owner | null =>
  is_agency ? 'agency' : (advertiser ?? null)

export const NO_FILTERS = {
  search: '',
  advertiser: undefined,
  is_agency: undefined,
  tag: undefined,
  is_used: undefined,
} as const

/** Whether the list may have more than it shows. */
export const isFiltered = ({ search, advertiser, is_agency, tag, is_used }: MaterialSearch) =>
  search !== '' || [advertiser, is_agency, tag, is_used].some(filter => filter !== undefined)

interface TagFilterProps {
  kind: MaterialKind
  value: string | undefined
  onChange: (tag: string | undefined) => void
}

/** Names nothing that a tag may be called. */
const ANY = '\n'

function TagFilter({ kind, value, onChange }: TagFilterProps) {
  const { t, language } = useTranslation('materials')
  const known = useMaterialTags(kind).data ?? []
  const others =
    value === undefined || known.some(({ tag }) => tag === value) ? [] : [{ tag: value, count: 0 }]
  return (
    <SelectField
      aria-label={t('filter.tag')}
      searchable
      value={value ?? ANY}
      options={[
        { value: ANY, label: t('filter.tag_any') },
        ...[...known, ...others].map(({ tag, count }) => ({
          value: tag,
          label: count === 0 ? tag : `${tag} (${count.toLocaleString(language)})`,
        })),
      ]}
      onChange={tag => onChange(tag === ANY ? undefined : tag)}
    />
  )
}
