import type { Report } from '#shared/api/reports.ts'
import { frequency } from '#shared/schedule.ts'
import type { Language } from '#shared/language.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'
import { timeText } from '#web/ui/times.ts'

type T = ReturnType<typeof useTranslation<'reports'>>['t']

export type Scheduled = Pick<
  Report,
  'update_frequency' | 'update_time' | 'update_day_of_week' | 'update_day_of_month'
>

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export type Weekday = (typeof weekdays)[number]

export const weekdayOf = (day: number | null): Weekday => weekdays.find(known => known === day) ?? 1

/** "Every Monday AM 09:00" */
export function scheduleText(t: T, report: Scheduled, language: Language): string {
  const time = timeText(report.update_time, language)
  switch (report.update_frequency) {
    case frequency.once:
      return t('schedule.once', { time })
    case frequency.daily:
      return t('schedule.daily', { time })
    case frequency.weekly:
      return t('schedule.weekly', {
        day: t(`weekday.day_${weekdayOf(report.update_day_of_week)}`),
        time,
      })
    case frequency.monthly:
      return t('schedule.monthly', { day: report.update_day_of_month ?? 1, time })
    case frequency.ended:
      return t('schedule.ended')
    default:
      return t('schedule.none')
  }
}
