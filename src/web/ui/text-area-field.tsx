import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

interface TextAreaFieldProps {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  /** Its text can be read and copied, but not changed. */
  readOnly?: boolean
  rows?: number
  maxLength?: number
  autoComplete?: 'off'
  spellCheck?: boolean
}

/** Several lines of text. */
export function TextAreaField({ onChange, hint, required, rows = 4, ...props }: TextAreaFieldProps) {
  return (
    <Textarea
      {...props}
      {...(hint !== undefined && { description: hint })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      rows={rows}
      resize="vertical"
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
