import { IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CsvButton } from '#web/pages/csv-button.tsx'
import settings from '#web/pages/insight-settings/insight-settings.module.css'
import { useInsightView } from '#web/pages/insight-settings/view.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { LABELS, useLabels } from './data.ts'
import { LabelLine } from './label-line.tsx'
import { labelRows, rowsLike } from './label-rows.ts'
import styles from './labels.module.css'

/** What metrics are called in the headers of reports. */
export function LabelsTab() {
  const { t } = useTranslation('labels')
  const [isOwnOnly, setIsOwnOnly] = useState(false)
  return (
    <Card padding="flush">
      <div className={styles.toolbar} role="search">
        <Filters />
        <SwitchField label={t('only_own')} checked={isOwnOnly} onChange={setIsOwnOnly} />
      </div>
      <p className={styles.order}>{t('order')}</p>
      <Lines isOwnOnly={isOwnOnly} />
    </Card>
  )
}

const AGENCY = 'agency'

function Filters() {
  const { t, language } = useTranslation('labels')
  const { view, change } = useInsightView()
  const advertisers = useClients().data ?? []
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <SelectField
        aria-label={t('scope')}
        searchable
        value={String(view.advertiser ?? AGENCY)}
        options={[
          { value: AGENCY, label: t('scope_agency') },
          ...advertisers.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={chosen => change({ advertiser: chosen === AGENCY ? undefined : Number(chosen) })}
      />
      <FilterField
        aria-label={t('channel')}
        any={t('all_channels')}
        options={channelIds.map(id => ({ value: id, label: channelNames[id][language] }))}
        value={view.channel}
        onChange={channel => change({ channel })}
      />
    </>
  )
}

function Lines({ isOwnOnly }: { isOwnOnly: boolean }) {
  const { t } = useTranslation('labels')
  const { view } = useInsightView()
  const isManager = mayReach(useMe(), 'manager')
  const { advertiser = AGENCY, channel = null } = view
  const own = useLabels(advertiser)
  const agency = useLabels(AGENCY)
  const failed = own.error ?? agency.error
  if (failed && !(own.data && agency.data))
    return (
      <div className={styles.problem}>
        <Problem
          code={failed.code}
          audience="internal"
          onRetry={() => void Promise.all([own.refetch(), agency.refetch()])}
        />
      </div>
    )
  if (!own.data || !agency.data) return <TableLoading rows={10} />
  const isAgency = advertiser === AGENCY
  const all = labelRows({ own: own.data, agency: isAgency ? [] : agency.data }, channel)
  const rows = rowsLike(all, view.search).filter(row => !isOwnOnly || row.own !== null)
  const mayRename = !isAgency || isManager
  if (rows.length === 0)
    return (
      <EmptyState
        icon={IconTags}
        title={t(isOwnOnly && view.search === '' ? 'none_own' : 'nothing_found')}
        detail={isOwnOnly && view.search === '' && t(mayRename ? 'none_own_detail' : 'read_only')}
      />
    )
  return (
    <>
      {!mayRename && <p className={styles.order}>{t('read_only')}</p>}
      <ul className={styles.lines} aria-label={t('list')}>
        <li className={styles.head} aria-hidden>
          <span>{t('original')}</span>
          <span>{t('label')}</span>
        </li>
        {rows.map(row => (
          <LabelLine
            key={`${advertiser} ${channel} ${row.metric}`}
            row={row}
            scope={{ advertiser: isAgency ? null : advertiser, channel }}
            readOnly={!mayRename || row.own?.may_change === false}
          />
        ))}
      </ul>
      <div className={settings.foot}>
        <span className={settings.quiet} aria-live="polite">
          {t('count', { count: rows.length })}
        </span>
        <CsvButton path={LABELS} filters={{ advertiser, channel }} />
      </div>
    </>
  )
}
