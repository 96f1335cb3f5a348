import { Button, Input, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/zh-tw.js'
import { IconCalendar } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './date-range-field.module.css'
import {
  chooseDynamic,
  completedOnClose,
  completedOnOutsideClick,
  dynamicRanges,
  pickDay,
  type DateRangeValue,
} from './date-range-rules.ts'
import { SelectField } from './select-field.tsx'

interface DateRangeFieldProps {
  label: ReactNode
  value: DateRangeValue
  onChange: (value: DateRangeValue) => void
  /** The day it is where the range counts, yyyy-MM-dd. */
  today: string
  /** Earlier days cannot be chosen. */
  minimum?: string | null
  /** What a dynamic range means today, as two days. */
  echo?: { start: string; end: string } | null
  /** Under the calendar, for example the link to ask for more. */
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** Two days by a calendar, or a dynamic range that moves along with the days. */
export function DateRangeField(props: DateRangeFieldProps) {
  const { t } = useTranslation('ui')
  const { value, onChange, today } = props
  const id = useId()
  const [draft, setDraft] = useState<DateRangeValue | null>(null)

  /** The value that the calendar shows: what is being picked, else what is chosen. */
  const shown = draft ?? value
  const isOpen = draft !== null

  /** An incomplete dynamic range is not kept: its dates are not what counts. */
  function close(completed: (value: DateRangeValue, today: string) => DateRangeValue) {
    if (draft === null) return
    const result = completed(draft, today)
    setDraft(null)
    if (result.end !== null && !isSame(result, value)) onChange(result)
  }

  function pick(day: string) {
    const picked = pickDay(shown, day)
    setDraft(picked.complete ? null : picked.value)
    if (picked.complete) onChange(picked.value)
  }

  return (
    <div className={styles.field}>
      <Input.Wrapper
        id={id}
        label={props.label}
        {...(props.required && { withAsterisk: true })}
        {...(props.error && { error: props.error })}
      >
        <div className={styles.controls}>
          <Popover
            opened={isOpen}
            width={300}
            position="bottom-start"
            trapFocus
            closeOnEscape={false}
            onChange={opened => {
              if (!opened) close(completedOnOutsideClick)
            }}
          >
            <Popover.Target>
              <Button
                id={id}
                variant="default"
                justify="flex-start"
                className={styles.button}
                leftSection={<IconCalendar size={16} stroke={1.6} />}
                disabled={props.disabled ?? false}
                aria-expanded={isOpen}
                aria-haspopup="dialog"
                onClick={() => (isOpen ? close(completedOnClose) : setDraft(value))}
              >
                <span data-tabular>{rangeText(shown, props.echo ?? null) ?? t('date_range.choose')}</span>
              </Button>
            </Popover.Target>
            <Popover.Dropdown p="xs">
              <Calendar
                value={shown}
                today={today}
                minimum={props.minimum ?? null}
                hint={props.hint}
                onPick={pick}
                onEscape={() => close(completedOnClose)}
              />
            </Popover.Dropdown>
          </Popover>
          <SelectField
            aria-label={t('date_range.dynamic')}
            value={String(value.dynamic_range)}
            options={dynamicRanges.map(index => ({
              value: String(index),
              label: t(`date_range.dynamic_${index}`),
            }))}
            onChange={index => onChange(chooseDynamic(value, Number(index)))}
            disabled={props.disabled ?? false}
          />
        </div>
      </Input.Wrapper>
    </div>
  )
}

interface CalendarProps {
  value: DateRangeValue
  today: string
  minimum: string | null
  hint: ReactNode
  onPick: (day: string) => void
  onEscape: () => void
}

function Calendar({ value, today, minimum, hint, onPick, onEscape }: CalendarProps) {
  const { t, language } = useTranslation('ui')
  return (
    <div
      role="presentation"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onEscape()
      }}
    >
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={[value.start, value.end]}
        onChange={() => {}}
        defaultDate={value.end ?? value.start ?? today}
        {...(minimum !== null && { minDate: minimum })}
        locale={language === 'zh-TW' ? 'zh-tw' : 'en'}
        firstDayOfWeek={language === 'zh-TW' ? 1 : 0}
        monthLabelFormat={language === 'zh-TW' ? 'YYYY 年 M 月' : 'MMMM YYYY'}
        weekendDays={[]}
        size="sm"
        fullWidth
        ariaLabels={{
          previousMonth: t('date_range.previous_month'),
          nextMonth: t('date_range.next_month'),
          previousYear: t('date_range.previous_year'),
          nextYear: t('date_range.next_year'),
        }}
        getDayProps={day => ({ onClick: () => onPick(day) })}
      />
      {(minimum !== null || hint) && (
        <p className={styles.hint}>
          {minimum !== null && t('date_range.hint_after', { day: minimum })} {hint}
        </p>
      )}
    </div>
  )
}

function rangeText(
  { start, end, dynamic_range }: DateRangeValue,
  echo: { start: string; end: string } | null,
) {
  if (dynamic_range !== 0 && echo) return `${echo.start} – ${echo.end}`
  return start === null ? null : `${start} – ${end ?? '…'}`
}

const isSame = (a: DateRangeValue, b: DateRangeValue) =>
  a.start === b.start && a.end === b.end && a.dynamic_range === b.dynamic_range
