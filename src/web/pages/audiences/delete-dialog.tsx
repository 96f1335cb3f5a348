import { useState } from 'react'
import type { Audience } from '#shared/api/audiences.ts'
import type { Problem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDeleteAudience } from './data.ts'
import { RefusalText } from './refusal-text.tsx'

interface DeleteDialogProps {
  audience: Audience
  onDeleted: () => void
  onClose: () => void
}

/** With live shares the name is typed: deleting stops other people's ads. */
export function DeleteDialog({ audience, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('audiences')
  const remove = useDeleteAudience(audience.id)
  const [typed, setTyped] = useState('')
  const { name, version } = audience
  const live = audience.shares.filter(({ state }) => state !== 'removed').length
  return (
    <ConfirmDialog
      opened
      title={t('delete.title', { name })}
      detail={live > 0 ? t('delete.detail_shares', { count: live }) : t('delete.detail')}
      confirm={t('actions.delete')}
      tone="danger"
      loading={remove.isPending}
      disabled={live > 0 && typed.trim() !== name}
      problem={remove.error && <Refusal problem={remove.error} />}
      onConfirm={() =>
        remove.mutate(
          { version },
          {
            onSuccess: () => {
              showToast({ severity: 'success', message: t('delete.done', { name }) })
              onClose()
              onDeleted()
            },
          },
        )
      }
      onClose={onClose}
    >
      {live > 0 && (
        <TextField
          label={t('delete.type')}
          hint={name}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      )}
    </ConfirmDialog>
  )
}

/** What refers to it says no more than how often: not everybody who may delete it sees target audiences. */
function Refusal({ problem }: { problem: Problem }) {
  const { t } = useTranslation('audiences')
  const by = problem.body['by']
  if (typeof by === 'object' && by !== null && 'target_audiences' in by)
    return t('delete.in_use', { count: Number(by.target_audiences) })
  return <RefusalText code={problem.code} />
}
