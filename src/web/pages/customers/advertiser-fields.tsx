import { mediaBillings } from '#shared/billing/media-billing.ts'
import { taxKinds } from '#shared/billing/tax.ts'
import { languageNames, languages, listText } from '#shared/language.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ContactList } from '#web/ui/contact-list.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TermsInput } from '#web/ui/terms-input.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useWithTaxId } from './advertisers/data.ts'
import type { AdvertiserDraft } from './advertiser-draft.ts'
import styles from './customers.module.css'
import { useAllAgents, useAllIndustries } from './data.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { plainTaxId, taxIdFault, TaxIdField } from './tax-id-field.tsx'

export interface AdvertiserFieldsProps {
  draft: AdvertiserDraft
  onChange: (draft: AdvertiserDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Refused | null
  /** Whose facts they are; left out: a new one. */
  id?: number
}

/** Who the customer is: what nobody can do without. */
export function IdentityFields({ draft, onChange, tried, problem, id }: AdvertiserFieldsProps) {
  const { t } = useTranslation('advertisers')
  const put = (change: Partial<AdvertiserDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={t('field.name')}
        hint={t('field.name_hint')}
        value={draft.name}
        onChange={name => put({ name })}
        maxLength={120}
        autoComplete="off"
        required
        focusedFirst
        error={fieldProblem(problem, 'name', tried && draft.name.trim() === '')}
      />
      <TaxIdField value={draft} onChange={put} error={fieldProblem(problem, 'tax_id')} />
      <SameTaxId draft={draft} id={id} />
      <div className={styles.pair}>
        <IndustryField draft={draft} onChange={put} problem={problem} />
        <AgentField draft={draft} onChange={put} problem={problem} />
      </div>
    </>
  )
}

/** Two brands may share one id; whoever types it learns of the other. */
function SameTaxId({ draft, id }: { draft: AdvertiserDraft; id: number | undefined }) {
  const { t, language } = useTranslation('advertisers')
  const whole = taxIdFault(draft) === null ? plainTaxId(draft.tax_id) : ''
  const others = (useWithTaxId(whole).data ?? []).filter(other => other.id !== id)
  if (others.length === 0) return null
  return (
    <InlineAlert severity="info">
      {t('same_tax_id', {
        names: listText(
          others.map(({ name }) => name),
          language,
        ),
      })}
    </InlineAlert>
  )
}

interface ChoiceProps {
  draft: AdvertiserDraft
  onChange: (change: Partial<AdvertiserDraft>) => void
  problem: Refused | null
}

const NONE = 'none'
const idOf = (value: string) => (value === NONE ? null : Number(value))

function IndustryField({ draft, onChange, problem }: ChoiceProps) {
  const { t, language } = useTranslation('advertisers')
  const industries = useAllIndustries().data ?? []
  return (
    <SelectField
      label={t('field.industry')}
      searchable
      value={String(draft.industry ?? NONE)}
      options={[
        { value: NONE, label: t('none') },
        ...industries.map(({ id, name, name_zh }) => ({
          value: String(id),
          label: language === 'en' ? name : name_zh,
          keywords: `${name} ${name_zh}`,
        })),
      ]}
      onChange={value => onChange({ industry: idOf(value) })}
      error={fieldProblem(problem, 'industry')}
    />
  )
}

/** An inactive agent is offered only to whom it already belongs. */
function AgentField({ draft, onChange, problem }: ChoiceProps) {
  const { t } = useTranslation('advertisers')
  const agents = (useAllAgents().data ?? []).filter(({ id, is_active }) => is_active || id === draft.agent)
  return (
    <SelectField
      label={t('field.agent')}
      searchable
      value={String(draft.agent ?? NONE)}
      options={[
        { value: NONE, label: t('none') },
        ...agents.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={value => onChange({ agent: idOf(value) })}
      error={fieldProblem(problem, 'agent')}
    />
  )
}

/** How the customer is billed. */
export function BillingFields({ draft, onChange, problem }: AdvertiserFieldsProps) {
  const { t } = useTranslation('advertisers')
  const { t: tCustomers } = useTranslation('customers')
  const put = (change: Partial<AdvertiserDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <div className={styles.pair}>
        <CurrencyField
          label={t('field.billing_currency')}
          value={draft.billing_currency}
          onChange={value => put({ billing_currency: value })}
          none={t('each_account')}
          error={fieldProblem(problem, 'billing_currency')}
        />
        <SelectField
          label={t('field.tax')}
          value={draft.tax}
          options={taxKinds.map(kind => ({ value: kind, label: tCustomers(`tax.${kind}`) }))}
          onChange={tax => put({ tax })}
          error={fieldProblem(problem, 'tax')}
        />
      </div>
      <SelectField
        label={t('field.media_billing')}
        hint={tCustomers(`media_billing_detail.${draft.media_billing}`)}
        hintBelow
        value={draft.media_billing}
        options={mediaBillings.map(kind => ({ value: kind, label: tCustomers(`media_billing.${kind}`) }))}
        onChange={value => put({ media_billing: value })}
        error={fieldProblem(problem, 'media_billing')}
      />
      <TermsInput
        label={t('field.payment_terms')}
        value={draft.payment_terms}
        onChange={value => put({ payment_terms: value })}
        error={fieldProblem(problem, 'payment_terms')}
      />
    </>
  )
}

/** What stands on documents, and whom to call. */
export function FurtherFields({ draft, onChange, problem }: AdvertiserFieldsProps) {
  const { t } = useTranslation('advertisers')
  const put = (change: Partial<AdvertiserDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={t('field.legal_name')}
        hint={t('field.legal_name_hint')}
        value={draft.legal_name}
        onChange={value => put({ legal_name: value })}
        maxLength={200}
        autoComplete="off"
        error={fieldProblem(problem, 'legal_name')}
      />
      <TextField
        label={t('field.address')}
        value={draft.address}
        onChange={address => put({ address })}
        maxLength={300}
        autoComplete="off"
        error={fieldProblem(problem, 'address')}
      />
      <div className={styles.pair}>
        <TextField
          label={t('field.website')}
          value={draft.website}
          onChange={website => put({ website })}
          maxLength={300}
          autoComplete="off"
          error={fieldProblem(problem, 'website')}
        />
        <SelectField
          label={t('field.document_language')}
          value={draft.document_language}
          options={languages.map(language => ({ value: language, label: languageNames[language] }))}
          onChange={value => put({ document_language: value })}
        />
      </div>
      <ContactList
        label={t('field.contacts')}
        value={draft.contacts}
        onChange={contacts => put({ contacts })}
        errorOf={path => fieldProblem(problem, `contacts.${path}`)}
      />
      <TextAreaField
        label={t('field.note')}
        value={draft.note}
        onChange={note => put({ note })}
        rows={3}
        maxLength={4000}
        error={fieldProblem(problem, 'note')}
      />
    </>
  )
}
