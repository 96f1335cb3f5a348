import { IconListDetails } from '@tabler/icons-react'
import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lineName } from '#web/pages/orders/line-name.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { Card } from '#web/ui/card.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatAmount, formatMoney } from '#web/ui/money.ts'
import { formatRate } from '#web/ui/rate.ts'
import styles from './order.module.css'

/** What is offered, line by line. */
export function OrderLines({ order }: { order: Quotation }) {
  const { t, language } = useTranslation('orders')
  const columns = useColumns(order.currency)
  return (
    <Card title={t('part.lines')} padding="flush">
      {order.lines.length === 0 ? (
        <EmptyState icon={IconListDetails} title={t('guide.empty')} />
      ) : (
        <DataTable
          label={t('part.lines')}
          columns={columns}
          rows={order.lines}
          rowKey={({ id }) => id}
          rowName={line => lineName(line, language)}
        />
      )}
    </Card>
  )
}

function useColumns(currency: string): Column<QuotationLine>[] {
  const { t, language } = useTranslation('orders')
  const money = (amount: number) => formatMoney(amount, currency, language)
  return [
    { key: 'what', header: t('line.what'), cell: line => <LineCell line={line} /> },
    {
      key: 'days',
      header: t('line.days'),
      room: 'some',
      narrow: true,
      cell: ({ start, end }) => <span className={styles.days}>{t('from_to', { start, end })}</span>,
    },
    {
      key: 'price',
      header: t('line.price'),
      room: 'some',
      narrow: true,
      cell: line => <Price line={line} currency={currency} />,
    },
    {
      key: 'fee',
      header: t('line.fee'),
      align: 'end',
      room: 'some',
      narrow: true,
      cell: ({ fee, fee_rate, fee_basis }) => (
        <span className={styles.number}>
          {money(fee)}
          <small className={styles.below}>
            {formatRate(fee_rate, language)} {t(`fee_basis.${fee_basis}`)}
          </small>
        </span>
      ),
    },
    {
      key: 'budget',
      header: t('line.budget'),
      align: 'end',
      cell: ({ budget }) => <span className={styles.number}>{money(budget)}</span>,
    },
  ]
}

function LineCell({ line }: { line: QuotationLine }) {
  const { t, language } = useTranslation('orders')
  return (
    <span className={styles.what}>
      {line.channel !== null && <ChannelIcon channel={line.channel} />}
      <span>
        <strong>{lineName(line, language)}</strong>
        {line.description !== '' && <small className={styles.below}>{line.description}</small>}
        {line.accounts.length > 0 && (
          <small className={styles.below}>{t('line.accounts', { count: line.accounts.length })}</small>
        )}
      </span>
    </span>
  )
}

function Price({ line, currency }: { line: QuotationLine; currency: string }) {
  const { t, language } = useTranslation('orders')
  const { pricing, quantity, unit_price } = line
  return (
    <>
      {t(`pricing.${pricing}`)}
      {pricing !== 'budget' && (
        <small className={styles.below} data-tabular>
          {t('line.quantity_price', { quantity, price: formatAmount(unit_price, currency, language) })}
        </small>
      )}
    </>
  )
}
