import type { ReactNode } from 'react'
import { identities } from '#shared/access.ts'
import type { Account } from '#shared/api/people.ts'
import { languages } from '#shared/language.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ContactsField } from './contacts-field.tsx'
import styles from './users.module.css'

/** An account while it is being edited. */
export type UserDraft = Pick<Account, 'full_name' | 'department' | 'advertisers'> & {
  [Field in PresentField]: NonNullable<Account[Field]>
}
/** Fields that clients do not see of everybody; no client edits an account. */
type PresentField =
  | 'username'
  | 'identity'
  | 'plan'
  | 'position'
  | 'email'
  | 'contacts'
  | 'company_extension'
  | 'language'

interface UserFieldsProps {
  draft: UserDraft
  onChange: (draft: UserDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Refused | null
  /** Whose account it is; left out: a new one. */
  user_id?: number
  is_new?: boolean
}

export function UserFields({ draft, onChange, tried, problem, user_id, is_new = false }: UserFieldsProps) {
  const { t } = useTranslation('users')
  const errorOf = (field: string) => {
    const code = problem?.fields[field]?.[0]
    return code && <ProblemText code={code} />
  }
  return (
    <div className={styles.fields}>
      {is_new && (
        <TextField
          label={t('form.username')}
          hint={t('form.username_hint')}
          value={draft.username}
          onChange={username => onChange({ ...draft, username })}
          maxLength={64}
          autoComplete="off"
          required
          focusedFirst
          error={tried && draft.username.trim().length < 3 ? t('form.username_short') : errorOf('username')}
        />
      )}
      <TextField
        label={t('form.full_name')}
        value={draft.full_name}
        onChange={full_name => onChange({ ...draft, full_name })}
        maxLength={80}
        autoComplete="off"
        required
        focusedFirst={!is_new}
        error={
          tried && !draft.full_name.trim() ? <ProblemText code="field_required" /> : errorOf('full_name')
        }
      />
      <RoleFields draft={draft} onChange={onChange} user_id={user_id} errorOf={errorOf} />
      <TextField
        label={t('form.position')}
        value={draft.position}
        onChange={position => onChange({ ...draft, position })}
        maxLength={80}
        error={errorOf('position')}
      />
      <TextField
        label={t('form.email')}
        hint={t('form.email_hint')}
        value={draft.email}
        onChange={email => onChange({ ...draft, email })}
        maxLength={254}
        autoComplete="off"
        error={errorOf('email')}
      />
      <TextField
        label={t('form.extension')}
        value={draft.company_extension}
        onChange={company_extension => onChange({ ...draft, company_extension })}
        maxLength={10}
        error={errorOf('company_extension') && t('form.extension_format')}
      />
      <ContactsField
        value={draft.contacts}
        onChange={contacts => onChange({ ...draft, contacts })}
        problem={problem}
      />
      <ClientsField draft={draft} onChange={onChange} />
      <SelectField
        label={t('form.language')}
        value={draft.language}
        options={languages.map(language => ({ value: language, label: t(`language.${language}`) }))}
        onChange={language => onChange({ ...draft, language })}
      />
    </div>
  )
}

type PartProps = Pick<UserFieldsProps, 'draft' | 'onChange'>

interface RoleFieldsProps extends PartProps {
  user_id: number | undefined
  errorOf: (field: string) => ReactNode
}

/** The role and what it takes: a department, or a client's plan. Nobody changes their own role. */
function RoleFields({ draft, onChange, user_id, errorOf }: RoleFieldsProps) {
  const { t } = useTranslation('users')
  const { t: tApp } = useTranslation('app')
  const me = useMe()
  const departments = useDepartments().data ?? []
  return (
    <>
      <SelectField
        label={t('form.role')}
        {...(user_id !== undefined && { hint: t('form.role_hint') })}
        value={draft.identity}
        options={identities.map(identity => ({ value: identity, label: tApp(`identity.${identity}`) }))}
        // Employees have the advanced plan; a client begins with the basic one.
        onChange={identity =>
          onChange({ ...draft, identity, ...(draft.identity !== 'external_user' && { plan: 0 }) })
        }
        disabled={user_id === me.user_id}
      />
      {draft.identity === 'external_user' ? (
        <SelectField
          label={t('form.plan')}
          hint={t('form.plan_hint')}
          value={planNames[draft.plan] ?? null}
          options={planNames.map(plan => ({ value: plan, label: t(`plan.${plan}`) }))}
          onChange={plan => onChange({ ...draft, plan: planNames.indexOf(plan) })}
        />
      ) : (
        <SelectField
          label={t('column.department')}
          placeholder={t('form.department_choose')}
          value={draft.department === null ? null : String(draft.department)}
          options={departments.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={id => onChange({ ...draft, department: Number(id) })}
          required
          error={errorOf('department')}
        />
      )}
    </>
  )
}

/** The index is the number that the API uses. */
export const planNames = ['basic', 'advanced'] as const

function ClientsField({ draft, onChange }: PartProps) {
  const { t } = useTranslation('users')
  const clients = useClients()
  return (
    <MultiSelectField
      label={t('form.clients')}
      hint={t(draft.identity === 'external_user' ? 'form.clients_hint_client' : 'form.clients_hint')}
      options={(clients.data ?? [])
        .filter(({ id, is_active }) => is_active || draft.advertisers.includes(id))
        .map(({ id, name }) => ({ value: id, label: name }))}
      value={draft.advertisers}
      onChange={advertisers => onChange({ ...draft, advertisers: [...advertisers] })}
      placeholder={t('form.clients_none')}
      loading={clients.isPending}
    />
  )
}
