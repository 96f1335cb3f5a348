import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Payment } from '#shared/api/payments.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useUpdate } from './data.ts'
import styles from './payments.module.css'
import { useRefusal } from './refusal.ts'

/** The invoice that was issued elsewhere, the due day and a note; who may not change them reads them. */
export function InvoiceForm({ payment }: { payment: Payment }) {
  const { t } = useTranslation('payments')
  const [number, setNumber] = useState(payment.invoice_number ?? '')
  const [day, setDay] = useState(payment.invoice_on ?? '')
  const [due, setDue] = useState(payment.due_on)
  const [note, setNote] = useState(payment.note)
  const update = useUpdate(payment.id)
  const refusal = useRefusal(update.error)
  const mayEdit = payment.may.includes('edit')
  const isChanged =
    number !== (payment.invoice_number ?? '') ||
    day !== (payment.invoice_on ?? '') ||
    due !== payment.due_on ||
    note !== payment.note
  return (
    <form
      noValidate
      className={styles.part}
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        update.mutate(
          {
            version: payment.version,
            // A paid one keeps its day: what is sent has been changed.
            ...(due !== payment.due_on && { due_on: due }),
            invoice_number: number.trim() || null,
            invoice_on: day || null,
            note,
          },
          {
            onSuccess: () =>
              showToast({ severity: 'success', message: t('invoice.done', { number: payment.number }) }),
          },
        )
      }}
    >
      <h3>{t('invoice.title')}</h3>
      <div className={styles.pair}>
        <TextField
          label={t('invoice.number')}
          placeholder={t('invoice.number_hint')}
          value={number}
          onChange={setNumber}
          error={refusal.of('invoice_number')}
          maxLength={30}
          disabled={!mayEdit}
        />
        <DayField
          label={t('invoice.on')}
          value={day}
          onChange={setDay}
          error={refusal.of('invoice_on')}
          disabled={!mayEdit}
        />
      </div>
      <DayField
        label={t('invoice.due_on')}
        value={due}
        onChange={setDue}
        error={refusal.of('due_on')}
        disabled={!mayEdit}
      />
      <TextAreaField
        label={t('invoice.note')}
        value={note}
        onChange={setNote}
        error={refusal.of('note')}
        rows={2}
        maxLength={2000}
        disabled={!mayEdit}
      />
      {refusal.whole !== null && (
        <p className={styles.problem} role="alert">
          {refusal.whole}
        </p>
      )}
      {mayEdit && (
        <Button type="submit" variant="default" disabled={!isChanged} loading={update.isPending}>
          {t('invoice.submit')}
        </Button>
      )}
    </form>
  )
}
