import { useState } from 'react'
import type { UpdateAccount, User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useUpdate } from './data.ts'
import styles from './users.module.css'

/** What is sent, and whether the person's reports stop. */
const changes = {
  leave: { body: { employment_status: 3 }, tone: 'normal' },
  back: { body: { employment_status: 1 }, tone: 'normal' },
  resign: { body: { employment_status: 2 }, tone: 'danger' },
  delete: { body: { employment_status: 0 }, tone: 'danger' },
  close: { body: { is_active: 0 }, tone: 'danger' },
  open: { body: { is_active: 1 }, tone: 'normal' },
} as const satisfies Record<string, { body: UpdateAccount; tone: 'normal' | 'danger' }>
export type AccountChange = keyof typeof changes

interface ChangeDialogProps {
  user: User
  change: AccountChange
  /** The person can no longer sign in and still owns reports. */
  onLeft: () => void
  onClose: () => void
}

/** Confirms that an account changes its state. Deleting takes the name of the account, for it is final. */
export function ChangeDialog({ user, change, onLeft, onClose }: ChangeDialogProps) {
  const { t } = useTranslation('users')
  const update = useUpdate(user.user_id)
  const [typed, setTyped] = useState('')
  const { body, tone } = changes[change]
  const names = { name: nameOf(user), account: user.username ?? '' }
  const { reports = 0 } = user
  const keepsReports = tone === 'danger' && reports > 0
  const problem = update.error && (Object.values(update.error.fields)[0]?.[0] ?? update.error.code)
  return (
    <ConfirmDialog
      opened
      title={t(`change.${change}.title`, names)}
      detail={t(`change.${change}.detail`, names)}
      confirm={t(`action.${change}`)}
      tone={tone}
      loading={update.isPending}
      disabled={change === 'delete' && typed.trim() !== user.username}
      problem={problem && <ProblemText code={problem} />}
      onConfirm={() =>
        update.mutate(body, {
          onSuccess: () => {
            showToast({ severity: 'success', message: t(`change.${change}.done`, names) })
            if (keepsReports && change !== 'delete') onLeft()
            else onClose()
          },
        })
      }
      onClose={onClose}
    >
      <div className={styles.questions}>
        {keepsReports && (
          <InlineAlert severity="warning">
            {t(change === 'delete' ? 'delete_reports' : 'reports_stop', { count: reports })}
          </InlineAlert>
        )}
        {change === 'delete' && (
          <TextField
            label={t('delete_confirm', names)}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
          />
        )}
      </div>
    </ConfirmDialog>
  )
}
