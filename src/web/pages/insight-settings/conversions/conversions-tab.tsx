import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useState } from 'react'
import type { ConversionDefinition } from '#shared/api/insight-settings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import settings from '#web/pages/insight-settings/insight-settings.module.css'
import { ScopeFilter } from '#web/pages/insight-settings/scope-filter.tsx'
import { isFiltered, NO_FILTERS, useInsightView } from '#web/pages/insight-settings/view.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { ConversionDrawer, NewConversionDrawer } from './conversion-drawer.tsx'
import styles from './conversions.module.css'
import { CONVERSIONS, conversionFilters, PAGE_SIZE, useConversions } from './data.ts'
import { keyOf } from './entries.ts'
import { EntryText } from './entry-text.tsx'

/** What counts as a conversion, advertiser by advertiser. */
export function ConversionsTab() {
  const { t } = useTranslation('conversions')
  const { view, change } = useInsightView()
  const conversions = useConversions(view)
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      {t('create.title')}
    </Button>
  )
  return (
    <>
      <ListCard
        toolbar={
          <>
            <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
            <ScopeFilter />
            {create}
          </>
        }
        toolbarClass={styles.toolbar}
        list={conversions}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={
          isFiltered(view) ? (
            <NothingFound title={t('nothing_found')} clear={t('clear')} onClear={() => change(NO_FILTERS)} />
          ) : (
            <EmptyState
              icon={IconTargetArrow}
              title={t('empty')}
              detail={t('empty_detail')}
              actions={create}
            />
          )
        }
        csv={{ path: CONVERSIONS, filters: conversionFilters(view) }}
      >
        {(rows, stale) => <Groups rows={rows} stale={stale} />}
      </ListCard>
      {isCreating && <NewConversionDrawer onClose={() => setIsCreating(false)} />}
      {view.conversion !== undefined && (
        <ConversionDrawer
          key={view.conversion}
          id={view.conversion}
          onClose={() => change({ conversion: undefined })}
        />
      )}
    </>
  )
}

function Groups({ rows, stale }: { rows: readonly ConversionDefinition[]; stale: boolean }) {
  const groups = Map.groupBy(rows, ({ advertiser }) => advertiser)
  return (
    <div className={styles.groups} data-stale={stale || undefined} aria-busy={stale}>
      {[...groups].map(([advertiser, conversions]) => (
        <section key={advertiser} aria-label={conversions[0]?.advertiser_name}>
          <h2>{conversions[0]?.advertiser_name}</h2>
          <ul>
            {conversions.map(conversion => (
              <ConversionLine key={conversion.id} conversion={conversion} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ConversionLine({ conversion }: { conversion: ConversionDefinition }) {
  const { t, language } = useTranslation('conversions')
  const { change } = useInsightView()
  const { id, name, name_zh: nameZh, entries } = conversion
  const names = language === 'en' ? [name, nameZh] : [nameZh, name]
  return (
    <li className={styles.line}>
      <div>
        <UnstyledButton className={settings.open ?? ''} onClick={() => change({ conversion: id })}>
          {names[0]}
        </UnstyledButton>{' '}
        {conversion.is_default && <StatusBadge tone="accent" label={t('default')} />}
        <small className={settings.below}>{names[1]}</small>
      </div>
      <ul className={styles.entries}>
        {entries.map(entry => (
          <li key={keyOf(entry)}>
            <EntryText entry={entry} />
          </li>
        ))}
      </ul>
      <span className={styles.used}>
        {conversion.used_by === 0 ? t('unused') : t('used_by', { count: conversion.used_by })}
      </span>
    </li>
  )
}
