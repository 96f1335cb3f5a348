import { Button } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import type { Overview, OverviewReport } from '#shared/api/overview.ts'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton, LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EndingStrip } from '#web/pages/reports/bulk-changes/ending-strip.tsx'
import { spreadsheetLink } from '#web/pages/reports/spreadsheet-link.ts'
import { Card } from '#web/ui/card.tsx'
import { clockText, dayText, instantText } from '#web/ui/times.ts'
import { LazySpend } from './lazy-spend.tsx'
import styles from './overview.module.css'

/**
 * For clients, who come twice a month: which reports there are, how fresh each is, and the way into its
 * spreadsheet.
 */
export function ClientReports({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { recent, ending } = overview
  return (
    <div className={styles.page}>
      {ending.soon + ending.ended > 0 && (
        <div className={styles.wide}>
          <EndingStrip counts={ending} />
        </div>
      )}
      <div className={styles.wide}>
        <Card title={t('my_reports')} padding="flush">
          <ul className={styles.lines}>
            {recent.reports.map(each => (
              <ClientLine key={each.report.id} {...each} />
            ))}
          </ul>
          {recent.count > recent.reports.length && (
            <p className={styles.more}>
              <LinkText to="/gs-template" search={{ p: 0, search: '', page: 1 }}>
                {t('more_reports', { count: recent.count - recent.reports.length })}
              </LinkText>
            </p>
          )}
        </Card>
      </div>
      <div className={styles.wide}>
        <LazySpend />
      </div>
    </div>
  )
}

function ClientLine({ report, updated_at, finishes_at }: OverviewReport) {
  const { t, language } = useTranslation('overview')
  const today = Temporal.Now.plainDateISO()
  const freshness = () => {
    if (updated_at === null) return t('not_updated')
    const time = clockText(updated_at, language)
    const days = Temporal.PlainDate.from(dayText(updated_at)).until(today).days
    if (days === 0) return t('updated_today', { time })
    return days === 1
      ? t('updated_yesterday', { time })
      : t('updated_on', { at: instantText(updated_at, language) })
  }
  const updating = () =>
    finishes_at === null ? t('updating_now') : t('updating_until', { time: clockText(finishes_at, language) })
  return (
    <li>
      <div className={styles.what}>
        <LinkText to="/gs-template/template" search={{ id: report.id }} fw={550} c="inherit">
          {report.name}
        </LinkText>
        <span className={styles.cause}>
          {report.task === null ? freshness() : updating()}
          {report.task === null && report.last_run?.status === 'error' && ` ${t('last_try_failed')}`}
        </span>
        {report.next_run_at && (
          <small>{t('next_update', { at: instantText(report.next_run_at, language) })}</small>
        )}
      </div>
      <OpenSpreadsheet report={report} />
    </li>
  )
}

function OpenSpreadsheet({ report }: { report: Report }) {
  const { t } = useTranslation('overview')
  const link = spreadsheetLink(report.spreadsheet_url, report.sheet_id)
  if (link === null) return null
  const badges = {
    size: 'xs',
    variant: 'light',
    leftSection: <IconTable size={14} stroke={1.7} aria-hidden />,
    'aria-label': t('open_spreadsheet_of', { name: report.name }),
  } as const
  return 'built_in' in link ? (
    <LinkButton
      to="/sheets/$id"
      params={{ id: link.built_in }}
      search={link.gid === null ? {} : { gid: link.gid }}
      {...badges}
    >
      {t('open_spreadsheet')}
    </LinkButton>
  ) : (
    <Button component="a" href={link.href} target="_blank" rel="noreferrer" {...badges}>
      {t('open_spreadsheet')}
    </Button>
  )
}
