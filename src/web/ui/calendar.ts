import type { DatePickerProps, DayOfWeek } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-tw.js'
import { useTranslation } from '#web/i18n/use-translation.ts'

/**
 * The format of calendars in each language: in Traditional Chinese the week begins on Monday, in English on
 * Sunday.
 */
export function useCalendarWords() {
  const { t, language } = useTranslation('fields')
  const chinese = language === 'zh-TW'
  return {
    locale: chinese ? 'zh-tw' : 'en',
    firstDayOfWeek: chinese ? (1 as const) : (0 as const),
    monthLabelFormat: chinese ? 'YYYY 年 M 月' : 'MMMM YYYY',
    weekendDays: [] as DayOfWeek[],
    ariaLabels: {
      previousMonth: t('date_range.previous_month'),
      nextMonth: t('date_range.next_month'),
      previousYear: t('date_range.previous_year'),
      nextYear: t('date_range.next_year'),
    },
  } satisfies Partial<DatePickerProps>
}
