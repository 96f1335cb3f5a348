import { Button, Group } from '@mantine/core'
import { IconLifebuoy, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Issue } from '#shared/api/support.ts'
import type { OpenIssue } from '#web/client/issues.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { PAGE_SIZE, useIssues } from './data.ts'
import { issueBadges } from './issue-badges.ts'
import styles from './support.module.css'

interface OwnIssuesDialogProps {
  onOpen: (issue: OpenIssue) => void
  onClose: () => void
}

/** What one has reported, those with news first. */
export function OwnIssuesDialog({ onOpen, onClose }: OwnIssuesDialogProps) {
  const { t } = useTranslation('support')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useIssues({ search: '', page, ordering: '-last_modified_at' })
  return (
    <Dialog opened title={t('own.title')} size={560} onClose={onClose}>
      {error ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !data ? (
        <TableLoading rows={3} />
      ) : data.count === 0 ? (
        <EmptyState icon={IconLifebuoy} title={t('empty')} detail={t('empty_detail')} />
      ) : (
        <>
          <ul className={styles.own}>
            {data.results.map(issue => (
              <IssueLine key={issue.id} issue={issue} onOpen={onOpen} />
            ))}
          </ul>
          <Pager count={data.count} page={page} pageSize={PAGE_SIZE} onPage={setPage} />
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button leftSection={<IconPlus size={16} />} onClick={() => onOpen({ kind: 'new', report: null })}>
          {t('new.title')}
        </Button>
      </Group>
    </Dialog>
  )
}

function IssueLine({ issue, onOpen }: { issue: Issue; onOpen: OwnIssuesDialogProps['onOpen'] }) {
  const { t } = useTranslation('support')
  return (
    <li>
      <button
        type="button"
        className={styles.ownIssue}
        onClick={() => onOpen({ kind: 'sent', id: issue.id })}
      >
        <span className={styles.words}>{issue.description}</span>
        <StatusBadge {...issueBadges[issue.status]} label={t(`state.${issue.status}`)} />
      </button>
      <small className={styles.quiet}>
        {t('number', { id: issue.id })} · <RelativeTime at={issue.last_modified_at} />
      </small>
    </li>
  )
}
