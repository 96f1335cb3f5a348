import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'

/** When the next run will replace a restored table. */
export function NextRunText({ report: { next_run_at } }: { report: Pick<Report, 'next_run_at'> }) {
  const { t, language } = useTranslation('history')
  return next_run_at === null
    ? t('undo.no_next_run')
    : t('undo.next_run', { when: instantText(next_run_at, language) })
}
