import { ActionIcon, Popover, TextInput } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { IconCalendarClock } from '@tabler/icons-react'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import { calendarPopup } from './calendar-popup.ts'
import styles from './date-range-field.module.css'
import { dateTimeText, isFuture, partsOf, thisMinute, typedDateTime } from './date-time-rules.ts'
import { Anchor, LazyOverlay } from './lazy-overlay.tsx'

const DateTimePicker = lazy(async () => ({
  default: (await import('./date-time-picker.tsx')).DateTimePicker,
}))

interface DateTimeFieldProps {
  label: ReactNode
  /**
   * An instant (ISO 8601); null: what was typed is none, or not one yet. `thisMinute(now)` is where it
   * begins.
   */
  value: string | null
  onChange: (value: string | null) => void
  now: Date
  /** The time zone in which it is shown. */
  timezone: string
  error?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** A day and a time that are not in the future, typed or picked: MM/dd/yyyy aa h:mm. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { label, value, onChange, now, timezone, error, required = false, disabled = false } = props
  const { t, language } = useTranslation('fields')
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  /** What is being typed; null: the value as it is. */
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const written = value === null ? '' : dateTimeText(partsOf(value, timezone), language)
  const result = typed === null ? null : typedDateTime(typed, { now, timezone })
  const problem = result && 'problem' in result && left ? t(`date_time.${result.problem}`) : undefined
  const late = value !== null && isFuture(value, now) ? t('date_time.future') : undefined

  function type(text: string) {
    const read = typedDateTime(text, { now, timezone })
    setTyped(text)
    setLeft(false)
    onChange('instant' in read ? read.instant : null)
  }

  function pick(instant: string) {
    setTyped(null)
    onChange(instant)
  }

  return (
    <TextInput
      label={label}
      placeholder={t('date_time.placeholder')}
      value={typed ?? written}
      onChange={event => type(event.currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true)
        if (result && 'instant' in result) setTyped(null)
      }}
      error={problem ?? late ?? error}
      disabled={disabled}
      autoComplete="off"
      {...(required && { withAsterisk: true, 'aria-required': true })}
      rightSection={
        <>
          <ActionIcon
            ref={button}
            aria-label={t('date_time.open')}
            aria-haspopup="dialog"
            aria-expanded={opened}
            disabled={disabled}
            onClick={() => setOpened(!opened)}
          >
            <IconCalendarClock size={17} stroke={1.6} />
          </ActionIcon>
          <LazyOverlay opened={opened} opener={button} onEscape={() => setOpened(false)}>
            {isOpened => (
              <Popover
                opened={isOpened}
                onChange={setOpened}
                {...calendarPopup}
                position="bottom-end"
                withRoles={false}
              >
                <Popover.Target>
                  <Anchor of={button} />
                </Popover.Target>
                <Popover.Dropdown
                  p="xs"
                  className={styles.popup}
                  role="dialog"
                  aria-label={t('date_time.open')}
                >
                  <Suspense fallback={<div className={styles.loading} />}>
                    <DateTimePicker
                      value={value ?? thisMinute(now)}
                      onChange={pick}
                      now={now}
                      timezone={timezone}
                    />
                  </Suspense>
                </Popover.Dropdown>
              </Popover>
            )}
          </LazyOverlay>
        </>
      }
    />
  )
}
