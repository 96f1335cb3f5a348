import { Button } from '@mantine/core'
import { IconCash, IconFileInvoice } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { SearchAndFilters } from '#web/pages/search-and-filters.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { useToday } from '#web/pages/today.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { AgesCard } from './ages-card.tsx'
import { filtersOf, orderingOf, PAGE_SIZE, PATH, usePayments } from './data.ts'
import { GroupTabs } from './group-tabs.tsx'
import { PaymentDrawer } from './payment-drawer.tsx'
import { PaymentTable } from './payment-table.tsx'
import styles from './payments.module.css'
import { filterCount, NO_FILTERS, useView } from './view.ts'

/** What customers are asked for: what is due, what is overdue, what has come. */
export function Payments() {
  const { t } = useTranslation('payments')
  const { view, change } = useView()
  const today = useToday()
  const payments = usePayments(view, today)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <LinkButton
            to="/customer/insertion-order"
            search={{ search: '', page: 1 }}
            variant="default"
            leftSection={<IconFileInvoice size={16} stroke={1.7} aria-hidden />}
          >
            {t('to_orders')}
          </LinkButton>
        }
      />
      <GroupTabs sums={payments.data?.sums ?? []} today={today} />
      <div className={styles.page}>
        <ListCard
          toolbar={<Filters />}
          toolbarClass={styles.toolbar}
          list={payments}
          page={view.page}
          pageSize={PAGE_SIZE}
          onPage={page => change({ page })}
          empty={<NoPayments />}
          csv={{ path: PATH, filters: filtersOf(view, today) }}
        >
          {(rows, stale) => (
            <PaymentTable
              payments={rows}
              stale={stale}
              ordering={view.ordering ?? orderingOf(view.group)}
              onOrdering={ordering => change({ ordering })}
              onOpen={payment => change({ payment })}
            />
          )}
        </ListCard>
        {(payments.data?.count ?? 0) > 0 && <AgesCard list={payments.data} />}
      </div>
      {view.payment !== undefined && (
        <PaymentDrawer id={view.payment} onClose={() => change({ payment: undefined })} />
      )}
    </>
  )
}

function Filters() {
  const { t } = useTranslation('payments')
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
  const { t } = useTranslation('payments')
  const { view, change } = useView()
  return (
    <div className={styles.filters}>
      <AdvertiserPicker
        label={t('filter.advertiser')}
        none={t('filter.advertiser_any')}
        value={view.advertiser ?? null}
        onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
      />
      <CurrencyField
        label={t('filter.currency')}
        none={t('filter.currency_any')}
        value={view.currency ?? null}
        onChange={currency => change({ currency: currency ?? undefined })}
      />
      <DayField
        label={t('filter.due_from')}
        value={view.due_from ?? ''}
        onChange={day => change({ due_from: day || undefined })}
      />
      <DayField
        label={t('filter.due_to')}
        value={view.due_to ?? ''}
        onChange={day => change({ due_to: day || undefined })}
      />
      {filterCount(view) > 0 && (
        <Button variant="default" className={styles.clear} onClick={() => change(NO_FILTERS)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}

function NoPayments() {
  const { t } = useTranslation('payments')
  const { view, change } = useView()
  if (view.search === '' && view.group === undefined && filterCount(view) === 0)
    return <EmptyState icon={IconCash} title={t('empty')} detail={t('empty_detail')} />
  return (
    <NothingFound
      title={t('nothing_found')}
      clear={t('filter.clear')}
      onClear={() => change({ ...NO_FILTERS, group: undefined })}
    />
  )
}
