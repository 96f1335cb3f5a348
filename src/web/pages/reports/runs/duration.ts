import type { useTranslation } from '#web/i18n/use-translation.ts'

type T = ReturnType<typeof useTranslation<'runs'>>['t']

/** "2 min 5 s" between two instants. */
export function durationText(t: T, from: string, to: string): string {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000)
  if (seconds < 1) return t('duration.under_second')
  if (seconds < 60) return t('duration.seconds', { seconds })
  if (seconds < 3600)
    return t('duration.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
  return t('duration.hours', {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
  })
}
