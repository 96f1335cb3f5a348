import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Payment, Receipt } from '#shared/api/payments.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useReverse } from './data.ts'
import styles from './payments.module.css'
import { ReceiptForm } from './receipt-form.tsx'
import { useRefusal } from './refusal.ts'

/** The money that came for a payment; what was reversed is crossed out. */
export function Receipts({ payment }: { payment: Payment }) {
  const { t } = useTranslation('payments')
  const [isAdding, setIsAdding] = useState(false)
  const [reversed, setReversed] = useState<Receipt | null>(null)
  const { receipts, may, status } = payment
  const mayAdd = may.includes('receipt') && status !== 'paid'
  return (
    <section className={styles.part} aria-label={t('receipts.title')}>
      <h3>{t('receipts.title')}</h3>
      {receipts.length === 0 && !isAdding && <p className={styles.quiet}>{t('receipts.empty')}</p>}
      {receipts.length > 0 && (
        <ul className={styles.receipts}>
          {receipts.map(receipt => (
            <ReceiptLine
              key={receipt.id}
              receipt={receipt}
              currency={payment.currency}
              onReverse={may.includes('edit') ? () => setReversed(receipt) : null}
            />
          ))}
        </ul>
      )}
      {mayAdd &&
        (isAdding ? (
          <ReceiptForm
            // What is left has changed.
            key={payment.version}
            payment={payment}
            onClose={() => setIsAdding(false)}
          />
        ) : (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
            {t('receipts.add')}
          </Button>
        ))}
      {reversed && <ReverseDialog payment={payment} receipt={reversed} onClose={() => setReversed(null)} />}
    </section>
  )
}

interface ReceiptLineProps {
  receipt: Receipt
  currency: string
  onReverse: (() => void) | null
}

function ReceiptLine({ receipt, currency, onReverse }: ReceiptLineProps) {
  const { t, language } = useTranslation('payments')
  const { on, amount, bank_fee, method, reference, reversed_at, reason } = receipt
  return (
    <li data-reversed={reversed_at !== null || undefined}>
      <span>
        <span className={styles.receiptFacts}>
          {on} · {t(`receipts.methods.${method}`)}
          {reference !== '' && ` · ${reference}`}
        </span>
        {bank_fee > 0 && (
          <small className={styles.below}>
            {t('receipts.with_fee', { fee: formatMoney(bank_fee, currency, language) })}
          </small>
        )}
        {reversed_at !== null && (
          <small className={styles.late}>{t('receipts.reversed', { reason: reason ?? '' })}</small>
        )}
      </span>
      <span className={styles.receiptEnd}>
        <span className={styles.amount} data-void={reversed_at !== null || undefined}>
          {formatMoney(amount, currency, language)}
        </span>
        {reversed_at === null && onReverse && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onReverse}>
            {t('receipts.reverse')}
          </Button>
        )}
      </span>
    </li>
  )
}

interface ReverseProps {
  payment: Payment
  receipt: Receipt
  onClose: () => void
}

function ReverseDialog({ payment, receipt, onClose }: ReverseProps) {
  const { t, language } = useTranslation('payments')
  const [reason, setReason] = useState('')
  const reverse = useReverse(payment.id)
  const refusal = useRefusal(reverse.error)
  return (
    <FormDialog
      opened
      title={t('receipts.reverse_title')}
      submit={t('receipts.reverse')}
      loading={reverse.isPending}
      problem={refusal.whole !== null && <p role="alert">{refusal.whole}</p>}
      onSubmit={() =>
        reverse.mutate(
          { receipt: receipt.id, version: payment.version, reason },
          {
            onSuccess() {
              onClose()
              showToast({ severity: 'success', message: t('receipts.reverse_done') })
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>
        {formatMoney(receipt.amount, payment.currency, language)} · {receipt.on}
      </p>
      <p>{t('receipts.reverse_detail')}</p>
      <TextField
        label={t('receipts.reverse_reason')}
        value={reason}
        onChange={setReason}
        error={refusal.of('reason')}
        maxLength={500}
        required
        focusedFirst
      />
    </FormDialog>
  )
}
