import { Button } from '@mantine/core'
import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MoneyInput } from '#web/ui/money-input.tsx'
import type { TypedAmount } from '#web/ui/money.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDeleteInvoice, useSaveInvoice } from './data.ts'
import styles from './month.module.css'
import type { AccountLine } from './reconciliation.tsx'

interface InvoiceFormProps {
  line: AccountLine
  month: string
  onClose: () => void
}

const LONGEST_NUMBER = 40
const LONGEST_NOTE = 500

/** The invoice of a platform for one account, in its row: from then on the customer is billed by it. */
export function InvoiceForm({
  line: { ad_account, account_name, currency, invoice },
  month,
  onClose,
}: InvoiceFormProps) {
  const { t } = useTranslation('closing')
  const { t: tUi } = useTranslation('ui')
  const [amount, setAmount] = useState<TypedAmount>(invoice?.amount ?? null)
  const [number, setNumber] = useState(invoice?.number ?? '')
  const [note, setNote] = useState(invoice?.note ?? '')
  const save = useSaveInvoice(invoice?.id ?? null)
  const remove = useDeleteInvoice()
  const error = save.error ?? remove.error
  const isBusy = save.isPending || remove.isPending

  function submit() {
    if (typeof amount !== 'number') return
    const facts = { amount, number: number.trim(), note: note.trim() }
    save.mutate(invoice ? { version: invoice.version, ...facts } : { ad_account, month, ...facts }, {
      onSuccess: () => {
        showToast({ severity: 'success', message: t('invoice.saved', { account: account_name }) })
        onClose()
      },
    })
  }

  return (
    <form
      className={styles.invoiceForm}
      noValidate
      aria-label={t('invoice.form', { account: account_name })}
      onSubmit={event => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      <MoneyInput
        label={t('column.invoice')}
        value={amount}
        onChange={setAmount}
        currency={currency}
        signed
        required
      />
      <TextField label={t('invoice.number')} value={number} onChange={setNumber} maxLength={LONGEST_NUMBER} />
      <TextField label={t('column.note')} value={note} onChange={setNote} maxLength={LONGEST_NOTE} />
      <div className={styles.formActions}>
        <Button type="submit" size="xs" loading={save.isPending} disabled={typeof amount !== 'number'}>
          {t('invoice.save')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose} disabled={isBusy}>
          {tUi('cancel')}
        </Button>
        {invoice && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(invoice, { onSuccess: onClose })}
          >
            {t('invoice.remove')}
          </Button>
        )}
      </div>
      {error && <Problem code={error.code} audience="internal" />}
    </form>
  )
}
