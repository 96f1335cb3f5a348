import { TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'

export interface TextFieldProps {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  /** What is wrong with the value; takes the hint's place. */
  error?: ReactNode
  hint?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  autoFocus?: boolean
  maxLength?: number
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
  leftSection?: ReactNode
  rightSection?: ReactNode
}

/** One line of text. */
export function TextField({ onChange, hint, required, autoFocus, ...props }: TextFieldProps) {
  return (
    <TextInput
      {...props}
      {...(hint !== undefined && { description: hint })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      {...(autoFocus && { 'data-autofocus': true })}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
