import { IconAlertTriangle } from '@tabler/icons-react'
import type { QuotationSummary } from '#shared/api/quotations.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { OrderState } from './order-state.tsx'
import styles from './orders.module.css'

interface OrderTableProps {
  orders: readonly QuotationSummary[]
  stale: boolean
  /** All of one advertiser: its name is known, and their days take its place. */
  ofAdvertiser?: boolean
  ordering: string
  onOrdering: (ordering: string) => void
}

export function OrderTable({ orders, ofAdvertiser = false, ...table }: OrderTableProps) {
  const { t } = useTranslation('orders')
  const columns = useColumns()
  return (
    <DataTable
      label={t('title')}
      columns={ofAdvertiser ? columns.flatMap(columnOfAdvertiser) : columns}
      rows={orders}
      rowKey={({ id }) => id}
      rowName={({ title }) => title}
      {...table}
    />
  )
}

function columnOfAdvertiser(column: Column<QuotationSummary>): Column<QuotationSummary>[] {
  if (column.key === 'advertiser') return []
  return [column.key === 'days' ? { ...column, room: 'some', narrow: true } : column]
}

function useColumns(): Column<QuotationSummary>[] {
  const { t, language } = useTranslation('orders')
  return [
    { key: 'order', header: t('column.order'), sort: 'number', cell: order => <OrderName order={order} /> },
    {
      key: 'advertiser',
      header: t('column.advertiser'),
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name, agent_name }) => (
        <>
          {advertiser_name}
          {agent_name !== null && (
            <small className={styles.below}>{t('agent_line', { name: agent_name })}</small>
          )}
        </>
      ),
    },
    {
      key: 'state',
      header: t('column.state'),
      room: 'some',
      narrow: true,
      cell: ({ status, is_overdue }) => (
        <span className={styles.badges}>
          <OrderState status={status} />
          {is_overdue && <StatusBadge tone="bad" icon={IconAlertTriangle} label={t('overdue')} />}
        </span>
      ),
    },
    {
      key: 'days',
      header: t('column.days'),
      room: 'plenty',
      cell: ({ start, end }) =>
        start !== null && end !== null ? (
          <span className={styles.days}>
            <span>{start}</span> <span>– {end}</span>
          </span>
        ) : (
          '–'
        ),
    },
    {
      key: 'valid',
      header: t('column.valid'),
      sort: 'valid_until',
      room: 'much',
      cell: ({ valid_until, status }) => (
        <span data-tabular className={status === 'expired' ? styles.late : undefined}>
          {valid_until ?? '–'}
        </span>
      ),
    },
    {
      key: 'owner',
      header: t('column.owner'),
      room: 'plenty',
      cell: ({ owner_name }) => owner_name,
    },
    {
      key: 'total',
      header: t('column.total'),
      sort: 'total',
      align: 'end',
      cell: ({ total, currency }) => (
        <span data-tabular className={styles.amount}>
          {formatMoney(total, currency, language)}
        </span>
      ),
    },
    {
      key: 'next',
      header: t('column.next'),
      room: 'much',
      narrow: true,
      cell: ({ id, status }) => (
        <LinkText
          to="/customer/insertion-order/$id"
          params={{ id: String(id) }}
          search={status === 'draft' ? { do: 'send' } : {}}
          className={styles.next}
        >
          {t(`next.${status}`)}
        </LinkText>
      ),
    },
  ]
}

function OrderName({ order }: { order: QuotationSummary }) {
  const { t } = useTranslation('orders')
  return (
    <>
      <LinkText to="/customer/insertion-order/$id" params={{ id: String(order.id) }} className={styles.name}>
        {order.title}
      </LinkText>
      <small className={styles.below}>{order.label ?? t('draft_number')}</small>
    </>
  )
}
