import { Button } from '@mantine/core'
import { IconAddressBook, IconEraser, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { SearchAndFilters } from '#web/pages/search-and-filters.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { AudienceDrawer } from './audience-drawer.tsx'
import { MoreFilters } from './audience-filters.tsx'
import { AudienceTable } from './audience-table.tsx'
import styles from './audiences.module.css'
import { CreateDialog } from './create-dialog.tsx'
import { useAudiences, useMayWrite, useOwnAdvertisers } from './data.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { DEFAULT_ORDERING, filtersOf, PAGE_SIZE, PATH } from './list-query.ts'
import { RunningUploads } from './upload/running-uploads.tsx'
import { filterCount, NO_FILTERS, useView } from './view.ts'

/** Lists of people, and the ad accounts that each is shared with. */
export function Audiences() {
  const { t } = useTranslation('audiences')
  const { view, change } = useView()
  const audiences = useAudiences(view)
  const mayWrite = useMayWrite()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} actions={mayWrite === true && <Actions />} />
      <div className={styles.page}>
        {mayWrite === false && <InlineAlert severity="info">{t('only_read')}</InlineAlert>}
        <RunningUploads />
        <ListCard
          toolbar={<Filters />}
          toolbarClass={styles.toolbar}
          list={audiences}
          page={view.page}
          pageSize={PAGE_SIZE}
          onPage={page => change({ page })}
          empty={<NoAudiences />}
          csv={{ path: PATH, filters: filtersOf(view) }}
        >
          {(rows, stale) => (
            <AudienceTable
              audiences={rows}
              stale={stale}
              ordering={view.ordering ?? DEFAULT_ORDERING}
              onOrdering={ordering => change({ ordering })}
              onOpen={audience => change({ audience })}
            />
          )}
        </ListCard>
      </div>
      {view.audience !== undefined && (
        <AudienceDrawer
          id={view.audience}
          tab={view.tab ?? 'overview'}
          onTab={tab => change({ tab })}
          onClose={() => change({ audience: undefined, tab: undefined })}
        />
      )}
    </>
  )
}

function Actions() {
  const { t } = useTranslation('audiences')
  const { view, change } = useView()
  const [open, setOpen] = useState<'create' | 'erase' | null>(null)
  const own = useOwnAdvertisers()
  const advertiser = view.advertiser ?? (own?.length === 1 ? (own[0]?.id ?? null) : null)
  const close = () => setOpen(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEraser size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpen('erase')}
      >
        {t('erase')}
      </Button>
      <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />} onClick={() => setOpen('create')}>
        {t('create')}
      </Button>
      {open === 'create' && (
        <CreateDialog
          advertiser={advertiser}
          onCreated={audience => change({ audience: audience.id })}
          onClose={close}
        />
      )}
      {open === 'erase' && <EraseDialog advertiser={advertiser} onClose={close} />}
    </>
  )
}

function Filters() {
  const { t } = useTranslation('audiences')
  const { view, change } = useView()
  return (
    <SearchAndFilters
      label={t('search')}
      value={view.search}
      onSearch={search => change({ search })}
      more={t('filter.more')}
      count={filterCount(view)}
    >
      <MoreFilters />
    </SearchAndFilters>
  )
}

function NoAudiences() {
  const { t } = useTranslation('audiences')
  const { view, change } = useView()
  if (view.search === '' && filterCount(view) === 0)
    return <EmptyState icon={IconAddressBook} title={t('empty')} detail={t('empty_detail')} />
  return (
    <NothingFound title={t('nothing_found')} clear={t('filter.clear')} onClear={() => change(NO_FILTERS)} />
  )
}
