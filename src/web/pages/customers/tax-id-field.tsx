import { IconCircleCheck } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { taxCountries, whyNotTaxId, type TaxCountry } from '#shared/billing/tax-id.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import styles from './customers.module.css'

interface TaxId {
  tax_country: TaxCountry
  tax_id: string
}

interface TaxIdFieldProps {
  value: TaxId
  onChange: (value: TaxId) => void
  /** What the server says of it. */
  error?: ReactNode
  disabled?: boolean
}

/** How long an id is, where all are as long. */
const lengths: Partial<Record<TaxCountry, number>> = { TW: 8, JP: 14 }

/** A company's tax id and the country whose rule it follows. */
export function TaxIdField({ value, onChange, error, disabled = false }: TaxIdFieldProps) {
  const { t } = useTranslation('customers')
  const { tax_country, tax_id } = value
  return (
    <div className={styles.taxId}>
      <SelectField
        label={t('tax_country')}
        value={tax_country}
        options={taxCountries.map(country => ({ value: country, label: t(`tax_countries.${country}`) }))}
        onChange={country => onChange({ tax_country: country, tax_id })}
        disabled={disabled}
      />
      <TaxIdText
        label={t(`tax_ids.${tax_country}`)}
        value={value}
        onChange={text => onChange({ tax_country, tax_id: text })}
        disabled={disabled}
        error={error}
      />
    </div>
  )
}

interface TaxIdTextProps extends Omit<TaxIdFieldProps, 'onChange'> {
  label: string
  hint?: string
  onChange: (id: string) => void
}

/**
 * A tax id with its check digit: what is wrong with a whole one is said at once, with a part of one when the
 * field is left.
 */
export function TaxIdText({ value, error, ...props }: TaxIdTextProps) {
  const { t } = useTranslation('customers')
  const { tax_country, tax_id } = value
  const [isTyping, setIsTyping] = useState(false)
  const fault = taxIdFault(value)
  const isShort = tax_id.trim().length < (lengths[tax_country] ?? 1)
  return (
    <div onFocus={() => setIsTyping(true)} onBlur={() => setIsTyping(false)}>
      <TextField
        {...props}
        value={tax_id}
        maxLength={30}
        autoComplete="off"
        error={fault !== null && !(isTyping && isShort) ? <ProblemText code={fault} /> : error}
        rightSection={
          fault === null && tax_country !== 'other' && tax_id.trim() !== '' ? (
            <IconCircleCheck
              size={18}
              stroke={1.8}
              className={styles.valid}
              role="img"
              aria-label={t('tax_id_valid')}
            />
          ) : undefined
        }
      />
    </div>
  )
}

/** null: nothing is wrong with it, or there is none. */
export const taxIdFault = ({ tax_country, tax_id }: TaxId) =>
  tax_id.trim() === '' ? null : whyNotTaxId(tax_country, plainTaxId(tax_id))

/** As it is sent: without the width of a Chinese keyboard, and T in upper case. */
export const plainTaxId = (text: string) => text.normalize('NFKC').trim().replace(/^t/, 'T')
