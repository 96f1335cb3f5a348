import type { ReactNode } from 'react'
import type { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SecretField } from '#web/ui/secret-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { fieldsOf, waysOf, type LoginDraft } from './login-draft.ts'

interface LoginFieldsProps {
  platform: PublicAccountPlatform
  draft: LoginDraft
  onChange: (draft: LoginDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Problem | null
}

/** The fields of a login to the platform. */
export function LoginFields({ platform, draft, onChange, tried, problem }: LoginFieldsProps) {
  const { t, language } = useTranslation('public_accounts')
  const errorOf = (field: string, lacks: boolean): ReactNode => {
    const code = lacks ? 'field_required' : problem?.fields[`login.${field}`]?.[0]
    return code && <ProblemText code={code} />
  }
  return (
    <>
      {platform.needs.length > 1 && (
        <SelectField
          label={t('form.way')}
          value={String(draft.way)}
          options={waysOf(platform, language)}
          onChange={way => onChange({ ...draft, way: Number(way) })}
        />
      )}
      {fieldsOf(platform, draft).map(({ field, names, secret, long, required }) => {
        const value = draft.texts[field] ?? ''
        const Field = long ? LongField : secret ? SecretField : OpenField
        return (
          <Field
            key={field}
            label={names[language]}
            value={value}
            required={required}
            error={errorOf(field, tried && required && !value.trim())}
            onChange={text => onChange({ ...draft, texts: { ...draft.texts, [field]: text } })}
          />
        )
      })}
      <DayField
        label={t('form.expires')}
        hint={t('form.expires_hint')}
        value={draft.expires_on}
        onChange={expires_on => onChange({ ...draft, expires_on })}
      />
    </>
  )
}

interface FieldProps {
  label: string
  value: string
  required: boolean
  error: ReactNode
  onChange: (text: string) => void
}

const OpenField = (props: FieldProps) => <TextField {...props} autoComplete="off" />

function LongField(props: FieldProps) {
  const { t } = useTranslation('public_accounts')
  return (
    <TextAreaField {...props} rows={6} hint={t('form.long_hint')} autoComplete="off" spellCheck={false} />
  )
}
