import type { ReactNode } from 'react'
import type { Overview, OverviewReport } from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './overview.module.css'

/** The next ones to run, each with when exactly and how long that is. */
export function DueLines({ reports }: { reports: Overview['due'] }) {
  const { language } = useTranslation('overview')
  return (
    <ul className={styles.lines}>
      {reports.map(report => (
        <Line
          key={report.id}
          report={report}
          below={report.next_run_at && instantText(report.next_run_at, language)}
        >
          {report.next_run_at && <RelativeTime at={report.next_run_at} />}
        </Line>
      ))}
    </ul>
  )
}

/** The last changed ones, with when each was last brought up to date. */
export function RecentLines({ reports }: { reports: readonly OverviewReport[] }) {
  const { t } = useTranslation('overview')
  return (
    <ul className={styles.lines}>
      {reports.map(({ report, updated_at }) => (
        <Line key={report.id} report={report} below={report.shared_by ?? report.owner_name}>
          {updated_at === null ? (
            t('never_ran')
          ) : (
            <>
              {report.last_run?.status === 'completed' && (
                <>{t('rows', { count: report.last_run.rows ?? 0 })} · </>
              )}
              <RelativeTime at={updated_at} />
            </>
          )}
        </Line>
      ))}
    </ul>
  )
}

/** A report by its name, with what is below and beside it. */
function Line({ report, below, children }: { report: Report; below: ReactNode; children: ReactNode }) {
  return (
    <li>
      <div className={styles.what}>
        <LinkText to="/gs-template/template" search={{ id: report.id }} fw={550} c="inherit">
          {report.name}
        </LinkText>
        <small>{below}</small>
      </div>
      <span className={styles.when}>{children}</span>
    </li>
  )
}
