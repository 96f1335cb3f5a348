import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface DayFieldProps {
  label: ReactNode
  /** Where there is no label. */
  'aria-label'?: string
  /** yyyy-MM-dd; empty: none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
  /** The latest day that the calendar offers. */
  max?: string
}

/** One day, or none, with the browser's own calendar. */
export function DayField({ onChange, hint, required, ...props }: DayFieldProps) {
  return (
    <TextInput
      {...props}
      type="date"
      {...(required && { withAsterisk: true, 'aria-required': true })}
      {...(hint !== undefined && { description: hint })}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
