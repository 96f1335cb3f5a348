import { TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'

export interface TextFieldProps {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  /** What is wrong with the value; replaces the hint. */
  error?: ReactNode
  hint?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** In a dialog: the field that has the focus when it opens. */
  focusedFirst?: boolean
  maxLength?: number
  onBlur?: () => void
  onPaste?: () => void
  ref?: Ref<HTMLInputElement>
  leftSection?: ReactNode
  rightSection?: ReactNode
  /** Where there is no label. */
  'aria-label'?: string
}

/** One line of text. */
export function TextField({ onChange, hint, required, focusedFirst, ...props }: TextFieldProps) {
  return (
    <TextInput
      {...props}
      {...(hint !== undefined && { description: hint })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      {...(focusedFirst && { 'data-autofocus': true })}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
