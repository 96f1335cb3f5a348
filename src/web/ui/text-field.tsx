import { TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'

export interface TextFieldProps {
  label: ReactNode
  name?: string
  value: string
  onChange: (value: string) => void
  /** What is wrong with the value; replaces the hint. */
  error?: ReactNode
  hint?: ReactNode
  /** The hint is where the error appears: when one replaces the other, the field does not move. */
  hintBelow?: boolean
  placeholder?: string
  required?: boolean
  disabled?: boolean
  /** Its text can be read and copied, but not changed. */
  readOnly?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** In a dialog: the field that has the focus when it opens. */
  focusedFirst?: boolean
  maxLength?: number
  onFocus?: () => void
  onBlur?: () => void
  onPaste?: () => void
  ref?: Ref<HTMLInputElement>
  leftSection?: ReactNode
  rightSection?: ReactNode
  /** Where there is no label. */
  'aria-label'?: string
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { onChange, hint, hintBelow = false, required, focusedFirst, ...rest } = props
  return (
    <TextInput
      {...rest}
      {...(hint !== undefined && { description: hint })}
      {...(hintBelow && { inputWrapperOrder: ['label', 'input', 'description', 'error'] })}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      {...(focusedFirst && { 'data-autofocus': true })}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
