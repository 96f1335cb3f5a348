import { useState } from 'react'
import type { Account, UpdateAccount, User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { showToast } from '#web/client/toasts.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { filledIn } from './contacts-field.tsx'
import { useAccount, useCreate, useUpdate } from './data.ts'
import { UserFields, type UserDraft } from './user-fields.tsx'

const EMPTY: UserDraft = {
  username: '',
  full_name: '',
  identity: 'staff',
  department: null,
  plan: 0,
  position: '',
  email: '',
  contacts: [],
  company_extension: '',
  language: 'en',
  advertisers: [],
}

export function CreateDialog({ onMade, onClose }: { onMade: (user: User) => void; onClose: () => void }) {
  const { t } = useTranslation('users')
  const create = useCreate()
  const [draft, setDraft] = useState(EMPTY)
  const [tried, setTried] = useState(false)

  function submit() {
    setTried(true)
    const facts = settled(draft)
    if (facts.username.length < 3 || facts.full_name === '') return
    create.mutate(facts, {
      onSuccess: made => {
        showToast({ severity: 'success', message: t('create.done', { name: nameOf(made) }) })
        onMade(made)
      },
    })
  }

  return (
    <FormDialog
      opened
      title={t('create.title')}
      submit={t('create.submit')}
      loading={create.isPending}
      problem={<General problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <UserFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} is_new />
    </FormDialog>
  )
}

/**
 * Opens at once, also while the account is still loading, so that a slow network does not block closing it.
 */
export function EditDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('users')
  const account = useAccount(user.user_id)
  const update = useUpdate(user.user_id)
  const [edited, setEdited] = useState<UserDraft>()
  const [tried, setTried] = useState(false)
  const draft = edited ?? (account.data && draftOf(account.data))

  function submit() {
    setTried(true)
    if (!draft || !account.data) return
    const facts = settled(draft)
    if (facts.full_name === '') return
    update.mutate(changesOf(facts, settled(draftOf(account.data))), {
      onSuccess: () => {
        showToast({ severity: 'success', message: t('edit.done', { name: nameOf(facts) }) })
        onClose()
      },
    })
  }

  return (
    <FormDialog
      opened
      title={t('edit.title', { name: nameOf(account.data ?? user) })}
      submit={t('edit.submit')}
      loading={update.isPending}
      disabled={!draft}
      problem={<General problem={update.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      {draft ? (
        <UserFields
          draft={draft}
          onChange={setEdited}
          tried={tried}
          problem={update.error}
          user_id={user.user_id}
        />
      ) : account.error ? (
        <Problem code={account.error.code} />
      ) : (
        <TableLoading rows={4} />
      )}
    </FormDialog>
  )
}

const draftOf = (account: Account): UserDraft => ({
  ...account,
  username: account.username ?? '',
  identity: account.identity ?? EMPTY.identity,
  plan: account.plan ?? 0,
  position: account.position ?? '',
  email: account.email ?? '',
  contacts: account.contacts ?? [],
  company_extension: account.company_extension ?? '',
  language: account.language ?? EMPTY.language,
})

/** The body of the request: no more than the fields of the form. */
const settled = (draft: UserDraft) => ({
  username: draft.username.trim(),
  full_name: draft.full_name.trim(),
  identity: draft.identity,
  // Clients are in no department, and they alone have a plan to choose.
  ...(draft.identity === 'external_user'
    ? { department: null, plan: draft.plan }
    : { department: draft.department }),
  position: draft.position,
  email: draft.email.trim() || null,
  contacts: filledIn(draft.contacts),
  company_extension: draft.company_extension,
  language: draft.language,
  advertisers: [...draft.advertisers],
})

/** What differs alone: values from before a rule stay until somebody changes them. */
function changesOf(facts: Partial<ReturnType<typeof settled>>, before: object): UpdateAccount {
  const old = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([field, value]) => field !== 'username' && JSON.stringify(value) !== JSON.stringify(old.get(field)),
    ),
  )
}

/** Errors that are about no single field. */
function General({ problem }: { problem: Refused | null }) {
  if (!problem || Object.keys(problem.fields).length > 0) return null
  return <Problem code={problem.code} />
}
