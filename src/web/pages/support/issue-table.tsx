import type { Issue } from '#shared/api/support.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DEFAULT_ORDERING } from './data.ts'
import { issueBadges } from './issue-badges.ts'
import styles from './support.module.css'
import { useView } from './view.ts'

interface IssueTableProps {
  issues: readonly Issue[]
  stale: boolean
  /** The reader sees everybody's. */
  editor: boolean
}

export function IssueTable({ issues, stale, editor }: IssueTableProps) {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  const columns: Column<Issue>[] = [
    {
      key: 'issue',
      header: t('column.issue'),
      sort: 'id',
      cell: issue => (
        <>
          <LinkText to="/support" search={{ ...view, issue: issue.id }} className={styles.words}>
            {issue.description}
          </LinkText>
          <small className={styles.quiet}>
            {[t('number', { id: issue.id }), issue.report?.name ?? t(`type.${issue.report_type}`)].join(
              ' · ',
            )}
          </small>
          {issue.answer !== null && <p className={styles.answer}>{issue.answer}</p>}
        </>
      ),
    },
    {
      key: 'state',
      header: t('column.state'),
      width: '130px',
      cell: ({ status }) => <StatusBadge {...issueBadges[status]} label={t(`state.${status}`)} />,
    },
    ...(editor
      ? [
          {
            key: 'reporter',
            header: t('column.reporter'),
            room: 'some' as const,
            narrow: true as const,
            width: '160px',
            cell: ({ reporter_name }: Issue) => reporter_name,
          },
        ]
      : []),
    {
      key: 'changed',
      header: t('column.changed'),
      sort: 'last_modified_at',
      room: 'some',
      width: '150px',
      cell: ({ last_modified_at }) => <RelativeTime at={last_modified_at} />,
    },
  ]
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={issues}
      rowKey={issue => issue.id}
      rowName={issue => t('number', { id: issue.id })}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}
