import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { TaxIdText } from '#web/pages/customers/tax-id-field.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MOST_VALID_DAYS, validDays, type IssuerDraft } from './issuer-draft.ts'
import styles from './issuer.module.css'
import { LogoField } from './logo-field.tsx'

export interface IssuerFieldsProps {
  draft: IssuerDraft
  onChange: (draft: IssuerDraft) => void
  problem: Refused | null
}

/** The head of every document. */
export function HeadFields({ draft, onChange, problem }: IssuerFieldsProps) {
  const { t } = useTranslation('issuer')
  const put = (change: Partial<IssuerDraft>) => onChange({ ...draft, ...change })
  const textField = (field: 'name' | 'address' | 'phone', maxLength: number) => (
    <TextField
      label={t(`field.${field}`)}
      value={draft[field]}
      onChange={text => put({ [field]: text })}
      maxLength={maxLength}
      autoComplete="off"
      error={fieldProblem(problem, field)}
    />
  )
  return (
    <>
      {textField('name', 120)}
      <div className={styles.pair}>
        <TaxIdText
          label={t('field.tax_id')}
          hint={t('hint.tax_id')}
          value={{ tax_country: 'TW', tax_id: draft.tax_id }}
          onChange={id => put({ tax_id: id })}
          error={fieldProblem(problem, 'tax_id')}
        />
        <TaxIdText
          label={t('field.jp_tax_id')}
          hint={t('hint.jp_tax_id')}
          value={{ tax_country: 'JP', tax_id: draft.jp_tax_id }}
          onChange={id => put({ jp_tax_id: id })}
          error={fieldProblem(problem, 'jp_tax_id')}
        />
      </div>
      {textField('address', 300)}
      {textField('phone', 40)}
      <LogoField
        value={draft.logo}
        onChange={logo => put({ logo })}
        // What is said of pictures elsewhere names other limits.
        error={problem?.fields['logo'] && t('logo.refused')}
      />
    </>
  )
}

/** What an insertion order has below its sums, and how long it is valid. */
export function OrderFields({ draft, onChange, problem }: IssuerFieldsProps) {
  const { t } = useTranslation('issuer')
  const put = (change: Partial<IssuerDraft>) => onChange({ ...draft, ...change })
  const daysFault = validDays(draft.valid_days) === null
  return (
    <>
      <TextField
        label={t('field.valid_days')}
        value={draft.valid_days}
        onChange={text => put({ valid_days: text })}
        maxLength={3}
        autoComplete="off"
        required
        error={daysFault ? t('days_range', { most: MOST_VALID_DAYS }) : fieldProblem(problem, 'valid_days')}
      />
      {(['terms_zh', 'terms_en'] as const).map(field => (
        <TextAreaField
          key={field}
          label={t(`field.${field}`)}
          value={draft[field]}
          onChange={text => put({ [field]: text })}
          rows={6}
          maxLength={4000}
          error={fieldProblem(problem, field === 'terms_en' ? 'terms.en' : 'terms.zh-TW')}
        />
      ))}
    </>
  )
}

export function BankField({ draft, onChange, problem }: IssuerFieldsProps) {
  const { t } = useTranslation('issuer')
  return (
    <TextAreaField
      label={t('field.bank')}
      value={draft.bank}
      onChange={bank => onChange({ ...draft, bank })}
      maxLength={1000}
      error={fieldProblem(problem, 'bank')}
    />
  )
}

export function BaseCurrencyField({ draft, onChange, problem }: IssuerFieldsProps) {
  const { t } = useTranslation('issuer')
  return (
    <CurrencyField
      label={t('field.base_currency')}
      value={draft.base_currency}
      onChange={currency => onChange({ ...draft, base_currency: currency ?? draft.base_currency })}
      error={fieldProblem(problem, 'base_currency')}
    />
  )
}
