import { Button, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useCalendarWords } from './calendar.ts'
import type { DateRangeFieldProps } from './date-range-field.tsx'
import styles from './date-range-field.module.css'
import { isOutOfReach, typedRange, type DateRangeValue, type Typed } from './date-range-rules.ts'

interface DateRangePickerProps extends Omit<DateRangeFieldProps, 'hint'> {
  hint: ReactNode
  onPick: (day: string) => void
  onType: (range: DateRangeValue) => void
}

/** The calendar of a date range, and the two days as text for those who would rather type. */
export function DateRangePicker(props: DateRangePickerProps) {
  const { value, today, minimum = null, latestEnd = () => null, hint, onPick, onType } = props
  const { t } = useTranslation('fields')
  const words = useCalendarWords()
  const span = { minimum, latestEnd }
  const visibleDay = value.end ?? value.start ?? today
  // The calendar's own tab stop: the first chosen day of the month in view.
  const focused = value.start?.slice(0, 7) === visibleDay.slice(0, 7) ? value.start : visibleDay
  const root = useRef<HTMLDivElement>(null)
  // The picker is loaded when it is opened, after the dialog has placed the focus.
  useEffect(() => root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <div ref={root}>
      <TypedDays
        // What was picked replaces what was typed.
        key={`${value.start} ${value.end}`}
        value={value}
        span={span}
        onType={onType}
      />
      <DatePicker
        classNames={{ day: styles.day }}
        type="range"
        allowSingleDateInRange
        value={[value.start, value.end]}
        onChange={() => {}}
        defaultDate={visibleDay}
        {...(minimum !== null && { minDate: minimum })}
        excludeDate={day => isOutOfReach(value, day, span)}
        size="sm"
        fullWidth
        {...words}
        getDayProps={day => ({
          onClick: () => onPick(day),
          ...(day === today && { 'aria-current': 'date' }),
          ...(day === focused && { 'data-autofocus': true }),
        })}
      />
      {(minimum !== null || hint) && (
        <p className={styles.hint}>
          {minimum !== null && t('date_range.hint_after', { day: minimum })} {hint}
        </p>
      )}
    </div>
  )
}

interface TypedDaysProps {
  value: DateRangeValue
  span: Parameters<typeof typedRange>[1]
  onType: (range: DateRangeValue) => void
}

/** Both days as text; Enter or the button takes them, and what is incomplete or out of range is said. */
function TypedDays({ value, span, onType }: TypedDaysProps) {
  const { t } = useTranslation('fields')
  const [typed, setTyped] = useState({ start: value.start ?? '', end: value.end ?? '' })
  const [left, setLeft] = useState(false)
  const isTouched = typed.start !== (value.start ?? '') || typed.end !== (value.end ?? '')
  const result = typedRange(typed, span)

  function apply() {
    setLeft(true)
    if ('range' in result) onType({ ...result.range, dynamic_range: 0 })
  }

  const errorOf = (side: 'start' | 'end') => {
    const problem = 'range' in result || !isTouched || !left ? undefined : result[side]
    return problem && 'problem' in problem && textOf(problem)
  }
  const textOf = ({ problem, day = '' }: Exclude<Typed, { day: string; problem?: never }>) =>
    t(`date_range.${problem}`, { day })

  return (
    <div className={styles.typed}>
      {(['start', 'end'] as const).map(side => (
        <TextInput
          key={side}
          size="xs"
          label={t(`date_range.${side}`)}
          placeholder={t('date_range.typed_hint')}
          value={typed[side]}
          maxLength={10}
          inputMode="numeric"
          autoComplete="off"
          error={errorOf(side)}
          onChange={event => setTyped({ ...typed, [side]: event.currentTarget.value })}
          onBlur={() => setLeft(true)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === 'Enter') apply()
          }}
        />
      ))}
      {isTouched && (
        <Button size="compact-xs" className={styles.apply} onClick={apply}>
          {t('date_range.apply')}
        </Button>
      )}
    </div>
  )
}
