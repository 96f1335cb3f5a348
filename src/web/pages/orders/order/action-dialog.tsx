import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Problem as Failure } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAction, useDelete, useUpdate, type OrderAction } from '#web/pages/orders/data.ts'
import { OwnerPicker } from '#web/pages/pickers/pickers.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { useRefusalText, type DialogProps } from './refusal-text.ts'

export type DialogAction = Exclude<OrderAction, 'copy'> | 'edit' | 'delete'

/** Asks for what an action needs, and does it. */
export function ActionDialog({ action, ...props }: DialogProps & { action: DialogAction }) {
  if (action === 'accept') return <AcceptDialog {...props} />
  if (action === 'edit') return <ChangeDialog {...props} />
  if (action === 'reject' || action === 'cancel') return <ReasonDialog action={action} {...props} />
  return <ConfirmedAction action={action} {...props} />
}

/** Sending, revising and deleting need no more than a yes. */
function ConfirmedAction({ action, order, onClose }: DialogProps & { action: 'send' | 'revise' | 'delete' }) {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const act = useAction()
  const remove = useDelete()
  const refusalText = useRefusalText()
  const { id, version, status } = order

  function confirm() {
    if (action === 'delete')
      remove.mutate(
        { id, version },
        {
          async onSuccess() {
            await navigate({ to: '/customer/insertion-order', search: { search: '', page: 1 } })
            showToast({ severity: 'success', message: t('confirm.delete.done') })
          },
        },
      )
    else
      act.mutate(
        { id, action, body: { version } },
        {
          onSuccess(reply) {
            onClose()
            if (action === 'send')
              showToast({
                severity: 'success',
                message: t('confirm.send.done', { label: reply.label ?? '' }),
              })
            else
              void navigate({
                to: '/customer/insertion-order/$id/edit',
                params: { id: String(reply.id) },
              })
          },
        },
      )
  }
  const error = act.error ?? remove.error
  return (
    <ConfirmDialog
      opened
      title={t(`confirm.${action}.title`)}
      detail={t(
        action === 'revise' && status === 'accepted'
          ? 'confirm.revise.detail_accepted'
          : `confirm.${action}.detail`,
      )}
      confirm={t(`confirm.${action}.submit`)}
      tone={action === 'delete' ? 'danger' : 'normal'}
      loading={act.isPending || remove.isPending}
      problem={error && (refusalText(error) ?? <FieldProblems error={error} />)}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

/** A draft that lacks something is refused when it is sent: where there are no fields, each fault is said. */
function FieldProblems({ error }: { error: Failure }) {
  const codes = new Set(Object.values(error.fields).flatMap(([code]) => code ?? []))
  return [...codes].map(code => (
    <span key={code}>
      <ProblemText code={code} />{' '}
    </span>
  ))
}

function ReasonDialog({ action, order, onClose }: DialogProps & { action: 'reject' | 'cancel' }) {
  const { t } = useTranslation('orders')
  const [reason, setReason] = useState('')
  const act = useAction()
  const refusalText = useRefusalText()
  const { id, version, status } = order
  const code = act.error?.fields.reason?.[0]
  const detail = t(status === 'accepted' ? 'ending.cancel.detail_accepted' : 'ending.cancel.detail')
  return (
    <FormDialog
      opened
      title={t(`ending.${action}.title`)}
      submit={t(`ending.${action}.submit`)}
      {...(action === 'cancel' && { close: t('ending.cancel.keep') })}
      loading={act.isPending}
      problem={refusalText(act.error) && <p role="alert">{refusalText(act.error)}</p>}
      onSubmit={() =>
        act.mutate(
          { id, action, body: { version, reason } },
          {
            onSuccess(reply) {
              onClose()
              const label = reply.label ?? reply.title
              showToast({ severity: 'success', message: t(`ending.${action}.done`, { label }) })
            },
          },
        )
      }
      onClose={onClose}
    >
      {action === 'cancel' && <p>{detail}</p>}
      <TextAreaField
        label={t(`ending.${action}.reason`)}
        {...(action === 'reject' && { hint: t('ending.reject.reason_hint'), required: true })}
        value={reason}
        onChange={setReason}
        error={code && <ProblemText code={code} />}
        rows={3}
        maxLength={500}
      />
    </FormDialog>
  )
}

/** What may still be changed once the customer has read it. */
function ChangeDialog({ order, onClose }: DialogProps) {
  const { t } = useTranslation('orders')
  const [day, setDay] = useState(order.valid_until ?? '')
  const [owner, setOwner] = useState<number | null>(order.owner)
  const [note, setNote] = useState(order.internal_note)
  const update = useUpdate()
  const refusalText = useRefusalText()
  const isOpen = order.status === 'sent' || order.status === 'expired'
  const faultOf = (field: string) => {
    const code = update.error?.fields[field]?.[0]
    return code && <ProblemText code={code} />
  }
  return (
    <FormDialog
      opened
      title={t('change.title')}
      submit={t('change.submit')}
      loading={update.isPending}
      problem={refusalText(update.error) && <p role="alert">{refusalText(update.error)}</p>}
      onSubmit={() =>
        update.mutate(
          {
            id: order.id,
            version: order.version,
            ...(isOpen && { valid_until: day || null }),
            ...(owner !== null && { owner }),
            internal_note: note,
          },
          {
            onSuccess() {
              onClose()
              showToast({ severity: 'success', message: t('change.done') })
            },
          },
        )
      }
      onClose={onClose}
    >
      {isOpen && (
        <DayField
          label={t('fact.valid_until')}
          value={day}
          onChange={setDay}
          error={faultOf('valid_until')}
        />
      )}
      <OwnerPicker label={t('fact.owner')} value={owner} onChange={setOwner} error={faultOf('owner')} />
      <TextAreaField
        label={t('part.note')}
        value={note}
        onChange={setNote}
        error={faultOf('internal_note')}
        maxLength={4000}
      />
    </FormDialog>
  )
}
