import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus, IconUpload, IconWorldWww } from '@tabler/icons-react'
import { useState } from 'react'
import type { Site } from '#shared/api/materials.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import customers from '#web/pages/customers/customers.module.css'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { WebLink } from '#web/ui/web-link.tsx'
import { DEFAULT_ORDERING, PAGE_SIZE, siteFilters, SITES, useReloadSites, useSites } from './data.ts'
import { NewSiteDrawer, SiteDrawer } from './site-drawer.tsx'
import { siteDraft, type PixelPlatform } from './site-draft.ts'
import { hasFilters, NO_FILTERS, SiteFilters } from './site-filters.tsx'
import styles from './sites.module.css'
import { useSitesView } from './view.ts'

/** Where ads lead to, and whose pixels count what people do there. */
export function Sites() {
  const { t } = useTranslation('sites')
  const { view, change } = useSitesView()
  const sites = useSites(view)
  const reload = useReloadSites()
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
        toolbar={<SiteFilters />}
        toolbarClass={customers.toolbar}
        list={sites}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoSites onCreate={() => setOpen('new')} />}
        csv={{ path: SITES, filters: siteFilters(view) }}
      >
        {(rows, stale) => <SiteTable rows={rows} stale={stale} />}
      </ListCard>
      {open === 'new' && <NewSiteDrawer advertiser={view.advertiser ?? null} onClose={close} />}
      {open === 'import' && (
        <ImportDialog
          title={t('import')}
          path={SITES}
          columns={(['advertiser', 'name', 'url', 'platform', 'pixels'] as const).map(field =>
            t(`field.${field}`),
          )}
          matching={t('import_matching')}
          onDone={() => void reload()}
          onClose={close}
        />
      )}
      {view.site !== undefined && (
        <SiteDrawer key={view.site} id={view.site} onClose={() => change({ site: undefined })} />
      )}
    </>
  )
}

function SiteTable({ rows, stale }: { rows: readonly Site[]; stale: boolean }) {
  const { t } = useTranslation('sites')
  const { view, change } = useSitesView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={rows}
      rowKey={site => site.id}
      rowName={site => site.name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<Site>[] {
  const { t } = useTranslation('sites')
  return [
    { key: 'name', header: t('field.name'), sort: 'name', cell: site => <SiteName site={site} /> },
    {
      key: 'url',
      header: t('field.url'),
      sort: 'url',
      room: 'some',
      narrow: true,
      cell: ({ url }) => <WebLink url={url} className={styles.url} />,
    },
    {
      key: 'advertiser',
      header: t('field.advertiser'),
      sort: 'advertiser',
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name,
    },
    {
      key: 'platform',
      header: t('field.platform'),
      sort: 'platform',
      room: 'much',
      cell: ({ platform }) => t(`platform.${platform}`),
    },
    {
      key: 'pixels',
      header: t('field.pixels'),
      room: 'much',
      cell: site => <Pixels site={site} />,
    },
  ]
}

function SiteName({ site: { id, name, is_active } }: { site: Site }) {
  const { t } = useTranslation('customers')
  const { change } = useSitesView()
  return (
    <>
      <UnstyledButton className={customers.open} onClick={() => change({ site: id })}>
        {name}
      </UnstyledButton>{' '}
      {!is_active && <StatusBadge tone="neutral" label={t('state.inactive')} />}
    </>
  )
}

/** Whose sign a pixel has. */
const pixelChannels: Record<PixelPlatform, Channel> = {
  meta: 'fb',
  google_ads: 'aw',
  ga4: 'ga4',
  tiktok: 'tt',
  line: 'ln',
  yahoo: 'yg',
}

function Pixels({ site }: { site: Site }) {
  const { t } = useTranslation('sites')
  const { pixels } = siteDraft(site)
  if (pixels.length === 0) return <span className={customers.quiet}>{t('no_pixels')}</span>
  return (
    <ul className={styles.chips}>
      {pixels.map(({ platform, id }) => (
        <li key={`${platform} ${id}`} className={styles.chip} title={t(`pixel_platform.${platform}`)}>
          <ChannelIcon channel={pixelChannels[platform]} size={14} />
          <span data-tabular>{id}</span>
        </li>
      ))}
    </ul>
  )
}

function NoSites({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('sites')
  const { view, change } = useSitesView()
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
      icon={IconWorldWww}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onCreate}>{t('create.title')}</Button>}
    />
  )
}
