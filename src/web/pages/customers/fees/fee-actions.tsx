import { useState } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import type { FeeAgreement } from '#shared/api/customers.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useRemoveAgreement, useUpdateAgreement } from './data.ts'
import { FeeDialog } from './fee-dialog.tsx'

/** What is open over the agreements. */
export interface FeeAction {
  kind: 'change' | 'end' | 'delete'
  agreement: FeeAgreement
}

interface DialogProps {
  advertiser: Advertiser
  agreement: FeeAgreement
  onClose: () => void
}

export function FeeActionDialog({
  action: { kind, agreement },
  ...props
}: { action: FeeAction } & Omit<DialogProps, 'agreement'>) {
  const Dialog = { change: FeeDialog, end: EndDialog, delete: DeleteDialog }[kind]
  return <Dialog agreement={agreement} {...props} />
}

/** The longest that the end of an agreement is set ahead. */
const MONTHS = 60

function EndDialog({ advertiser, agreement, onClose }: DialogProps) {
  const { t } = useTranslation('fees')
  const update = useUpdateAgreement(advertiser.id, agreement.id)
  const [month, setMonth] = useState(agreement.to_month)
  return (
    <FormDialog
      opened
      title={t('end.title')}
      submit={t('end.submit')}
      loading={update.isPending}
      problem={<GeneralProblem problem={update.error} />}
      onSubmit={() =>
        update.mutate(
          { version: agreement.version, to_month: month },
          {
            onSuccess() {
              showToast({ severity: 'success', message: t('end.done') })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <MonthPicker
        label={t('end.last_month')}
        value={month}
        onChange={setMonth}
        from={agreement.from_month}
        to={monthsLater(agreement.from_month, MONTHS)}
        none={t('open_end')}
        error={fieldProblem(update.error, 'to_month') ?? fieldProblem(update.error, 'from_month')}
      />
    </FormDialog>
  )
}

function DeleteDialog({ advertiser, agreement, onClose }: DialogProps) {
  const { t } = useTranslation('fees')
  const remove = useRemoveAgreement(advertiser.id)
  return (
    <ConfirmDialog
      opened
      title={t('delete.title')}
      detail={t('delete.detail')}
      confirm={t('delete.action')}
      tone="danger"
      loading={remove.isPending}
      problem={remove.error && <ProblemText code={remove.error.code} audience="internal" />}
      onConfirm={() =>
        remove.mutate(agreement, {
          onSuccess() {
            showToast({ severity: 'success', message: t('delete.done') })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
