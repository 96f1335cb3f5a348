import { Button, CloseButton } from '@mantine/core'
import { ga4Channels } from '#shared/links/channels.ts'
import { linkPlatforms } from '#shared/links/platforms.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { SearchAndFilters } from '#web/pages/search-and-filters.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { filtersOf, useChosen, type Reference } from './data.ts'
import styles from './links.module.css'
import { filterCount, NO_FILTERS, references, useView } from './view.ts'

export function LinkFilters() {
  const { t } = useTranslation('links')
  const { view, change } = useView()
  const { platform, ga4_channel } = filtersOf(view)
  return (
    <SearchAndFilters
      label={t('list.search')}
      value={view.search}
      onSearch={search => change({ search })}
      more={t('filter.more')}
      count={filterCount(view)}
    >
      <div className={styles.filters}>
        <AdvertiserPicker
          label={t('field.advertiser')}
          none={t('filter.advertiser_any')}
          value={view.advertiser ?? null}
          onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
        />
        <FilterField
          label={t('field.ga4_channel')}
          any={t('filter.channel_any')}
          options={ga4Channels.map(channel => ({ value: channel, label: channel }))}
          value={ga4_channel}
          onChange={channel => change({ ga4_channel: channel })}
        />
        <FilterField
          label={t('field.platform')}
          any={t('filter.platform_any')}
          options={linkPlatforms.map(value => ({ value, label: t(`platform.${value}`) }))}
          value={platform}
          onChange={chosen => change({ platform: chosen })}
        />
        {references.map(kind => {
          const id = view[kind]
          return id !== undefined && <ReferenceFilter key={kind} kind={kind} id={id} />
        })}
        {filterCount(view) > 0 && (
          <Button variant="default" className={styles.clear} onClick={() => change(NO_FILTERS)}>
            {t('filter.clear')}
          </Button>
        )}
      </div>
    </SearchAndFilters>
  )
}

/** Which links use something, where another page led here. */
function ReferenceFilter({ kind, id }: { kind: Reference; id: number }) {
  const { t } = useTranslation('links')
  const { change } = useView()
  const { data } = useChosen(kind, id)
  const text = t(`filter.${kind}`, { name: data?.name ?? `#${id}` })
  return (
    <span className={styles.reference}>
      {text}
      <CloseButton
        size="sm"
        aria-label={t('filter.remove', { filter: text })}
        onClick={() => change({ [kind]: undefined })}
      />
    </span>
  )
}
