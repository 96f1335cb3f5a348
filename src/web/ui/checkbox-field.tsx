import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { ReactNode } from 'react'

interface CheckboxFieldProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** Something that is agreed to, together with the form around it. */
export function CheckboxField({ hint, onChange, ...props }: CheckboxFieldProps) {
  return (
    <Checkbox
      {...props}
      {...(hint !== undefined && { description: hint })}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
