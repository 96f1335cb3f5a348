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
import { zonedText } from '#web/ui/zone-text.ts'
import { LazySpend } from './lazy-spend.tsx'
import { AttentionCard } from './attention-card.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import styles from './overview.module.css'
import { UnknownZone } from './unknown-zone.tsx'
import { reportStateOf, type ReportState } from './report-state.ts'

/**
 * For clients, who come twice a month: which reports there are, how fresh each is, and the way into its
 * spreadsheet.
 */
export function ClientReports({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview_later')
  const { recent, ending, attention } = overview
  return (
    <div className={styles.page}>
      <UnknownZone overview={overview} />
      <FirstStepsCard />
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
      {attention.count > 0 && (
        <div className={styles.wide}>
          <AttentionCard attention={attention} />
        </div>
      )}
      <div className={styles.wide}>
        <LazySpend />
      </div>
    </div>
  )
}

function ClientLine(overviewReport: OverviewReport) {
  const { t, language } = useTranslation('overview_later')
  const { report } = overviewReport
  return (
    <li>
      <div className={styles.what}>
        <LinkText to="/gs-template/template" search={{ id: report.id }} fw={550} c="inherit">
          {report.name}
        </LinkText>
        <span className={styles.cause}>
          <Freshness state={reportStateOf(overviewReport)} />
        </span>
        {report.next_run_at && (
          <small>
            {t('next_update', { at: instantText(report.next_run_at, language) })}
            {zonedText(report.next_run_at, language, report.timezone)}
          </small>
        )}
      </div>
      <OpenSpreadsheet report={report} />
    </li>
  )
}

/** How fresh the spreadsheet is, in plain words. */
function Freshness({ state }: { state: ReportState }) {
  const { t, language } = useTranslation('overview_later')
  const updated = (at: string) => {
    const time = clockText(at, language)
    const days = Temporal.PlainDate.from(dayText(at)).until(Temporal.Now.plainDateISO()).days
    if (days === 0) return t('updated_today', { time })
    return days === 1 ? t('updated_yesterday', { time }) : t('updated_on', { at: instantText(at, language) })
  }
  switch (state.kind) {
    case 'never':
      return t('not_updated')
    case 'cancelled':
      return t('not_updated_cancelled')
    case 'running':
      return state.finishes_at === null
        ? t('updating_now')
        : t('updating_until', { time: clockText(state.finishes_at, language) })
    case 'failed':
      return state.updated_at === null
        ? t('first_try_failed')
        : `${updated(state.updated_at)} ${t('last_try_failed')}`
    case 'partial':
      return `${updated(state.at)} ${t('updated_partly')}`
    case 'restored':
      return t('restored_on', { at: instantText(state.at, language) })
    case 'updated':
      return updated(state.at)
  }
}

function OpenSpreadsheet({ report }: { report: Report }) {
  const { t } = useTranslation('overview_later')
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
