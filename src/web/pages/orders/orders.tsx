import { Button } from '@mantine/core'
import { IconCash, IconFileInvoice, IconPlus } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { SearchAndFilters } from '#web/pages/search-and-filters.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { DEFAULT_ORDERING, filtersOf, PAGE_SIZE, PATH, useOrders } from './data.ts'
import { OrderTable } from './order-table.tsx'
import styles from './orders.module.css'
import { AdvertiserPicker, AgentPicker, OwnerPicker } from '#web/pages/pickers/pickers.tsx'
import { StateTabs } from './state-tabs.tsx'
import { filterCount, NO_FILTERS, useView } from './view.ts'

/** Quotations and the orders that have become of them. */
export function Orders() {
  const { t } = useTranslation('orders')
  const { view, change } = useView()
  const orders = useOrders(view)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <LinkButton
              to="/customer/insertion-order/payments"
              search={{ search: '', page: 1 }}
              variant="default"
              leftSection={<IconCash size={16} stroke={1.7} aria-hidden />}
            >
              {t('to_payments')}
            </LinkButton>
            <WriteButton />
          </>
        }
      />
      <StateTabs sums={orders.data?.sums ?? []} />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        list={orders}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoOrders />}
        csv={{ path: PATH, filters: filtersOf(view) }}
      >
        {(rows, stale) => (
          <OrderTable
            orders={rows}
            stale={stale}
            ordering={view.ordering ?? DEFAULT_ORDERING}
            onOrdering={ordering => change({ ordering })}
          />
        )}
      </ListCard>
    </>
  )
}

function WriteButton() {
  const { t } = useTranslation('orders')
  const { advertiser } = useView().view
  return (
    <LinkButton
      to="/customer/insertion-order/new"
      search={advertiser === undefined ? {} : { advertiser }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('write')}
    </LinkButton>
  )
}

function Filters() {
  const { t } = useTranslation('orders')
  const { view, change } = useView()
  return (
    <SearchAndFilters
      label={t('search')}
      value={view.search}
      onSearch={search => change({ search })}
      more={t('filter.more')}
      count={filterCount(view)}
    >
      <MoreFilters />
    </SearchAndFilters>
  )
}

function MoreFilters() {
  const { t } = useTranslation('orders')
  const { view, change } = useView()
  return (
    <div className={styles.filters}>
      <AdvertiserPicker
        label={t('filter.advertiser')}
        none={t('filter.advertiser_any')}
        value={view.advertiser ?? null}
        onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
      />
      <AgentPicker
        label={t('filter.agent')}
        none={t('filter.agent_any')}
        value={view.agent ?? null}
        onChange={agent => change({ agent: agent ?? undefined })}
      />
      <OwnerPicker
        label={t('filter.owner')}
        none={t('filter.owner_any')}
        value={view.owner ?? null}
        onChange={owner => change({ owner: owner ?? undefined })}
      />
      <CurrencyField
        label={t('filter.currency')}
        none={t('filter.currency_any')}
        value={view.currency ?? null}
        onChange={currency => change({ currency: currency ?? undefined })}
      />
      <DayField
        label={t('filter.from')}
        value={view.from ?? ''}
        onChange={from => change({ from: from === '' ? undefined : from })}
      />
      <DayField
        label={t('filter.to')}
        value={view.to ?? ''}
        onChange={to => change({ to: to === '' ? undefined : to })}
      />
      {filterCount(view) > 0 && (
        <Button variant="default" className={styles.clear} onClick={() => change(NO_FILTERS)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}

function NoOrders() {
  const { t } = useTranslation('orders')
  const { view, change } = useView()
  if (view.search === '' && view.status === undefined && filterCount(view) === 0)
    return (
      <EmptyState
        icon={IconFileInvoice}
        title={t('empty')}
        detail={t('empty_detail')}
        actions={<WriteButton />}
      />
    )
  return (
    <NothingFound
      title={t('nothing_found')}
      clear={t('filter.clear')}
      onClear={() => change({ ...NO_FILTERS, status: undefined })}
    />
  )
}
