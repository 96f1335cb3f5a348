import { PasswordInput } from '@mantine/core'
import { useState, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

interface PasswordFieldProps {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  autoComplete: 'current-password' | 'new-password'
  ref?: Ref<HTMLInputElement>
}

/** A password that can be shown, with a hint while Caps Lock is on. */
export function PasswordField({ onChange, hint, ...props }: PasswordFieldProps) {
  const { t } = useTranslation('ui')
  const [caps, setCaps] = useState(false)
  const [isVisible, setVisible] = useState(false)
  const watch = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  const description = caps ? t('caps_lock') : hint
  return (
    <PasswordInput
      {...props}
      {...(description !== undefined && { description })}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': t(isVisible ? 'hide_password' : 'show_password'),
        tabIndex: 0,
      }}
      onChange={event => onChange(event.currentTarget.value)}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setCaps(false)}
    />
  )
}
