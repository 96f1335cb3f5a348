import { identities } from '#shared/access.ts'
import type { Account } from '#shared/api/people.ts'
import { employmentStatuses } from '#shared/employment.ts'
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
export type UserDraft = Pick<Account, 'full_name' | 'department' | 'employment_status' | 'advertisers'> & {
  [Field in PresentField]: NonNullable<Account[Field]>
}
/** Fields that clients do not see of everybody; no client edits an account. */
type PresentField =
  | 'username'
  | 'identity'
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
      <TextField
        label={t('form.username')}
        value={draft.username}
        onChange={username => onChange({ ...draft, username })}
        maxLength={150}
        autoComplete="off"
        required
        focusedFirst
        error={tried && !draft.username.trim() ? <ProblemText code="field_required" /> : errorOf('username')}
      />
      <TextField
        label={t('form.full_name')}
        value={draft.full_name}
        onChange={full_name => onChange({ ...draft, full_name })}
        maxLength={120}
        autoComplete="off"
        error={errorOf('full_name')}
      />
      <RoleFields draft={draft} onChange={onChange} user_id={user_id} />
      <TextField
        label={t('form.position')}
        value={draft.position}
        onChange={position => onChange({ ...draft, position })}
        maxLength={120}
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
        maxLength={20}
      />
      <ContactsField value={draft.contacts} onChange={contacts => onChange({ ...draft, contacts })} />
      <ClientsField draft={draft} onChange={onChange} />
      <SelectField
        label={t('form.language')}
        value={draft.language}
        options={languages.map(language => ({ value: language, label: t(`language.${language}`) }))}
        onChange={language => onChange({ ...draft, language })}
      />
      {!is_new && <EmploymentField draft={draft} onChange={onChange} user_id={user_id} />}
    </div>
  )
}

type PartProps = Pick<UserFieldsProps, 'draft' | 'onChange'> & { user_id?: number | undefined }

/** The role, and for the agency's own people the department. Nobody changes their own role. */
function RoleFields({ draft, onChange, user_id }: PartProps) {
  const { t } = useTranslation('users')
  const { t: tApp } = useTranslation('app')
  const me = useMe()
  const departments = useDepartments().data ?? []
  const NONE = 'none'
  return (
    <>
      <SelectField
        label={t('form.role')}
        hint={t('form.role_hint')}
        value={draft.identity}
        options={identities.map(identity => ({ value: identity, label: tApp(`identity.${identity}`) }))}
        onChange={identity => onChange({ ...draft, identity })}
        disabled={user_id === me.user_id}
      />
      {draft.identity !== 'external_user' && (
        <SelectField
          label={t('column.department')}
          value={draft.department === null ? NONE : String(draft.department)}
          options={[
            { value: NONE, label: t('form.no_department') },
            ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={id => onChange({ ...draft, department: id === NONE ? null : Number(id) })}
        />
      )}
    </>
  )
}

function ClientsField({ draft, onChange }: PartProps) {
  const { t } = useTranslation('users')
  const clients = useClients()
  return (
    <MultiSelectField
      label={t('form.clients')}
      hint={t(draft.identity === 'external_user' ? 'form.clients_hint_client' : 'form.clients_hint')}
      options={(clients.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={draft.advertisers}
      onChange={advertisers => onChange({ ...draft, advertisers: [...advertisers] })}
      placeholder={t('form.clients_none')}
      loading={clients.isPending}
    />
  )
}

/** Those that can be chosen: an account is deleted by other means. */
const statuses = ['employed', 'resigned', 'on_leave'] as const

function EmploymentField({ draft, onChange, user_id }: PartProps) {
  const { t } = useTranslation('users')
  const me = useMe()
  return (
    <SelectField
      label={t('form.employment')}
      hint={t('form.employment_hint')}
      value={statuses.find(status => status === employmentStatuses[draft.employment_status]) ?? null}
      options={statuses.map(status => ({ value: status, label: t(`employment.${status}`) }))}
      onChange={status => onChange({ ...draft, employment_status: employmentStatuses.indexOf(status) })}
      disabled={user_id === me.user_id}
    />
  )
}
