import { IconMoon } from '@tabler/icons-react'
import type { Operations } from '#shared/api/operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type Worker = Operations['workers'][number]

/** The processes that are executing runs. */
export function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  const { t } = useTranslation('operations')
  const columns: Column<Worker>[] = [
    { key: 'worker', header: t('workers.worker'), cell: ({ worker }) => <code>{worker}</code> },
    {
      key: 'runs',
      header: t('workers.runs'),
      width: '90px',
      align: 'end',
      cell: ({ runs }) => <Count value={runs} />,
    },
  ]
  if (workers.length === 0) return <EmptyState icon={IconMoon} title={t('workers.none')} />
  return (
    <DataTable
      label={t('workers.title')}
      columns={columns}
      rows={workers}
      rowKey={({ worker }) => worker}
      rowName={({ worker }) => worker}
    />
  )
}
