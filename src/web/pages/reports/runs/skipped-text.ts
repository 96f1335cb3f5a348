import type { SkippedReport } from '#shared/api/executions.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'

type T = ReturnType<typeof useTranslation<'runs'>>['t']

/** How many reports of a click were not started; whether that is because of their setup. */
export const skippedText = (t: T, skipped: readonly SkippedReport[]): string =>
  t(skipped.every(({ code }) => code === 'report_has_gaps') ? 'skipped.not_set_up' : 'skipped.not_started', {
    count: skipped.length,
  })
