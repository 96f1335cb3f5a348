import { Button } from '@mantine/core'
import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { gapNames, listScopes } from '#web/pages/reports/search.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './toolbar.module.css'
import { isFiltered, noFilters, useListView } from './view.ts'

const ANY = 'any'
const statuses = [0, 1, 2, 3] as const

/** Search and filters; all of it stands in the address. */
export function Toolbar() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  return (
    <div className={styles.toolbar} role="search">
      <SearchField
        label={t('search')}
        value={view.search}
        onSearch={search => change({ search })}
        className={styles.search}
      />
      <SelectField
        aria-label={t('filter.status')}
        value={String(view.status ?? ANY)}
        options={[
          { value: ANY, label: t('filter.status_all') },
          ...statuses.map(status => ({ value: String(status), label: t(`filter.status_${status}`) })),
        ]}
        onChange={status => change({ status: status === ANY ? undefined : Number(status) })}
      />
      <ChannelFilter />
      <ScopeFilter />
      <SelectField
        aria-label={t('filter.gap')}
        value={view.gap ?? ANY}
        options={[
          { value: ANY, label: t('filter.gap_any') },
          ...gapNames.map(gap => ({ value: gap, label: t(`gap.${gap}`) })),
        ]}
        onChange={gap => change({ gap: gapNames.find(name => name === gap) })}
      />
      {isFiltered(view) && (
        <Button variant="subtle" onClick={() => change(noFilters)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}

function ChannelFilter() {
  const { t, language } = useTranslation('deeds')
  const { view, change } = useListView()
  return (
    <SelectField
      aria-label={t('filter.channel')}
      value={view.channel ?? ANY}
      options={[
        { value: ANY, label: t('filter.channel_any') },
        ...channelIds.map(channel => ({ value: channel, label: channelNames[channel][language] })),
      ]}
      onChange={chosen => change({ channel: channelIds.find(channel => channel === chosen) })}
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
    <SelectField
      aria-label={t('filter.scope')}
      value={view.scope ?? ANY}
      options={[
        { value: ANY, label: t('filter.scope_any') },
        ...scopes.map(scope => ({ value: scope, label: t(`filter.scope_${scope}`) })),
      ]}
      onChange={chosen => change({ scope: scopes.find(scope => scope === chosen) })}
    />
  )
}
