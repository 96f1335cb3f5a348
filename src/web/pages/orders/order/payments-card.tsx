import { Button } from '@mantine/core'
import { IconCash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Payment } from '#shared/api/payments.ts'
import type { Quotation } from '#shared/api/quotations.ts'
import { mayReach } from '#shared/access.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAskAgain, usePaymentsOf } from '#web/pages/orders/data.ts'
import { useToday } from '#web/pages/today.ts'
import { PaymentDrawer } from '#web/pages/payments/payment-drawer.tsx'
import { PaymentTable } from '#web/pages/payments/payment-table.tsx'
import { Card } from '#web/ui/card.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useRefusalText } from './refusal-text.ts'

/** What the customer is asked for, and what has come of it. */
export function PaymentsCard({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { payment: open } = useSearch({ from: '/shell/customer/insertion-order/$id/' })
  const navigate = useNavigate()
  const { data, error, refetch } = usePaymentsOf(order.id, true)
  const [isAsking, setIsAsking] = useState(false)
  const me = useMe()
  const left = data === undefined ? 0n : leftOf(order, data)
  const mayAsk = mayReach(me, 'director_or_finance') && order.status === 'accepted' && left > 0n
  const show = (payment: number | undefined) =>
    void navigate({
      to: '/customer/insertion-order/$id',
      params: { id: String(order.id) },
      search: payment === undefined ? {} : { payment },
      resetScroll: false,
      replace: payment === undefined,
    })
  return (
    <Card
      title={t('part.payments')}
      padding="flush"
      actions={
        mayAsk && (
          <Button size="xs" variant="light" onClick={() => setIsAsking(true)}>
            {t('ask_again')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !data ? (
        <PageLoading />
      ) : data.length === 0 ? (
        <EmptyState icon={IconCash} title={t('payments_empty')} />
      ) : (
        <PaymentTable payments={data} stale={false} of="order" onOpen={show} />
      )}
      {open !== undefined && <PaymentDrawer id={open} onClose={() => show(undefined)} />}
      {isAsking && <AskDialog order={order} left={left} onClose={() => setIsAsking(false)} />}
    </Card>
  )
}

/** What no payment that stands asks for. */
const leftOf = ({ total }: Quotation, payments: readonly Payment[]): bigint =>
  payments
    .filter(({ status }) => status !== 'void')
    .reduce((left, { amount }) => left - BigInt(amount), BigInt(total))

function AskDialog({ order, left, onClose }: { order: Quotation; left: bigint; onClose: () => void }) {
  const { t, language } = useTranslation('orders')
  const [due, setDue] = useState(useToday())
  const ask = useAskAgain()
  const refusalText = useRefusalText()
  const code = ask.error?.fields.due_on?.[0]
  return (
    <FormDialog
      opened
      title={t('ask_again')}
      submit={t('ask_again')}
      loading={ask.isPending}
      problem={refusalText(ask.error) && <p role="alert">{refusalText(ask.error)}</p>}
      onSubmit={() =>
        ask.mutate(
          { quotation: order.id, due_on: due },
          {
            onSuccess({ number }) {
              onClose()
              showToast({ severity: 'success', message: t('asked_again', { number }) })
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{t('ask_again_detail', { amount: formatMoney(left, order.currency, language) })}</p>
      <DayField
        label={t('ask_again_due')}
        value={due}
        onChange={setDue}
        error={code && <ProblemText code={code} />}
        required
      />
    </FormDialog>
  )
}
