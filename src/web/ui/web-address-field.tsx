import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from './text-field.tsx'

interface WebAddressFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  /** Somebody has tried to send it: an address that is none is marked. */
  tried: boolean
}

/** An address on the web; `https://` may be left out and is added when the field is left. */
export function WebAddressField({ value, onChange, error, tried, ...props }: WebAddressFieldProps) {
  const { t } = useTranslation('fields')
  const isWrong = tried && value.trim() !== '' && !isWebAddress(completed(value))
  return (
    <TextField
      {...props}
      value={value}
      onChange={onChange}
      maxLength={500}
      autoComplete="off"
      placeholder="https://"
      onBlur={() => onChange(completed(value))}
      error={isWrong ? t('web_address') : error}
    />
  )
}

/** With a scheme; what is not there stays so. */
export function completed(typed: string): string {
  const text = typed.trim()
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && hostname.includes('.') && username === ''
}
