import { sitePlatforms } from '#shared/materials/sites.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { SitesSearch } from './search.ts'
import { useSitesView } from './view.ts'

export const NO_FILTERS = { advertiser: undefined, platform: undefined, is_active: undefined }

export const hasFilters = ({ search, advertiser, platform, is_active }: SitesSearch) =>
  search !== '' || advertiser !== undefined || platform !== undefined || is_active !== undefined

/** Search and filters of the list; all of them are in the URL. */
export function SiteFilters() {
  const { t } = useTranslation('sites')
  const { t: tCustomers } = useTranslation('customers')
  const { view, change } = useSitesView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <AdvertiserPicker
        aria-label={t('field.advertiser')}
        none={t('filter.advertiser_any')}
        value={view.advertiser ?? null}
        onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
      />
      <FilterField
        aria-label={t('field.platform')}
        any={t('filter.platform_any')}
        options={sitePlatforms.map(platform => ({ value: platform, label: t(`platform.${platform}`) }))}
        value={view.platform}
        onChange={platform => change({ platform })}
      />
      <FilterField
        aria-label={tCustomers('state.label')}
        any={tCustomers('state.any')}
        options={[
          { value: 'active', label: tCustomers('state.active') },
          { value: 'inactive', label: tCustomers('state.inactive') },
        ]}
        value={view.is_active === undefined ? undefined : view.is_active ? 'active' : 'inactive'}
        onChange={state => change({ is_active: state === undefined ? undefined : state === 'active' })}
      />
    </>
  )
}
