import { Input } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from './select-field.tsx'
import { joinTime, quarters, splitTime } from './time-of-day.ts'
import styles from './time-of-day-field.module.css'

interface TimeOfDayFieldProps {
  label: ReactNode
  /** HH:mm:ss, in quarter hours */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  disabled?: boolean
}

/** AM or PM, and a quarter hour. */
export function TimeOfDayField({ label, value, onChange, error, disabled = false }: TimeOfDayFieldProps) {
  const { t } = useTranslation('fields')
  const id = useId()
  const time = splitTime(value)
  return (
    <Input.Wrapper id={id} labelElement="div" label={label} {...(error && { error })}>
      <div className={styles.controls}>
        <SelectField
          aria-label={t('time.half')}
          value={time.half}
          options={[
            { value: 'am', label: t('time.am') },
            { value: 'pm', label: t('time.pm') },
          ]}
          onChange={half => onChange(joinTime({ ...time, half }))}
          disabled={disabled}
        />
        <SelectField
          aria-label={t('time.time')}
          value={time.quarter}
          options={quarters.map(quarter => ({ value: quarter, label: quarter }))}
          onChange={quarter => onChange(joinTime({ ...time, quarter }))}
          disabled={disabled}
        />
      </div>
    </Input.Wrapper>
  )
}
