import type { ReactNode } from 'react'
import type { Overview, OverviewReport } from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { instantText } from '#web/ui/times.ts'
import { zonedText } from '#web/ui/zone-text.ts'
import styles from './overview.module.css'
import { reportStateOf } from './report-state.ts'
import { StateText } from './state-text.tsx'

/** The next ones to run, each with when exactly, on the report's own clocks too, and how long that is. */
export function DueLines({ reports }: { reports: Overview['due'] }) {
  const { language } = useTranslation('overview')
  return (
    <ul className={styles.lines}>
      {reports.map(report => (
        <Line
          key={report.id}
          report={report}
          below={
            report.next_run_at && (
              <>
                {instantText(report.next_run_at, language)}
                {zonedText(report.next_run_at, language, report.timezone)}
              </>
            )
          }
        >
          {report.next_run_at && <RelativeTime at={report.next_run_at} />}
        </Line>
      ))}
    </ul>
  )
}

/** The last changed ones, each with its state. */
export const RecentLines = ({ reports }: { reports: readonly OverviewReport[] }) => (
  <ul className={styles.lines}>
    {reports.map(each => (
      <Line key={each.report.id} report={each.report} below={each.report.shared_by ?? each.report.owner_name}>
        <StateText state={reportStateOf(each)} />
      </Line>
    ))}
  </ul>
)

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
