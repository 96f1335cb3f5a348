import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { currencyText } from './currency-text.ts'
import { SelectField } from './select-field.tsx'

interface CurrencyFieldProps {
  /** Left out: give an aria-label. */
  label?: ReactNode
  'aria-label'?: string
  /** ISO 4217 */
  value: string | null
  onChange: (currency: string | null) => void
  /** What the choice of no currency is called; left out: one must be chosen. */
  none?: string
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** Those that agencies here bill in come first. */
const frequent = ['TWD', 'USD', 'JPY', 'EUR', 'HKD', 'SGD', 'CNY', 'KRW', 'VND', 'GBP']
const NONE = 'none'

/** One currency, found by its code or its name. */
export function CurrencyField({ value, onChange, none, ...props }: CurrencyFieldProps) {
  const { t, language } = useTranslation('money')
  const known = new Set([...frequent, ...Intl.supportedValuesOf('currency'), ...(value ? [value] : [])])
  return (
    <SelectField
      {...props}
      searchable
      placeholder={t('currency.choose')}
      value={value ?? (none === undefined ? null : NONE)}
      options={[
        ...(none === undefined ? [] : [{ value: NONE, label: none }]),
        ...[...known].map(code => ({ value: code, label: currencyText(code, language) })),
      ]}
      onChange={chosen => onChange(chosen === NONE ? null : chosen)}
    />
  )
}
