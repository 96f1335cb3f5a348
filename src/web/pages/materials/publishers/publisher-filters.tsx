import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { publisherTypes } from '#shared/materials/publishers.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { PublishersSearch } from './search.ts'
import { usePublishersView } from './view.ts'

export const NO_FILTERS = { type: undefined, channel: undefined }

export const hasFilters = ({ search, type, channel }: PublishersSearch) =>
  search !== '' || type !== undefined || channel !== undefined

/** Search and filters of the list; all of them are in the URL. */
export function PublisherFilters() {
  const { t, language } = useTranslation('publishers')
  const { view, change } = usePublishersView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <FilterField
        aria-label={t('field.type')}
        any={t('filter.type_any')}
        options={publisherTypes.map(type => ({ value: type, label: t(`type.${type}`) }))}
        value={view.type}
        onChange={type => change({ type })}
      />
      <FilterField
        aria-label={t('field.channel')}
        any={t('filter.channel_any')}
        options={channelIds.map(channel => ({ value: channel, label: channelNames[channel][language] }))}
        value={view.channel}
        onChange={channel => change({ channel })}
      />
    </>
  )
}
