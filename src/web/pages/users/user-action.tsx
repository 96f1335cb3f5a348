import type { User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { ChangeDialog, type AccountChange } from './change-dialog.tsx'
import { useResetSecondFactor } from './data.ts'
import { LinkDialog } from './link-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { CreateDialog, EditDialog } from './user-form.tsx'

/** The open action on an account. */
export type UserAction =
  | { kind: 'create' }
  | { kind: 'edit' | 'link' | 'transfer' | 'reset' | AccountChange; user: User }

interface ActionProps {
  action: UserAction
  onAction: (action: UserAction) => void
  onClose: () => void
}

export function UserActionDialog({ action, onAction, onClose }: ActionProps) {
  if (action.kind === 'create')
    // Without a password nobody signs in: the link comes next.
    return <CreateDialog onMade={user => onAction({ kind: 'link', user })} onClose={onClose} />
  const { kind, user } = action
  if (kind === 'edit') return <EditDialog user={user} onClose={onClose} />
  if (kind === 'link') return <LinkDialog user={user} onClose={onClose} />
  if (kind === 'transfer') return <TransferDialog user={user} onClose={onClose} />
  if (kind === 'reset') return <ResetDialog user={user} onClose={onClose} />
  return (
    <ChangeDialog
      user={user}
      change={kind}
      onLeft={() => onAction({ kind: 'transfer', user })}
      onClose={onClose}
    />
  )
}

/** For a lost phone. */
function ResetDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('users')
  const reset = useResetSecondFactor(user.user_id)
  const name = nameOf(user)
  return (
    <ConfirmDialog
      opened
      title={t('reset.title', { name })}
      detail={t('reset.detail')}
      confirm={t('action.reset')}
      tone="danger"
      loading={reset.isPending}
      problem={reset.error && <ProblemText code={reset.error.code} />}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => {
            showToast({ severity: 'success', message: t('reset.done', { name }) })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
