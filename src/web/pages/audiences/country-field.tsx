import { countryCodes } from '#shared/countries.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { countryName } from './audience-draft.ts'

interface CountryFieldProps {
  label: string
  value: string
  onChange: (code: string) => void
  error?: React.ReactNode
}

/** A country, found by its name or its code. */
export function CountryField({ label, value, onChange, error }: CountryFieldProps) {
  const language = useLanguage()
  return (
    <SelectField
      label={label}
      searchable
      options={countryCodes.map(code => ({
        value: code,
        label: countryName(code, language),
        keywords: code,
      }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}
