import { Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { ReactNode } from 'react'

interface SwitchFieldProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** Something that is on or off. */
export function SwitchField({ hint, onChange, ...props }: SwitchFieldProps) {
  return (
    <Switch
      {...props}
      {...(hint !== undefined && { description: hint })}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
