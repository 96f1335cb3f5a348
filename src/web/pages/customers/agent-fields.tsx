import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ContactList } from '#web/ui/contact-list.tsx'
import { RateInput } from '#web/ui/rate-input.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TermsInput } from '#web/ui/terms-input.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { AgentDraft } from './agent-draft.ts'
import styles from './customers.module.css'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { TaxIdField } from './tax-id-field.tsx'

interface AgentFieldsProps {
  draft: AgentDraft
  onChange: (draft: AgentDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Refused | null
}

export function AgentFields({ draft, onChange, tried, problem }: AgentFieldsProps) {
  const { t } = useTranslation('agents')
  const put = (change: Partial<AgentDraft>) => onChange({ ...draft, ...change })
  return (
    <div className={styles.fields}>
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={name => put({ name })}
        maxLength={120}
        autoComplete="off"
        required
        focusedFirst
        error={fieldProblem(problem, 'name', tried && draft.name.trim() === '')}
      />
      <TaxIdField value={draft} onChange={put} error={fieldProblem(problem, 'tax_id')} />
      <TextField
        label={t('field.address')}
        value={draft.address}
        onChange={address => put({ address })}
        maxLength={300}
        autoComplete="off"
        error={fieldProblem(problem, 'address')}
      />
      <div className={styles.pair}>
        <RateInput
          label={t('field.commission_rate')}
          value={draft.commission_rate}
          onChange={value => put({ commission_rate: value })}
          error={fieldProblem(problem, 'commission_rate')}
        />
        <SelectField
          label={t('field.commission_base')}
          value={draft.commission_base}
          options={(['fee', 'media'] as const).map(base => ({ value: base, label: t(`base.${base}`) }))}
          onChange={value => put({ commission_base: value })}
        />
      </div>
      <TermsInput
        label={t('field.payment_terms')}
        value={draft.payment_terms}
        onChange={value => put({ payment_terms: value })}
        error={fieldProblem(problem, 'payment_terms')}
      />
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
    </div>
  )
}
