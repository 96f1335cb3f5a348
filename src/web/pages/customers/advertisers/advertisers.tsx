import { Button } from '@mantine/core'
import { IconBuildingStore, IconPlus, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ADVERTISERS, PAGE_SIZE } from '#web/pages/customers/data.ts'
import styles from '#web/pages/customers/customers.module.css'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { useAdvertisersView } from '#web/pages/customers/view.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { AdvertiserFilters } from './advertiser-filters.tsx'
import { AdvertiserTable } from './advertiser-table.tsx'
import { CreateAdvertiserDialog } from './create-dialog.tsx'
import { filtersOf, useAdvertisers } from './data.ts'

/** The customers of the agency, as far as one serves them. */
export function Advertisers() {
  const { t } = useTranslation('advertisers')
  const { view, change } = useAdvertisersView()
  const advertisers = useAdvertisers(view)
  const navigate = useNavigate()
  const [open, setOpen] = useState<'create' | 'import' | null>(null)
  const close = () => setOpen(null)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              onClick={() => setOpen('import')}
            >
              {t('import')}
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('create')}>
              {t('create.title')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={<AdvertiserFilters />}
        toolbarClass={styles.toolbar}
        list={advertisers}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoAdvertisers onOpen={setOpen} />}
        csv={{ path: ADVERTISERS, filters: filtersOf(view) }}
      >
        {(rows, stale) => <AdvertiserTable rows={rows} stale={stale} />}
      </ListCard>
      {open === 'create' && (
        <CreateAdvertiserDialog
          onCreated={({ id }) =>
            void navigate({ to: '/customer/advertiser/$id', params: { id: String(id) } })
          }
          onClose={close}
        />
      )}
      {open === 'import' && (
        <ImportDialog
          title={t('import')}
          path={ADVERTISERS}
          columns={[t('field.name'), t('field.tax_id'), t('field.industry'), t('field.agent')]}
          onClose={close}
        />
      )}
    </>
  )
}

function NoAdvertisers({ onOpen }: { onOpen: (dialog: 'create' | 'import') => void }) {
  const { t } = useTranslation('advertisers')
  const { view, change } = useAdvertisersView()
  const { page: _page, ordering: _ordering, ...filters } = view
  if (Object.values(filters).some(value => value !== '' && value !== undefined))
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() =>
          change({
            search: '',
            industry: undefined,
            agent: undefined,
            member: undefined,
            is_active: undefined,
            no_agreement: undefined,
          })
        }
      />
    )
  return (
    <EmptyState
      icon={IconBuildingStore}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={
        <>
          <Button onClick={() => onOpen('create')}>{t('empty_create')}</Button>
          <Button variant="default" onClick={() => onOpen('import')}>
            {t('empty_import')}
          </Button>
        </>
      }
    />
  )
}
