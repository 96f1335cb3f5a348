import { memo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { currencyText } from '#web/ui/currency-text.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import type { KnownHere } from './known.ts'
import type { Editing } from './use-editor.ts'

interface ReportCurrencyProps {
  currency: string | null
  known: KnownHere
  editing: Editing
}

/** The accounts' own. */
const OWN = ''

/** Which currency the report's money is in. */
export const ReportCurrency = memo(function ReportCurrency({
  currency,
  known,
  editing,
}: ReportCurrencyProps) {
  const { t, language } = useTranslation('editing')
  const offered = new Set([...known.currencies, ...(currency === null ? [] : [currency])])
  return (
    <SelectField
      label={t('money.label')}
      hint={t('money.hint')}
      hintBelow
      searchable
      value={currency ?? OWN}
      options={[
        { value: OWN, label: t('money.own') },
        ...[...offered].map(code => ({ value: code, label: currencyText(code, language) })),
      ]}
      onChange={code => editing.change({ currency: code === OWN ? null : code })}
      error={editing.errors.at('currency')}
    />
  )
})
