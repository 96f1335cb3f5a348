import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcons } from '#web/pages/reports/channel-icon.tsx'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { useReportsToCopy } from './data.ts'
import styles from './new-report.module.css'

const ReportActionDialog = lazy(async () => ({
  default: (await import('#web/pages/reports/list/report-action.tsx')).ReportActionDialog,
}))

/** A report to begin with a copy of; the copy opens in the editor. */
export function CopyCard() {
  const { t } = useTranslation('start')
  const { t: tReports } = useTranslation('reports')
  const [search, setSearch] = useState('')
  const [copied, setCopied] = useState<Report | null>(null)
  const { data, error, refetch } = useReportsToCopy(search)
  if (data?.count === 0 && search === '') return null
  return (
    <Card title={t('copy')}>
      <div className={styles.search}>
        <SearchField label={t('search_report')} value={search} onSearch={setSearch} />
      </div>
      {error && !data && <Problem code={error.code} onRetry={() => void refetch()} />}
      {data?.count === 0 && <p className={styles.quiet}>{tReports('empty.search_title')}</p>}
      <ul className={styles.reports}>
        {data?.results.map(report => (
          <li key={report.id}>
            <span className={styles.name}>{report.name}</span>
            <ChannelIcons channels={report.channels} />
            {report.shared_by !== null && <small>{tReports('shared_by', { name: report.shared_by })}</small>}
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconCopy size={14} stroke={1.7} />}
              aria-label={t('copy_of', { name: report.name })}
              onClick={() => setCopied(report)}
            >
              {tReports('action.copy')}
            </Button>
          </li>
        ))}
      </ul>
      {copied && (
        <Suspense>
          <ReportActionDialog
            action={{ kind: 'copy', reports: [copied] }}
            onDone={() => setCopied(null)}
            onClose={() => setCopied(null)}
          />
        </Suspense>
      )}
    </Card>
  )
}
