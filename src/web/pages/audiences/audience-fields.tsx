import { collectors, consents } from '#shared/audiences.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { AudienceTexts } from './audience-draft.ts'
import { DaysField } from './days-field.tsx'

export interface AudienceFieldsProps<Draft> {
  draft: Draft
  onChange: (draft: Draft) => void
  problem: Problem | null
}

interface NameFieldsProps<Draft> extends AudienceFieldsProps<Draft> {
  /** What is missing is said. */
  tried: boolean
}

export function NameFields<Draft extends AudienceTexts>(props: NameFieldsProps<Draft>) {
  const { draft, onChange, problem, tried } = props
  const { t } = useTranslation('audiences')
  return (
    <>
      <TextField
        label={t('field.name')}
        required
        maxLength={120}
        value={draft.name}
        onChange={name => onChange({ ...draft, name })}
        error={fieldProblem(problem, 'name', tried && draft.name.trim() === '')}
      />
      <TextAreaField
        label={t('field.description')}
        rows={2}
        maxLength={500}
        value={draft.description}
        onChange={description => onChange({ ...draft, description })}
        error={fieldProblem(problem, 'description')}
      />
    </>
  )
}

/** Who has collected the data, what people have agreed to, and for how long our copy is there. */
export function CustomerFileFields<Draft extends AudienceTexts>(props: AudienceFieldsProps<Draft>) {
  const { draft, onChange, problem } = props
  const { t } = useTranslation('audiences')
  return (
    <>
      <SelectField
        label={t('field.collected_by')}
        options={collectors.map(value => ({ value, label: t(`collected.${value}`) }))}
        value={draft.collected_by}
        onChange={collector => onChange({ ...draft, collected_by: collector })}
        error={fieldProblem(problem, 'collected_by')}
      />
      {(['ad_user_data', 'ad_personalization'] as const).map(field => (
        <SelectField
          key={field}
          label={t(`field.${field}`)}
          hint={t('hint.consent')}
          options={consents.map(value => ({ value, label: t(`consent.${value}`) }))}
          value={draft.consent[field]}
          onChange={value => onChange({ ...draft, consent: { ...draft.consent, [field]: value } })}
          error={fieldProblem(problem, 'consent')}
        />
      ))}
      <DaysField
        label={t('field.keep_days')}
        hint={t('hint.keep_days')}
        most={180}
        value={draft.keep_days}
        onChange={days => onChange({ ...draft, keep_days: days })}
        error={fieldProblem(problem, 'keep_days')}
      />
    </>
  )
}
