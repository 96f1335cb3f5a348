import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { todayIn } from '#shared/date-range.ts'
import { scheduleEndOf, type ScheduleEnd } from '#shared/schedule-end.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import styles from './bulk-changes.module.css'
import type { Later } from './ending-reports.tsx'

interface EndingTableProps {
  reports: readonly Report[]
  selected: ReadonlySet<number>
  busy: boolean
  onSelect: (selected: ReadonlySet<number>) => void
  onLater: (report: Report, by: Later) => void
}

/** The next ones to end first. */
export function EndingTable({ reports, selected, busy, onSelect, onLater }: EndingTableProps) {
  const { t } = useTranslation('bulk_changes')
  const [now] = useState(() => new Date())
  const rows = reports
    .map(report => ({ report, ending: endOf(report, now) }))
    .toSorted((a, b) => (a.ending?.days ?? 0) - (b.ending?.days ?? 0))
  const columns: Column<(typeof rows)[number]>[] = [
    {
      key: 'name',
      header: t('ending.report'),
      cell: ({ report: { id, name } }) => (
        <LinkText to="/gs-template/template" search={{ id }} fw={550} c="inherit">
          {name}
        </LinkText>
      ),
    },
    {
      key: 'when',
      header: t('ending.when'),
      cell: ({ report, ending }) => (
        <div className={styles.when}>
          {ending && <EndsIn ending={ending} />}
          <small>{t('ending.range_until', { day: report.date_range.end ?? '' })}</small>
        </div>
      ),
    },
    {
      key: 'owner',
      header: t('ending.owner'),
      room: 'some',
      narrow: true,
      cell: ({ report }) => report.owner_name,
    },
    {
      key: 'later',
      header: <VisuallyHidden>{t('ending.later')}</VisuallyHidden>,
      align: 'end',
      cell: ({ report }) =>
        mayDo(report.access, 'change') ? (
          <div className={styles.rowButtons}>
            {([1, 3] as const).map(months => (
              <Button
                key={months}
                size="compact-xs"
                variant="default"
                disabled={busy}
                aria-label={t(`ending.extend_${months}`, { name: report.name })}
                onClick={() => onLater(report, { months })}
              >
                {t(months === 1 ? 'ending.month' : 'ending.quarter')}
              </Button>
            ))}
          </div>
        ) : (
          <small className={styles.owner}>{t('ending.view_only')}</small>
        ),
    },
  ]
  return (
    <DataTable
      label={t('kind.ending')}
      columns={columns}
      rows={rows}
      rowKey={({ report }) => report.id}
      rowName={({ report }) => report.name}
      selection={{ selected, onChange: onSelect }}
    />
  )
}

function EndsIn({ ending: { state, days, ends_on } }: { ending: ScheduleEnd }) {
  const { t } = useTranslation('bulk_changes')
  return (
    <span data-tabular>
      {state === 'ended'
        ? t('ending.ended', { day: ends_on })
        : t('ending.in', { count: days, day: ends_on })}
    </span>
  )
}

const endOf = (report: Report, now: Date) =>
  scheduleEndOf(
    { date_range: report.date_range, update_frequency: report.chosen_frequency },
    todayIn(report.timezone, now),
  )
