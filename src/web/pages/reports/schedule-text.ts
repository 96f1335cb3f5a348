import type { Report } from '#shared/api/reports.ts'
import { frequency } from '#shared/schedule.ts'
import type { Language } from '#shared/language.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'
import { timeText } from '#web/ui/times.ts'
import { zoneSuffix } from '#web/ui/zone-text.ts'

type T = ReturnType<typeof useTranslation<'reports'>>['t']

export type Scheduled = Pick<
  Report,
  'update_frequency' | 'update_time' | 'update_day_of_week' | 'update_day_of_month'
> & {
  /** Left out: of an example, whose zone will be the reader's own. */
  timezone?: string
}

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export type Weekday = (typeof weekdays)[number]

export const weekdayOf = (day: number | null): Weekday => weekdays.find(known => known === day) ?? 1

/** "Every Monday AM 09:00", with the zone where that is not the reader's. */
export function scheduleText(t: T, report: Scheduled, language: Language): string {
  const cadence = cadenceText(t, report)
  if (!hasTime(report)) return cadence
  const time = `${timeText(report.update_time, language)}${report.timezone === undefined ? '' : zoneSuffix(report.timezone, language)}`
  return t('schedule.at', { cadence, time })
}

/** Whether it runs at some time by itself. */
export const hasTime = ({ update_frequency }: Pick<Scheduled, 'update_frequency'>) =>
  update_frequency !== frequency.none && update_frequency !== frequency.ended

/** "Every Monday" */
export function cadenceText(t: T, report: Scheduled): string {
  switch (report.update_frequency) {
    case frequency.once:
      return t('schedule.once')
    case frequency.daily:
      return t('schedule.daily')
    case frequency.weekly:
      return t('schedule.weekly', { day: t(`weekday.day_${weekdayOf(report.update_day_of_week)}`) })
    case frequency.monthly:
      return t('schedule.monthly', { day: report.update_day_of_month ?? 1 })
    case frequency.ended:
      return t('schedule.ended')
    default:
      return t('schedule.none')
  }
}
