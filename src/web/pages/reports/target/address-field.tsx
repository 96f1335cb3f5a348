import { useRef, type ReactNode } from 'react'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from '#web/ui/text-field.tsx'

interface AddressFieldProps {
  value: string
  onChange: (spreadsheet_url: string) => void
  error: ReactNode
}

/** The address of the spreadsheet. What was pasted around it goes at once; what was typed, with the focus. */
export function AddressField({ value, onChange, error }: AddressFieldProps) {
  const { t } = useTranslation('target')
  const isPasted = useRef(false)

  function change(text: string) {
    onChange(isPasted.current ? addressIn(text) : text)
    isPasted.current = false
  }

  return (
    <TextField
      label={t('url')}
      hint={t('url_hint')}
      placeholder={t('url_placeholder')}
      value={value}
      onChange={change}
      onPaste={() => {
        isPasted.current = true
      }}
      onBlur={() => {
        if (addressIn(value) !== value) onChange(addressIn(value))
      }}
      error={error}
      autoComplete="off"
      maxLength={2000}
    />
  )
}
