import { Link } from '@tanstack/react-router'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcons } from '#web/pages/reports/channel-icon.tsx'
import { GapChips } from '#web/pages/reports/gap-chips.tsx'
import { RowProgress } from '#web/pages/reports/runs/row-progress.tsx'
import { runBadges } from '#web/pages/reports/runs/run-state.ts'
import { cadenceText, hasTime, scheduleText } from '#web/pages/reports/schedule-text.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { timeText } from '#web/ui/times.ts'
import { zoneSuffix } from '#web/ui/zone-text.ts'
import { isEverywhere, useFolders } from './data.ts'
import { dragOfReports } from './drag.ts'
import { folderPath } from './folder-options.ts'
import styles from './report-table.module.css'
import { Star } from './star.tsx'
import type { Selected } from './use-selection.ts'
import { useListView } from './view.ts'

interface NameCellProps {
  report: Report
  /** Dragged along when this one is dragged and is among them. */
  selected: Selected
  deleted: boolean
}

/**
 * Name, by whom it is shared, and what is still to be set up, on a phone also what the other columns say;
 * what was deleted cannot be opened.
 */
export function NameCell({ report, selected, deleted }: NameCellProps) {
  const { t, language } = useTranslation('reports')
  const { view } = useListView()
  const from =
    report.access === 'superuser'
      ? t('owned_by', { name: report.owner_name })
      : report.shared_by !== null && t('shared_by', { name: report.shared_by })
  return (
    <div className={styles.nameCell}>
      {deleted ? (
        <span>{report.name}</span>
      ) : (
        <span>
          <Link
            to="/gs-template/template"
            search={{ id: report.id }}
            className={styles.name}
            {...dragOfReports(report, selected)}
          >
            {report.name}
          </Link>
          <Star report={report} />
        </span>
      )}
      {from && <span className={styles.from}>{from}</span>}
      {!deleted && isEverywhere(view) && report.access !== 'superuser' && (
        <span className={styles.folderBelow}>
          <FolderCell report={report} />
        </span>
      )}
      {!deleted && (
        <div className={styles.narrow}>
          <ChannelIcons channels={report.channels} />
          <span>
            {scheduleText(t, report, language)}
            {report.next_run_at !== null && (
              <>
                {' · '}
                <span className={styles.whole}>
                  {t('column.next_run')} <RelativeTime at={report.next_run_at} />
                </span>
              </>
            )}
          </span>
          <LastRunCell report={report} />
        </div>
      )}
      {!deleted && <GapChips report={report} mayChange={mayDo(report.access, 'change')} />}
    </div>
  )
}

/** In which folder of the reader it is, as the way there. */
export function FolderCell({ report: { folder, access } }: { report: Report }) {
  const { t } = useTranslation('reports')
  const folders = useFolders().data ?? []
  // The folders of others are their own.
  if (access === 'superuser') return <span className={styles.quiet}>{t('no_folder')}</span>
  return (
    <Link to="/gs-template" search={{ p: folder ?? 0, search: '', page: 1 }} className={styles.folder}>
      {(folder !== null && folderPath(folders, folder)) || t('folders.root')}
    </Link>
  )
}

/** "Every Monday", and below it the time, in the report's zone where that is not the reader's. */
export function ScheduleCell({ report }: { report: Report }) {
  const { t, language } = useTranslation('reports')
  const cadence = cadenceText(t, report)
  if (!hasTime(report)) return <span className={styles.unscheduled}>{cadence}</span>
  const zone = zoneSuffix(report.timezone, language)
  return (
    <span className={styles.whole} title={report.timezone}>
      {cadence}
      <small className={styles.at}>
        <span className={styles.whole}>{timeText(report.update_time, language)}</span>
        {zone.startsWith(' ') && ' '}
        <span className={styles.zone}>{zone.trim()}</span>
      </small>
    </span>
  )
}

/** When and how the last run ended, or how far the current one is. */
export function LastRunCell({ report }: { report: Report }) {
  const { t, language } = useTranslation('reports')
  const { t: tRuns } = useTranslation('runs')
  const internal = useIsInternal()
  const { task, last_run } = report
  if (task !== null) return <RowProgress report={report.id} run={task} />
  if (last_run === null) return <span className={styles.quiet}>{t('never_ran')}</span>
  const state = last_run.status === 'completed' && last_run.partial ? 'partial' : last_run.status
  const { tone, icon: Glyph } = runBadges[state]
  const outcome =
    last_run.code !== null && isErrorCode(last_run.code)
      ? problemText(last_run.code, internal ? 'internal' : 'external', language)
      : tRuns(`status.${state}`)
  const why = [outcome, last_run.proof && tRuns(`proof.run_${last_run.proof}`)].filter(Boolean).join(' · ')
  return (
    <Link
      to="/gs-template/history"
      search={{ id: report.id, run: last_run.id }}
      className={styles.lastRun}
      title={why}
    >
      <span className={styles.outcome} data-tone={tone} role="img" aria-label={why}>
        <Glyph size={17} stroke={1.7} aria-hidden />
      </span>
      <span>
        {last_run.finished_at !== null && <RelativeTime at={last_run.finished_at} />}
        <small>
          {last_run.status === 'completed' && last_run.rows !== null
            ? t('rows', { count: last_run.rows })
            : tRuns(`status.${last_run.status}`)}
        </small>
      </span>
    </Link>
  )
}

export function NextRunCell({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  if (report.next_run_at === null) return <span className={styles.quiet}>{t('not_scheduled')}</span>
  return <TimeCell at={report.next_run_at} />
}

export function TimeCell({ at }: { at: string }) {
  return (
    <span className={styles.whole}>
      <RelativeTime at={at} />
    </span>
  )
}
