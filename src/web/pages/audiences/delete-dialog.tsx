import { useState } from 'react'
import type { Audience } from '#shared/api/audiences.ts'
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
      problem={remove.error && <RefusalText code={remove.error.code} />}
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
