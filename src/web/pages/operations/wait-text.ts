import type { useTranslation } from '#web/i18n/use-translation.ts'

type T = ReturnType<typeof useTranslation<'operations'>>['t']

/** A duration, as coarse as it takes to decide whether to get up. */
export function waitText(t: T, ms: number): string {
  if (ms < 1000) return t('wait.under_second')
  if (ms < 120_000) return t('wait.seconds', { seconds: Math.round(ms / 1000) })
  if (ms < 7_200_000) return t('wait.minutes', { minutes: Math.round(ms / 60_000) })
  return t('wait.hours', { hours: Math.round(ms / 3_600_000) })
}
