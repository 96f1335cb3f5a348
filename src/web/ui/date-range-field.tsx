import { Button, Input, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import styles from './date-range-field.module.css'
import {
  chooseDynamic,
  completedOnClose,
  completedOnOutsideClick,
  dynamicRanges,
  pickDay,
  type DateRangeValue,
} from './date-range-rules.ts'
import { calendarPopup } from './calendar-popup.ts'
import { Anchor, LazyOverlay } from './lazy-overlay.tsx'
import { SelectField } from './select-field.tsx'

const loadPicker = () => import('./date-range-picker.tsx')
const DateRangePicker = lazy(async () => ({ default: (await loadPicker()).DateRangePicker }))

export interface DateRangeFieldProps {
  label: ReactNode
  value: DateRangeValue
  onChange: (value: DateRangeValue) => void
  /** The day it is where the range counts, yyyy-MM-dd. */
  today: string
  /** Earlier days cannot be chosen. */
  minimum?: string | null
  /** The latest end that a range with this start may have; null: any. */
  latestEnd?: (start: string) => string | null
  /** What a dynamic range means today, as two days. */
  echo?: { start: string; end: string } | null
  /** Under the calendar, for example how to request more; gets what closes the calendar. */
  hint?: (close: () => void) => ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** Two days by a calendar or typed, or a dynamic range that moves along with the days. */
export function DateRangeField(props: DateRangeFieldProps) {
  const { t } = useTranslation('fields')
  const { value, onChange, today } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [draft, setDraft] = useState<DateRangeValue | null>(null)

  /** The value that the calendar shows: what is being picked, else what is chosen. */
  const visible = draft ?? value
  const isOpen = draft !== null

  /** An incomplete dynamic range is not stored: its dates are not what counts. */
  function close(completed: (value: DateRangeValue, today: string) => DateRangeValue) {
    if (draft === null) return
    const result = completed(draft, today)
    setDraft(null)
    if (result.end !== null && !isSame(result, value)) onChange(result)
  }

  function pick(day: string) {
    const picked = pickDay(visible, day)
    if (picked.complete) choose(picked.value)
    else setDraft(picked.value)
  }

  function choose(range: DateRangeValue) {
    setDraft(null)
    onChange(range)
  }

  return (
    <Input.Wrapper
      id={id}
      label={props.label}
      {...(props.required && { withAsterisk: true })}
      {...(props.error && { error: props.error })}
    >
      <div className={styles.controls}>
        <Button
          ref={button}
          id={id}
          variant="default"
          justify="flex-start"
          className={styles.button}
          leftSection={<IconCalendar size={16} stroke={1.6} />}
          disabled={props.disabled ?? false}
          aria-labelledby={`${id}-label ${id}-value`}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          aria-describedby={props.error ? `${id}-error` : undefined}
          data-error={Boolean(props.error) || undefined}
          onPointerEnter={() => void loadPicker()}
          onClick={() => (isOpen ? close(completedOnClose) : setDraft(value))}
        >
          <span id={`${id}-value`} data-tabular>
            {rangeText(visible, props.echo ?? null) ?? t('date_range.choose')}
          </span>
        </Button>
        <LazyOverlay opened={isOpen} opener={button} onEscape={() => close(completedOnClose)}>
          {isOpened => (
            <Popover
              opened={isOpened}
              {...calendarPopup}
              position="bottom-start"
              // It would take the button's id away from its label.
              withRoles={false}
              onChange={opened => {
                if (!opened) close(completedOnOutsideClick)
              }}
            >
              <Popover.Target>
                <Anchor of={button} />
              </Popover.Target>
              <Popover.Dropdown p="xs" className={styles.popup} role="dialog" aria-labelledby={`${id}-label`}>
                <Suspense fallback={<div className={styles.loading} />}>
                  <DateRangePicker
                    {...props}
                    hint={props.hint?.(() => close(completedOnClose))}
                    value={visible}
                    onPick={pick}
                    onType={choose}
                  />
                </Suspense>
              </Popover.Dropdown>
            </Popover>
          )}
        </LazyOverlay>
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
