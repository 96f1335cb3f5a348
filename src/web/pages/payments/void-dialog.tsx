import { useState } from 'react'
import type { Payment } from '#shared/api/payments.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useVoid } from './data.ts'
import { useRefusal } from './refusal.ts'

export function VoidDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation('payments')
  const [reason, setReason] = useState('')
  const makeVoid = useVoid(payment.id)
  const refusal = useRefusal(makeVoid.error)
  return (
    <FormDialog
      opened
      title={t('voiding.title')}
      submit={t('voiding.submit')}
      loading={makeVoid.isPending}
      problem={refusal.whole !== null && <p role="alert">{refusal.whole}</p>}
      onSubmit={() =>
        makeVoid.mutate(
          { version: payment.version, reason },
          {
            onSuccess({ number }) {
              onClose()
              showToast({ severity: 'success', message: t('voiding.done', { number }) })
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{t('voiding.detail')}</p>
      <TextAreaField
        label={t('voiding.reason')}
        value={reason}
        onChange={setReason}
        error={refusal.of('reason')}
        rows={3}
        maxLength={500}
        required
      />
    </FormDialog>
  )
}
