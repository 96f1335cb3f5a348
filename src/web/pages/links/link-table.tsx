import type { Link } from '#shared/api/links.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyIcon } from '#web/ui/copy-button.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { CheckBadge } from './check-outcome.tsx'
import { DEFAULT_ORDERING, useHasChecks } from './data.ts'
import { shortened } from './link-pieces.ts'
import styles from './links.module.css'
import { RowMenu, type RowActions } from './row-menu.tsx'
import { useView } from './view.ts'

interface LinkTableProps extends RowActions {
  links: readonly Link[]
  stale: boolean
  /** Those that are being followed. */
  checking: readonly number[]
}

export function LinkTable({ links, stale, checking, ...actions }: LinkTableProps) {
  const { t } = useTranslation('links')
  const { view, change } = useView()
  return (
    <DataTable
      label={t('list.title')}
      columns={useColumns(actions, checking)}
      rows={links}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(actions: RowActions, checking: readonly number[]): Column<Link>[] {
  const { t } = useTranslation('links')
  const { change } = useView()
  const hasChecks = useHasChecks()
  return [
    {
      key: 'name',
      header: t('field.name'),
      sort: 'name',
      cell: ({ id, name, utm_source, utm_medium }) => (
        <>
          <button type="button" className={styles.open} onClick={() => change({ link: id })}>
            {name}
          </button>
          <small className={styles.below}>
            {utm_source} / {utm_medium}
          </small>
        </>
      ),
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
      key: 'link',
      header: t('field.link'),
      room: 'some',
      narrow: true,
      cell: ({ name, link }) => (
        <span className={styles.short}>
          <span title={link} translate="no">
            {shortened(link)}
          </span>
          <CopyIcon text={link} label={t('action.copy_of', { name })} />
        </span>
      ),
    },
    {
      key: 'ga4_channel',
      header: t('field.ga4_channel'),
      sort: 'ga4_channel',
      room: 'much',
      cell: ({ ga4_channel }) => (
        <StatusBadge tone={ga4_channel === 'Unassigned' ? 'warn' : 'neutral'} label={ga4_channel} />
      ),
    },
    ...(hasChecks ? [checkColumn(t('field.check'), checking)] : []),
    {
      key: 'last_changed',
      header: t('field.last_modified_at'),
      sort: 'last_modified_at',
      room: hasChecks ? 'plenty' : 'much',
      cell: ({ created_by_name, last_modified_at }) => (
        <>
          <RelativeTime at={last_modified_at} />
          {created_by_name && (
            <small className={styles.below}>{t('list.created_by', { name: created_by_name })}</small>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      header: <span className={styles.hidden}>{t('action.actions')}</span>,
      align: 'end',
      width: '52px',
      cell: link => <RowMenu link={link} {...actions} />,
    },
  ]
}

const checkColumn = (header: string, checking: readonly number[]): Column<Link> => ({
  key: 'check',
  header,
  room: 'much',
  cell: ({ id, check }) => <CheckBadge check={check} isChecking={checking.includes(id)} />,
})
