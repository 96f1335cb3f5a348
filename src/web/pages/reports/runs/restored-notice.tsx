import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { instantText } from '#web/ui/times.ts'
import { useLatestRuns } from './data.ts'
import { NextRunText } from './next-run-text.tsx'

/** Shown while the spreadsheet has a restored older table, with how long it stays. */
export function RestoredNotice({ report }: { report: Report }) {
  const { t, language } = useTranslation('history')
  const latest = useLatestRuns(report.id).data?.results.find(({ status }) => status === 'completed')
  if (!latest?.restores) return null
  const when = instantText(latest.restores.at, language)
  return (
    <InlineAlert severity="info">
      {latest.requested_by_name === null
        ? t('undo.is_back_by_somebody', { when })
        : t('undo.is_back', { when, name: latest.requested_by_name })}{' '}
      <NextRunText report={report} />
    </InlineAlert>
  )
}
