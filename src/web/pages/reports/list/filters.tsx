import { Button } from '@mantine/core'
import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { gapNames, listOrderings, listScopes } from '#web/pages/reports/search.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import styles from './filters.module.css'
import { DEFAULT_ORDERING, isFiltered, noFilters, useListView } from './view.ts'

const statuses = [0, 1, 2, 3] as const

/** Search and filters; all of them are in the URL. */
export function Filters() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  return (
    <>
      <SearchField
        label={t('search')}
        value={view.search}
        onSearch={search => change({ search })}
        className={styles.search}
      />
      <FilterField
        aria-label={t('filter.status')}
        any={t('filter.status_all')}
        options={statuses.map(status => ({ value: status, label: t(`filter.status_${status}`) }))}
        value={view.status}
        onChange={status => change({ status })}
      />
      <ChannelFilter />
      <ScopeFilter />
      <FilterField
        aria-label={t('filter.gap')}
        any={t('filter.gap_any')}
        options={gapNames.map(gap => ({ value: gap, label: t(`gap.${gap}`) }))}
        value={view.gap}
        onChange={gap => change({ gap })}
      />
      <SortField />
      {isFiltered(view) && (
        <Button variant="subtle" onClick={() => change(noFilters)}>
          {t('filter.clear')}
        </Button>
      )}
    </>
  )
}

function ChannelFilter() {
  const { t, language } = useTranslation('actions')
  const { view, change } = useListView()
  return (
    <FilterField
      aria-label={t('filter.channel')}
      any={t('filter.channel_any')}
      options={channelIds.map(channel => ({ value: channel, label: channelNames[channel][language] }))}
      value={view.channel}
      onChange={channel => change({ channel })}
    />
  )
}

/** Mine, shared with me; for a superuser also everyone's, off unless chosen. */
function ScopeFilter() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const me = useMe()
  const scopes = listScopes.filter(scope => scope !== 'all' || me.identity === 'superuser')
  return (
    <FilterField
      aria-label={t('filter.scope')}
      any={t('filter.scope_any')}
      options={scopes.map(scope => ({ value: scope, label: t(`filter.scope_${scope}`) }))}
      value={view.scope}
      onChange={scope => change({ scope })}
    />
  )
}

/** As the headers do, where there is no room for all of them; names upwards, times from the newest. */
function SortField() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const ordering = view.ordering ?? DEFAULT_ORDERING
  return (
    <SelectField
      aria-label={t('filter.sort')}
      value={ordering.replace(/^-/, '')}
      options={listOrderings.map(field => ({ value: field, label: t(`filter.sort_${field}`) }))}
      onChange={field => {
        const first = field.startsWith('last_') ? `-${field}` : field
        change({ ordering: first === DEFAULT_ORDERING ? undefined : first })
      }}
    />
  )
}
