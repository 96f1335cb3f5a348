import { IconCalendarOff } from '@tabler/icons-react'
import type { Operations } from '#shared/api/operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { instantText } from '#web/ui/times.ts'

type Coming = Operations['coming'][number]

/** Only the busiest times of the day. */
const MOST_ROWS = 12

/** The scheduled runs of the next 24 hours. */
export function UpcomingTable({ coming }: { coming: readonly Coming[] }) {
  const { t, language } = useTranslation('operations')
  const most = Math.max(1, ...coming.map(({ runs }) => runs))
  const busiest = coming.toSorted((a, b) => b.runs - a.runs).slice(0, MOST_ROWS)
  const columns: Column<Coming>[] = [
    {
      key: 'at',
      header: t('coming.at'),
      width: '190px',
      cell: ({ at }) => <time dateTime={at}>{instantText(at, language)}</time>,
    },
    {
      key: 'runs',
      header: t('coming.runs'),
      width: '80px',
      align: 'end',
      cell: ({ runs }) => <Count value={runs} />,
    },
    {
      key: 'share',
      header: t('coming.share'),
      room: 'some',
      // The number is beside it.
      cell: ({ runs }) => <meter min={0} max={most} value={runs} aria-hidden />,
    },
  ]
  if (coming.length === 0) return <EmptyState icon={IconCalendarOff} title={t('coming.none')} />
  return (
    <DataTable
      label={t('coming.title')}
      columns={columns}
      rows={busiest.toSorted((a, b) => a.at.localeCompare(b.at))}
      rowKey={({ at }) => at}
      rowName={({ at }) => at}
    />
  )
}
