import { IconCircleCheck } from '@tabler/icons-react'
import type { Operations } from '#shared/api/operations.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './operations.module.css'

type Failure = Operations['failures'][number]

/** The causes of the last day's failed runs. */
export function FailureTable({ failures }: { failures: readonly Failure[] }) {
  const { t } = useTranslation('operations')
  const columns = useColumns()
  if (failures.length === 0) return <EmptyState icon={IconCircleCheck} title={t('failures.none')} />
  return (
    <DataTable
      label={t('failures.title')}
      columns={columns}
      rows={failures}
      rowKey={({ code }) => code}
      rowName={({ code }) => code}
    />
  )
}

function useColumns(): Column<Failure>[] {
  const { t, language } = useTranslation('operations')
  return [
    {
      key: 'code',
      header: t('failures.code'),
      cell: ({ code }) => (
        <>
          <code>{code}</code>
          {isErrorCode(code) && <p className={styles.reason}>{problemText(code, 'internal', language)}</p>}
        </>
      ),
    },
    {
      key: 'runs',
      header: t('failures.runs'),
      width: '80px',
      align: 'end',
      cell: ({ runs }) => <Count value={runs} />,
    },
    {
      key: 'reports',
      header: t('failures.reports'),
      width: '90px',
      align: 'end',
      room: 'some',
      cell: ({ reports }) => <Count value={reports} />,
    },
    {
      key: 'last',
      header: t('failures.last'),
      width: '130px',
      room: 'some',
      cell: ({ last_at }) => <RelativeTime at={last_at} />,
    },
  ]
}
