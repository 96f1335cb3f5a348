import type { Payment } from '#shared/api/payments.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useToday } from '#web/pages/today.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { daysOver } from './due-days.ts'
import { PaymentState } from './payment-state.tsx'
import styles from './payments.module.css'

interface PaymentTableProps {
  payments: readonly Payment[]
  stale: boolean
  /** All of one order or advertiser: whose they are is known. */
  of?: 'order' | 'advertiser'
  ordering?: string
  onOrdering?: (ordering: string) => void
  /** Left out: each leads to itself in the list of all. */
  onOpen?: (id: number) => void
}

export function PaymentTable({ payments, stale, of, onOpen, ...sorting }: PaymentTableProps) {
  const { t } = useTranslation('payments')
  const columns = useColumns(onOpen)
  return (
    <DataTable
      label={t('title')}
      columns={columns.filter(({ key }) => !leftOut[of ?? 'all'].includes(key))}
      rows={payments}
      rowKey={({ id }) => id}
      rowName={({ number }) => number}
      {...sorting}
      stale={stale}
    />
  )
}

const leftOut = { all: ['source'], order: ['advertiser', 'source'], advertiser: ['advertiser'] }

/** What has not been received yet. */
export const openOf = ({ status, amount, received }: Payment): number =>
  status === 'void' ? 0 : amount - received

function useColumns(onOpen: PaymentTableProps['onOpen']): Column<Payment>[] {
  const { t, language } = useTranslation('payments')
  return [
    {
      key: 'number',
      header: t('column.number'),
      sort: 'number',
      cell: payment => <Name payment={payment} onOpen={onOpen} />,
    },
    {
      key: 'advertiser',
      header: t('column.advertiser'),
      room: 'some',
      narrow: true,
      cell: payment => (
        <>
          {payment.advertiser_name}
          <small className={styles.below}>
            <Source payment={payment} />
          </small>
        </>
      ),
    },
    {
      key: 'source',
      header: t('column.source'),
      room: 'some',
      narrow: true,
      cell: payment => <Source payment={payment} />,
    },
    {
      key: 'state',
      header: t('column.state'),
      room: 'some',
      narrow: true,
      cell: ({ status }) => <PaymentState status={status} />,
    },
    {
      key: 'due',
      header: t('column.due'),
      sort: 'due_on',
      room: 'some',
      narrow: true,
      cell: payment => <Due payment={payment} />,
    },
    {
      key: 'invoice',
      header: t('column.invoice'),
      room: 'much',
      cell: ({ invoice_number }) => invoice_number ?? '–',
    },
    {
      key: 'open',
      header: t('column.open'),
      align: 'end',
      room: 'some',
      cell: payment => (
        <span className={styles.amount}>
          {payment.status === 'void' ? '–' : formatMoney(openOf(payment), payment.currency, language)}
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('column.amount'),
      sort: 'amount',
      align: 'end',
      cell: ({ amount, currency, status }) => (
        <span className={styles.amount} data-void={status === 'void' || undefined}>
          {formatMoney(amount, currency, language)}
        </span>
      ),
    },
  ]
}

interface NameProps {
  payment: Payment
  onOpen: PaymentTableProps['onOpen']
}

function Name({ payment: { id, number, advertiser }, onOpen }: NameProps) {
  if (onOpen)
    return (
      <button type="button" className={styles.open} onClick={() => onOpen(id)}>
        {number}
      </button>
    )
  return (
    <LinkText
      to="/customer/insertion-order/payments"
      search={{ search: '', page: 1, advertiser, payment: id }}
      className={styles.name}
    >
      {number}
    </LinkText>
  )
}

/** The order or the month that it is for. */
export function Source({ payment: { quotation, quotation_label, month } }: { payment: Payment }) {
  const { t } = useTranslation('payments')
  if (quotation === null) return month === null ? null : t('of_month', { month })
  return (
    <LinkText to="/customer/insertion-order/$id" params={{ id: String(quotation) }} className={styles.source}>
      {quotation_label ?? t('order')}
    </LinkText>
  )
}

function Due({ payment: { due_on, status, paid_on } }: { payment: Payment }) {
  const { t } = useTranslation('payments')
  const today = useToday()
  return (
    <span data-tabular className={styles.due}>
      {due_on}
      {status === 'overdue' && (
        <small className={styles.late}>{t('days_over', { count: daysOver(due_on, today) })}</small>
      )}
      {status === 'paid' && paid_on !== null && (
        <small className={styles.below}>{t('paid_on', { day: paid_on })}</small>
      )}
    </span>
  )
}
