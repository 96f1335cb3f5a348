import { IconCash, IconFileInvoice, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import * as orders from '#web/pages/orders/data.ts'
import { OrderTable } from '#web/pages/orders/order-table.tsx'
import type { OrdersSearch } from '#web/pages/orders/search.ts'
import * as payments from '#web/pages/payments/data.ts'
import { PaymentTable } from '#web/pages/payments/payment-table.tsx'
import type { PaymentsSearch } from '#web/pages/payments/search.ts'
import { useToday } from '#web/pages/today.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import styles from './advertiser.module.css'

/** What the customer has been offered and has ordered, and what it has been asked for. */
export function OrdersTab({ advertiser }: { advertiser: Advertiser }) {
  return (
    <div className={styles.stack}>
      <OrdersCard advertiser={advertiser} />
      <PaymentsCard advertiser={advertiser.id} />
    </div>
  )
}

function OrdersCard({ advertiser: { id, is_active } }: { advertiser: Advertiser }) {
  const { t } = useTranslation('orders')
  const { t: tAdvertisers } = useTranslation('advertisers')
  const [view, setView] = useState<OrdersSearch>({ search: '', page: 1, advertiser: id })
  // An inactive one is offered for nothing new.
  const write = is_active && <WriteButton advertiser={id} />
  return (
    <Card
      padding="flush"
      title={t('title')}
      actions={
        <span className={styles.bar}>
          <LinkButton
            to="/customer/insertion-order"
            search={{ search: '', page: 1, advertiser: id }}
            variant="default"
            size="compact-sm"
          >
            {tAdvertisers('orders.all')}
          </LinkButton>
          {write}
        </span>
      }
    >
      <PagedList
        list={orders.useOrders(view)}
        page={view.page}
        pageSize={orders.PAGE_SIZE}
        onPage={page => setView({ ...view, page })}
        empty={<EmptyState icon={IconFileInvoice} title={t('empty')} detail={t('empty_detail')} />}
      >
        {(rows, stale) => (
          <OrderTable
            orders={rows}
            stale={stale}
            ofAdvertiser
            ordering={view.ordering ?? orders.DEFAULT_ORDERING}
            onOrdering={ordering => setView({ ...view, ordering, page: 1 })}
          />
        )}
      </PagedList>
    </Card>
  )
}

function WriteButton({ advertiser }: { advertiser: number }) {
  const { t } = useTranslation('orders')
  return (
    <LinkButton
      to="/customer/insertion-order/new"
      search={{ advertiser }}
      size="compact-sm"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('write')}
    </LinkButton>
  )
}

function PaymentsCard({ advertiser }: { advertiser: number }) {
  const { t } = useTranslation('payments')
  const { t: tAdvertisers } = useTranslation('advertisers')
  const today = useToday()
  const [view, setView] = useState<PaymentsSearch>({ search: '', page: 1, advertiser })
  return (
    <Card
      padding="flush"
      title={t('title')}
      actions={
        <LinkButton
          to="/customer/insertion-order/payments"
          search={{ search: '', page: 1, advertiser }}
          variant="default"
          size="compact-sm"
        >
          {tAdvertisers('orders.all_payments')}
        </LinkButton>
      }
    >
      <PagedList
        list={payments.usePayments(view, today)}
        page={view.page}
        pageSize={payments.PAGE_SIZE}
        onPage={page => setView({ ...view, page })}
        empty={<EmptyState icon={IconCash} title={t('empty')} detail={t('empty_detail')} />}
      >
        {(rows, stale) => (
          <PaymentTable
            payments={rows}
            stale={stale}
            of="advertiser"
            ordering={view.ordering ?? payments.DEFAULT_ORDERING}
            onOrdering={ordering => setView({ ...view, ordering, page: 1 })}
          />
        )}
      </PagedList>
    </Card>
  )
}
