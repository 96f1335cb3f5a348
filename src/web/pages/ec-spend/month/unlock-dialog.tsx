import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useUnlock } from './data.ts'

const LONGEST = 500

/** Opens a month again; its statements are live from then on. */
export function UnlockDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { t, language } = useTranslation('closing')
  const unlock = useUnlock()
  const [reason, setReason] = useState('')
  const name = monthText(month, language)
  return (
    <FormDialog
      opened
      title={t('unlock.title', { month: name })}
      submit={t('unlock.submit')}
      loading={unlock.isPending}
      disabled={reason.trim() === ''}
      problem={
        unlock.error &&
        (['in_use', 'lock_blocked', 'state_not_allowed'].includes(unlock.error.code) ? (
          <p role="alert">{t('unlock.refused')}</p>
        ) : (
          <Problem code={unlock.error.code} audience="internal" />
        ))
      }
      onSubmit={() =>
        unlock.mutate(
          { month, reason: reason.trim() },
          {
            onSuccess: () => {
              showToast({ severity: 'success', message: t('unlock.done', { month: name }) })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{t('unlock.detail')}</p>
      <TextAreaField
        label={t('unlock.reason')}
        required
        rows={3}
        maxLength={LONGEST}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
