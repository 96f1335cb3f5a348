import { useParams, useSearch } from '@tanstack/react-router'
import type { Quotation } from '#shared/api/quotations.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OrderMissing } from '#web/pages/orders/order-missing.tsx'
import { OrderState } from '#web/pages/orders/order-state.tsx'
import { SumsList } from '#web/pages/orders/sums-list.tsx'
import { useOrder } from '#web/pages/orders/data.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import { DeliveryCards } from './delivery-cards.tsx'
import { HistoryCard } from './history-card.tsx'
import { NextAction } from './next-action.tsx'
import { OrderLines } from './order-lines.tsx'
import styles from './order.module.css'
import { PartiesCard } from './parties-card.tsx'
import { PaymentsCard } from './payments-card.tsx'
import { RevisionsCard } from './revisions-card.tsx'

/** One order: what is next, what it says, and how far its delivery and payment are. */
export function OrderPage() {
  const id = Number(useParams({ from: '/shell/customer/insertion-order/$id/' }).id)
  const { data, error, refetch } = useOrder(id)
  if (error && !data) return <OrderMissing error={error} onRetry={() => void refetch()} />
  return data ? <Order key={data.id} order={data} /> : <PageLoading />
}

function Order({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { compare } = useSearch({ from: '/shell/customer/insertion-order/$id/' })
  usePageTitle(order.label ?? order.title, true)
  const isAccepted = order.accepted_on !== null
  return (
    <>
      <PageHeader
        title={order.title}
        detail={
          <span className={styles.subtitle}>
            <span>{order.label ?? t('draft_number')}</span>
            <OrderState status={order.status} />
          </span>
        }
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <PartiesCard order={order} />
          <OrderLines order={order} />
          {isAccepted && <DeliveryCards order={order} />}
          {isAccepted && <PaymentsCard order={order} />}
          {order.terms !== '' && (
            <Card title={t('part.terms')}>
              <p className={styles.text}>{order.terms}</p>
            </Card>
          )}
        </div>
        <div className={styles.side}>
          <NextAction order={order} />
          <Card title={t('part.sums')}>
            <SumsList sums={order} currency={order.currency} />
          </Card>
          {order.internal_note !== '' && (
            <Card title={t('part.note')}>
              <p className={styles.text}>{order.internal_note}</p>
            </Card>
          )}
          {order.revisions.length > 1 && <RevisionsCard order={order} />}
          <HistoryCard order={order} />
        </div>
      </div>
      {compare !== undefined && <CompareDialog order={order} other={compare} />}
    </>
  )
}
