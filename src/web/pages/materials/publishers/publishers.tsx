import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus, IconSpeakerphone, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Publisher } from '#shared/api/materials.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { WebLink } from '#web/ui/web-link.tsx'
import {
  DEFAULT_ORDERING,
  PAGE_SIZE,
  publisherFilters,
  PUBLISHERS,
  usePublishers,
  useReloadPublishers,
} from './data.ts'
import { NewPublisherDrawer, PublisherDrawer } from './publisher-drawer.tsx'
import { hasFilters, NO_FILTERS, PublisherFilters } from './publisher-filters.tsx'
import { usePublishersView } from './view.ts'

/** The media that campaigns are booked with, and whom to call there. */
export function Publishers() {
  const { t } = useTranslation('publishers')
  const { view, change } = usePublishersView()
  const publishers = usePublishers(view)
  const reload = useReloadPublishers()
  const [open, setOpen] = useState<'new' | 'import' | null>(null)
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
            <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
              {t('create.title')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={<PublisherFilters />}
        toolbarClass={styles.toolbar}
        list={publishers}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoPublishers onCreate={() => setOpen('new')} />}
        csv={{ path: PUBLISHERS, filters: publisherFilters(view) }}
      >
        {(rows, stale) => <PublisherTable rows={rows} stale={stale} />}
      </ListCard>
      {open === 'new' && <NewPublisherDrawer onClose={close} />}
      {open === 'import' && (
        <ImportDialog
          title={t('import')}
          path={PUBLISHERS}
          columns={(['name', 'type', 'channel', 'website', 'contacts', 'note'] as const).map(field =>
            t(`field.${field}`),
          )}
          onDone={() => void reload()}
          onClose={close}
        />
      )}
      {view.publisher !== undefined && (
        <PublisherDrawer
          key={view.publisher}
          id={view.publisher}
          onClose={() => change({ publisher: undefined })}
        />
      )}
    </>
  )
}

function PublisherTable({ rows, stale }: { rows: readonly Publisher[]; stale: boolean }) {
  const { t } = useTranslation('publishers')
  const { view, change } = usePublishersView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={rows}
      rowKey={publisher => publisher.id}
      rowName={publisher => publisher.name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<Publisher>[] {
  const { t, language } = useTranslation('publishers')
  const { change } = usePublishersView()
  return [
    {
      key: 'name',
      header: t('field.name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <UnstyledButton className={styles.open} onClick={() => change({ publisher: id })}>
          {name}
        </UnstyledButton>
      ),
    },
    {
      key: 'type',
      header: t('field.type'),
      sort: 'type',
      room: 'some',
      narrow: true,
      cell: ({ type }) => t(`type.${type}`),
    },
    {
      key: 'channel',
      header: t('field.channel'),
      sort: 'channel',
      room: 'some',
      cell: ({ channel }) =>
        channel && (
          <span className={styles.channel}>
            <ChannelIcon channel={channel} size={16} /> {channelNames[channel][language]}
          </span>
        ),
    },
    {
      key: 'website',
      header: t('field.website'),
      room: 'some',
      narrow: true,
      cell: ({ website }) => website !== '' && <WebLink url={website} />,
    },
    {
      key: 'contact',
      header: t('field.contacts'),
      room: 'much',
      cell: ({ contacts: [first] }) =>
        first && (
          <>
            {first.name}
            <small className={styles.below}>{first.email || first.phone}</small>
          </>
        ),
    },
  ]
}

function NoPublishers({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('publishers')
  const { view, change } = usePublishersView()
  if (hasFilters(view))
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() => change({ search: '', ...NO_FILTERS })}
      />
    )
  return (
    <EmptyState
      icon={IconSpeakerphone}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onCreate}>{t('create.title')}</Button>}
    />
  )
}
