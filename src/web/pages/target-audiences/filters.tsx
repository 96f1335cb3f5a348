import { useTranslation } from '#web/i18n/use-translation.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useTargetAudiencesView } from './view.ts'

/** Search and filter of the list; both are in the URL. */
export function Filters() {
  const { t } = useTranslation('target_audiences')
  const { view, change } = useTargetAudiencesView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <AdvertiserPicker
        aria-label={t('field.advertiser')}
        none={t('filter.advertiser_any')}
        value={view.advertiser ?? null}
        onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
      />
    </>
  )
}
