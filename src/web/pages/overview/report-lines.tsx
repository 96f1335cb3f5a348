import type { ReactNode } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { LaterProblemText } from '#web/app/later-problem.tsx'
import { LinkText } from '#web/app/links.tsx'
import { useIsInternal } from '#web/app/me.ts'
import { isErrorCode } from '#web/app/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './overview.module.css'

const SHOWN = 6
type Reports = readonly Report[]

/** The failed ones, each with its cause. */
export function FailedLines({ reports }: { reports: Reports }) {
  const audience = useIsInternal() ? 'internal' : 'external'
  return (
    <Lines
      reports={reports}
      below={({ last_run }) =>
        last_run?.code && isErrorCode(last_run.code) ? (
          <LaterProblemText code={last_run.code} audience={audience} />
        ) : null
      }
      beside={({ last_run }) => last_run?.finished_at && <RelativeTime at={last_run.finished_at} />}
    />
  )
}

/** The next ones to run. */
export const DueLines = ({ reports }: { reports: Reports }) => (
  <Lines reports={reports} beside={({ next_run_at }) => next_run_at && <RelativeTime at={next_run_at} />} />
)

/** The last changed ones, with when each was last brought up to date. */
export function RecentLines({ reports }: { reports: Reports }) {
  const { t } = useTranslation('overview')
  return (
    <Lines
      reports={reports}
      below={({ owner_name, shared_by }) => shared_by ?? owner_name}
      beside={({ last_run }) =>
        last_run?.status === 'completed' && last_run.finished_at ? (
          <>
            {t('rows', { count: last_run.rows ?? 0 })} · <RelativeTime at={last_run.finished_at} />
          </>
        ) : (
          last_run === null && t('never_ran')
        )
      }
    />
  )
}

interface LinesProps {
  reports: Reports
  below?: (report: Report) => ReactNode
  beside: (report: Report) => ReactNode
}

function Lines({ reports, below, beside }: LinesProps) {
  return (
    <ul className={styles.lines}>
      {reports.slice(0, SHOWN).map(report => (
        <li key={report.id}>
          <div className={styles.what}>
            <LinkText to="/gs-template/template" search={{ id: report.id }} fw={550} c="inherit">
              {report.name}
            </LinkText>
            <small>{below?.(report)}</small>
          </div>
          <span className={styles.when}>{beside(report)}</span>
        </li>
      ))}
    </ul>
  )
}
