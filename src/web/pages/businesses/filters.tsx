import { statusText } from '#shared/account-standing.ts'
import { accountStatuses, warnings } from '#shared/account-statuses.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useBusinessesView } from './view.ts'

/** Search and filters of the accounts. */
export function Filters() {
  const { t, language } = useTranslation('businesses')
  const { view, change } = useBusinessesView()
  const isInternal = useIsInternal()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <FilterField
        aria-label={t('filter.warn')}
        any={t('filter.warn_all')}
        options={[...warnings, 'urgent' as const].map(value => ({ value, label: t(`warning.${value}`) }))}
        value={view.warn}
        onChange={warn => change({ warn })}
      />
      <FilterField
        aria-label={t('filter.relation')}
        any={t('filter.relation_all')}
        options={(['owned', 'client'] as const).map(value => ({ value, label: t(`relation.${value}`) }))}
        value={view.relation}
        onChange={relation => change({ relation })}
      />
      <FilterField
        aria-label={t('filter.status')}
        any={t('filter.status_all')}
        options={accountStatuses.map(value => ({ value, label: statusText(value)[language] }))}
        value={view.status}
        onChange={status => change({ status })}
      />
      {isInternal && (
        <AdvertiserPicker
          aria-label={t('filter.advertiser')}
          none={t('filter.advertiser_all')}
          value={view.advertiser ?? null}
          onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
        />
      )}
    </>
  )
}
