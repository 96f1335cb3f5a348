import { PasswordInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

interface SecretFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
}

/** A token or a key that is pasted: hidden, unless somebody wants to see it. */
export function SecretField({ label, onChange, hint, required, ...props }: SecretFieldProps) {
  const { t } = useTranslation('fields')
  const [isVisible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      label={label}
      {...(hint !== undefined && { description: hint })}
      // Mantine says it of the box around alone.
      aria-invalid={Boolean(props.error)}
      {...(required && { withAsterisk: true, 'aria-required': true })}
      // Browsers fill in the person's own password in spite of `off`.
      autoComplete="new-password"
      spellCheck={false}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': t(isVisible ? 'hide_secret' : 'show_secret', { name: label }),
        tabIndex: 0,
      }}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
