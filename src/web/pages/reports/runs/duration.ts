import type { useTranslation } from '#web/i18n/use-translation.ts'

type T = ReturnType<typeof useTranslation<'runs'>>['t']

/** "2 min 5 s" between two instants. */
export const durationText = (t: T, from: string, to: string): string =>
  spanText(t, Date.parse(to) - Date.parse(from))

/** The same of milliseconds; short ones to a tenth of a second. */
export function spanText(t: T, ms: number): string {
  if (ms < 100) return t('duration.under_tenth')
  if (ms < 9950) return t('duration.seconds', { seconds: (ms / 1000).toFixed(1) })
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return t('duration.seconds', { seconds })
  if (seconds < 3600)
    return t('duration.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
  return t('duration.hours', {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
  })
}
