import { useState } from 'react'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChange, usePlatforms, useRemove } from './data.ts'
import { EMPTY_LOGIN, isWhole, loginOf } from './login-draft.ts'
import { LoginFields } from './login-fields.tsx'
import { LoginDrawer } from './login-drawer.tsx'
import { LoginProblem } from './login-problem.tsx'

/** The open action on a login. */
export interface AccountAction {
  kind: 'details' | 'replace' | 'rename' | 'delete'
  account: PublicAccount
}

interface DialogProps {
  account: PublicAccount
  onApps: () => void
  onClose: () => void
}

export function AccountActionDialog({
  action: { kind, account },
  ...actions
}: Omit<DialogProps, 'account'> & { action: AccountAction }) {
  const Dialog = {
    details: LoginDrawer,
    replace: ReplaceDialog,
    rename: RenameDialog,
    delete: DeleteDialog,
  }[kind]
  return <Dialog account={account} {...actions} />
}

/** The whole login is entered anew: stored values cannot be shown, so none of them can be kept either. */
function ReplaceDialog({ account, onClose }: DialogProps) {
  const { t } = useTranslation('public_accounts')
  const platform = usePlatforms().data?.find(candidate => candidate.platform === account.platform)
  const [draft, setDraft] = useState(EMPTY_LOGIN)
  const [tried, setTried] = useState(false)
  const change = useChange(account.id, () => {
    showToast({ severity: 'success', message: t('replace.done', { name: account.name }) })
    onClose()
  })
  return (
    <FormDialog
      opened
      title={t('replace.title', { name: account.name })}
      submit={t('replace.submit')}
      loading={change.isPending}
      problem={<LoginProblem problem={change.error} />}
      onSubmit={() => {
        setTried(true)
        if (platform && isWhole(platform, draft)) change.mutate(loginOf(platform, draft))
      }}
      onClose={onClose}
    >
      {platform && (
        <LoginFields
          platform={platform}
          draft={draft}
          onChange={setDraft}
          tried={tried}
          problem={change.error}
        />
      )}
    </FormDialog>
  )
}

function RenameDialog({ account, onClose }: DialogProps) {
  const { t } = useTranslation('public_accounts')
  const [name, setName] = useState(account.name)
  const change = useChange(account.id, onClose)
  const lacks = !name.trim()
  return (
    <FormDialog
      opened
      title={t('rename.title')}
      submit={t('rename.submit')}
      loading={change.isPending}
      problem={change.error && <Problem code={change.error.code} />}
      onSubmit={() => {
        if (!lacks) change.mutate({ name })
      }}
      onClose={onClose}
    >
      <TextField
        label={t('form.name')}
        value={name}
        onChange={setName}
        maxLength={120}
        autoComplete="off"
        focusedFirst
        required
        error={lacks && <ProblemText code="field_required" />}
      />
    </FormDialog>
  )
}

function DeleteDialog({ account: { id, name, accounts }, onClose }: DialogProps) {
  const { t } = useTranslation('public_accounts')
  const remove = useRemove(id, () => {
    showToast({ severity: 'success', message: t('delete.done', { name }) })
    onClose()
  })
  return (
    <ConfirmDialog
      opened
      title={t('delete.title', { name })}
      detail={accounts === 0 ? t('delete.detail_unused') : t('delete.detail', { count: accounts })}
      confirm={t('action.delete')}
      tone="danger"
      loading={remove.isPending}
      problem={remove.error && <ProblemText code={remove.error.code} />}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
