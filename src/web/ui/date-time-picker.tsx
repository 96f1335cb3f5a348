import { NativeSelect } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useCalendarWords } from './calendar.ts'
import styles from './date-range-field.module.css'
import { instantOf, isFuture, partsOf, thisMinute, type DateTimeParts } from './date-time-rules.ts'

interface DateTimePickerProps {
  value: string
  onChange: (instant: string) => void
  now: Date
  timezone: string
}

const hours = [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const minutes = Array.from({ length: 60 }, (_, minute) => minute)

/**
 * A calendar without days to come, and a time of which every choice is valid; what would be in the future
 * becomes now.
 */
export function DateTimePicker({ value, onChange, now, timezone }: DateTimePickerProps) {
  const { t } = useTranslation('fields')
  const words = useCalendarWords()
  const root = useRef<HTMLDivElement>(null)
  // The picker is loaded when it is opened, after the dialog has placed the focus.
  useEffect(() => root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const parts = partsOf(value, timezone)
  const today = partsOf(thisMinute(now), timezone).day

  function change(changed: Partial<DateTimeParts>) {
    const instant = instantOf({ ...parts, ...changed }, timezone)
    onChange(isFuture(instant, now) ? thisMinute(now) : instant)
  }

  return (
    <div ref={root}>
      <DatePicker
        classNames={{ day: styles.day }}
        value={parts.day}
        onChange={day => {
          if (day !== null) change({ day })
        }}
        defaultDate={parts.day}
        maxDate={today}
        size="sm"
        fullWidth
        {...words}
        getDayProps={day => ({
          ...(day === today && { 'aria-current': 'date' }),
          ...(day === parts.day && { 'data-autofocus': true }),
        })}
      />
      <fieldset className={styles.time} aria-label={t('date_time.time')}>
        <NativeSelect
          size="xs"
          aria-label={t('time.half')}
          value={parts.half}
          data={[
            { value: 'am', label: t('time.am') },
            { value: 'pm', label: t('time.pm') },
          ]}
          onChange={event => change({ half: event.currentTarget.value === 'am' ? 'am' : 'pm' })}
        />
        <NativeSelect
          size="xs"
          aria-label={t('date_time.hour')}
          value={String(parts.hour)}
          data={hours.map(String)}
          onChange={event => change({ hour: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          size="xs"
          aria-label={t('date_time.minute')}
          value={String(parts.minute)}
          data={minutes.map(minute => ({ value: String(minute), label: String(minute).padStart(2, '0') }))}
          onChange={event => change({ minute: Number(event.currentTarget.value) })}
        />
      </fieldset>
    </div>
  )
}
