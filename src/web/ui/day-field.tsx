import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface DayFieldProps {
  label: ReactNode
  /** yyyy-MM-dd; empty: none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
}

/** One day, or none, with the browser's own calendar. */
export function DayField({ onChange, hint, ...props }: DayFieldProps) {
  return (
    <TextInput
      {...props}
      type="date"
      {...(hint !== undefined && { description: hint })}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
