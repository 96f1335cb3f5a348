import { Button, VisuallyHidden } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { ChannelIcons } from '#web/pages/reports/channel-icon.tsx'
import { FolderCell, LastRunCell, NameCell, NextRunCell, ScheduleCell, TimeCell } from './report-cells.tsx'
import type { ReportAction } from './report-action.tsx'
import { ReportMenu } from './report-menu.tsx'
import { RowRun } from './row-run.tsx'
import styles from './report-table.module.css'
import type { Selected, useSelection } from './use-selection.ts'
import { isEverywhere } from './data.ts'
import { DEFAULT_ORDERING, useListView } from './view.ts'

interface ReportTableProps {
  reports: readonly Report[]
  stale: boolean
  selection: ReturnType<typeof useSelection>
  onRun: (ids: readonly number[]) => void
  onAction: (action: ReportAction) => void
}

/** The reports of a folder or of a search. */
export function ReportTable({ reports, stale, selection, onRun, onAction }: ReportTableProps) {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const { selected, setOnPage } = selection
  return (
    <DataTable
      label={t('table')}
      columns={
        view.deleted
          ? deletedColumnsOf(t, { selected, onRun, onAction })
          : columnsOf(t, { selected, onRun, onAction, everywhere: isEverywhere(view) })
      }
      rows={reports}
      rowKey={report => report.id}
      rowName={report => report.name}
      selection={{ selected: new Set(selected.keys()), onChange: setOnPage }}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering: ordering === DEFAULT_ORDERING ? undefined : ordering })}
      stale={stale}
    />
  )
}

type Actions = Pick<ReportTableProps, 'onRun' | 'onAction'> & { selected: Selected }

function columnsOf(
  t: ReturnType<typeof useTranslation<'reports'>>['t'],
  { selected, onRun, onAction, everywhere }: Actions & { everywhere: boolean },
): Column<Report>[] {
  const folder: Column<Report> = {
    key: 'folder',
    header: t('column.folder'),
    room: 'much',
    cell: report => <FolderCell report={report} />,
  }
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: report => <NameCell report={report} selected={selected} deleted={false} />,
    },
    ...(everywhere ? [folder] : []),
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
    {
      key: 'last_run',
      header: t('column.last_run'),
      sort: 'last_run_at',
      room: 'some',
      cell: report => <LastRunCell report={report} />,
    },
    {
      key: 'next_run',
      header: t('column.next_run'),
      sort: 'next_run_at',
      room: 'some',
      cell: report => <NextRunCell report={report} />,
    },
    {
      key: 'owner',
      header: t('column.owner'),
      sort: 'owner_name',
      room: 'plenty',
      cell: report => report.owner_name,
    },
    {
      key: 'modified',
      header: t('column.modified'),
      sort: 'last_modified_at',
      room: everywhere ? 'plenty' : 'much',
      cell: report => <TimeCell at={report.last_modified_at} />,
    },
    {
      key: 'menu',
      header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
      align: 'end',
      width: '84px',
      cell: report => (
        <span className={styles.actions}>
          <RowRun report={report} onRun={onRun} />
          <ReportMenu report={report} onRun={onRun} onAction={onAction} />
        </span>
      ),
    },
  ]
}

/** A deleted report can only be restored. */
function deletedColumnsOf(
  t: ReturnType<typeof useTranslation<'reports'>>['t'],
  { selected, onAction }: Actions,
): Column<Report>[] {
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: report => <NameCell report={report} selected={selected} deleted />,
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
          onClick={() => onAction({ kind: 'restore', reports: [report] })}
        >
          {t('deleted.restore')}
        </Button>
      ),
    },
  ]
}
