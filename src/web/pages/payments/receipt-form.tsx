import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { receiptMethods, type Payment } from '#shared/api/payments.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useToday } from '#web/pages/today.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import { formatMoney, type TypedAmount } from '#web/ui/money.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAddReceipt } from './data.ts'
import { openOf } from './payment-table.tsx'
import styles from './payments.module.css'
import { useRefusal } from './refusal.ts'

type Method = (typeof receiptMethods)[number]

/** Money that came; what would be left of the payment is said while it is typed. */
export function ReceiptForm({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation('payments')
  const { t: tUi } = useTranslation('ui')
  const today = useToday()
  const [day, setDay] = useState(today)
  const [amount, setAmount] = useState<TypedAmount>(openOf(payment))
  const [fee, setFee] = useState<TypedAmount>(null)
  const [method, setMethod] = useState<Method>('transfer')
  const [reference, setReference] = useState('')
  const add = useAddReceipt(payment.id)
  const refusal = useRefusal(add.error)
  const rest = openOf(payment) - amountOf(amount) - amountOf(fee)

  function submit() {
    if (amount === 'invalid' || fee === 'invalid' || add.isPending) return
    const body = { on: day, amount: amountOf(amount), bank_fee: amountOf(fee), method, reference }
    add.mutate(
      { version: payment.version, ...body },
      {
        onSuccess({ status, number }) {
          onClose()
          const message = status === 'paid' ? t('receipts.done_paid', { number }) : t('receipts.done')
          showToast({ severity: 'success', message })
        },
      },
    )
  }

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        submit()
      }}
    >
      <DayField
        label={t('receipts.on')}
        value={day}
        onChange={setDay}
        max={today}
        error={day > today ? t('receipts.future') : refusal.of('on')}
        required
      />
      <div className={styles.pair}>
        <MoneyInput
          label={t('receipts.amount')}
          value={amount}
          onChange={setAmount}
          currency={payment.currency}
          error={refusal.of('amount')}
          required
          focusedFirst
        />
        <MoneyInput
          label={t('receipts.bank_fee')}
          placeholder={t('receipts.bank_fee_hint')}
          value={fee}
          onChange={setFee}
          currency={payment.currency}
          error={refusal.of('bank_fee')}
        />
      </div>
      <Rest rest={rest} currency={payment.currency} />
      <div className={styles.pair}>
        <SelectField
          label={t('receipts.method')}
          options={receiptMethods.map(value => ({ value, label: t(`receipts.methods.${value}`) }))}
          value={method}
          onChange={setMethod}
        />
        <TextField
          label={t('receipts.reference')}
          placeholder={t('receipts.reference_hint')}
          value={reference}
          onChange={setReference}
          error={refusal.of('reference')}
          maxLength={120}
        />
      </div>
      {refusal.whole !== null && (
        <p className={styles.problem} role="alert">
          {refusal.whole}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={add.isPending}>
          {tUi('cancel')}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t('receipts.submit')}
        </Button>
      </Group>
    </form>
  )
}

const amountOf = (amount: TypedAmount) => (typeof amount === 'number' ? amount : 0)

/** What is left after it: nothing, something, or less than nothing. */
function Rest({ rest, currency }: { rest: number; currency: string }) {
  const { t, language } = useTranslation('payments')
  const amount = formatMoney(Math.abs(rest), currency, language)
  return (
    <p className={styles.rest} data-over={rest < 0 || undefined} role="status">
      {rest === 0
        ? t('receipts.nothing_left')
        : t(rest > 0 ? 'receipts.rest' : 'receipts.too_large', { amount })}
    </p>
  )
}
