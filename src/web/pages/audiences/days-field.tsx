import { NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import type { ReactNode } from 'react'

interface DaysFieldProps {
  label: string
  hint?: string
  most: number
  value: number
  onChange: (value: number) => void
  error?: ReactNode
}

/** A whole number from 1 on; one beyond the limits becomes the nearest when the field is left. */
export function DaysField({ label, hint, most, value, onChange, error }: DaysFieldProps) {
  return (
    <NumberInput
      label={label}
      {...(hint !== undefined && { description: hint })}
      min={1}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="blur"
      value={value}
      onChange={typed => onChange(Number(typed) || 1)}
      error={error}
    />
  )
}
