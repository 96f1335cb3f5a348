import { Button, VisuallyHidden } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { ChannelIcons } from '../channel-icon.tsx'
import { LastRunCell, NameCell, NextRunCell, ScheduleCell, TimeCell } from './report-cells.tsx'
import type { ReportDeed } from './report-deed.tsx'
import { ReportMenu } from './report-menu.tsx'
import { DEFAULT_ORDERING, useListView } from './view.ts'

interface ReportTableProps {
  reports: readonly Report[]
  stale: boolean
  selected: ReadonlySet<number>
  onSelect: (selected: ReadonlySet<number>) => void
  onRun: (ids: readonly number[]) => void
  onDeed: (deed: ReportDeed) => void
}

/** The reports of a folder or of a search. */
export function ReportTable({ reports, stale, selected, onSelect, onRun, onDeed }: ReportTableProps) {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  return (
    <DataTable
      label={t('table')}
      columns={(view.deleted ? deletedColumnsOf : columnsOf)(t, { onRun, onDeed })}
      rows={reports}
      rowKey={report => report.id}
      rowName={report => report.name}
      selection={{ selected, onChange: onSelect }}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering: ordering === DEFAULT_ORDERING ? undefined : ordering })}
      stale={stale}
    />
  )
}

function columnsOf(
  t: ReturnType<typeof useTranslation<'reports'>>['t'],
  { onRun, onDeed }: Pick<ReportTableProps, 'onRun' | 'onDeed'>,
): Column<Report>[] {
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: report => <NameCell report={report} deleted={false} />,
    },
    {
      key: 'channels',
      header: t('column.channels'),
      room: 'some',
      cell: report => <ChannelIcons channels={report.channels} />,
    },
    {
      key: 'schedule',
      header: t('column.schedule'),
      room: 'some',
      cell: report => <ScheduleCell report={report} />,
    },
    { key: 'last_run', header: t('column.last_run'), cell: report => <LastRunCell report={report} /> },
    {
      key: 'next_run',
      header: t('column.next_run'),
      sort: 'next_run_at',
      room: 'some',
      cell: report => <NextRunCell report={report} />,
    },
    {
      key: 'modified',
      header: t('column.modified'),
      sort: 'last_modified_at',
      room: 'much',
      cell: report => <TimeCell at={report.last_modified_at} />,
    },
    {
      key: 'menu',
      header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
      align: 'end',
      width: '48px',
      cell: report => <ReportMenu report={report} onRun={onRun} onDeed={onDeed} />,
    },
  ]
}

/** What was deleted can only be brought back. */
function deletedColumnsOf(
  t: ReturnType<typeof useTranslation<'reports'>>['t'],
  { onDeed }: Pick<ReportTableProps, 'onDeed'>,
): Column<Report>[] {
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: report => <NameCell report={report} deleted />,
    },
    {
      key: 'channels',
      header: t('column.channels'),
      room: 'some',
      cell: report => <ChannelIcons channels={report.channels} />,
    },
    {
      key: 'restore',
      header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
      align: 'end',
      cell: report => (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRestore size={14} stroke={1.8} />}
          onClick={() => onDeed({ kind: 'restore', reports: [report] })}
        >
          {t('deleted.restore')}
        </Button>
      ),
    },
  ]
}
