import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBuildingStore, IconSearch } from '@tabler/icons-react'
import type { EcSpend } from '#shared/api/ec-spend.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { monthText } from '#web/ui/month.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { ChartCard } from './chart-card.tsx'
import { useSpend } from './data.ts'
import styles from './ec-spend.module.css'
import { Figures } from './figures.tsx'
import { Filters } from './filters.tsx'
import { currenciesOf } from './lines.ts'
import { SpendTable } from './spend-table.tsx'
import { isFiltered, NO_FILTERS, useRunningMonth, useView } from './view.ts'

/** What customers spend on advertising and owe for it, by month. */
export function EcSpendPage() {
  const { t, language } = useTranslation('spending')
  const { view } = useView()
  const running = useRunningMonth()
  const spend = useSpend(view)
  usePageTitle(t('title'))
  const next = spend.data && nextToClose(spend.data.months, running)
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          next && (
            <LinkButton to="/ec-spend/$month" params={{ month: next }}>
              {t('close_month', { month: monthText(next, language) })}
            </LinkButton>
          )
        }
      />
      <div className={styles.page}>
        <Card>
          <Filters />
        </Card>
        {spend.error && !spend.data ? (
          <Problem
            code={spend.error.code}
            request_id={spend.error.request_id}
            onRetry={() => void spend.refetch()}
          />
        ) : spend.data ? (
          <Content spend={spend.data} stale={spend.isPlaceholderData} />
        ) : (
          <Card padding="flush">
            <TableLoading rows={8} />
          </Card>
        )}
      </div>
    </>
  )
}

/** The one after the last locked one; while none is, the last one that is over. */
function nextToClose(months: EcSpend['months'], running: string): string | undefined {
  const over = months.filter(({ month }) => month < running)
  const locked = over.findLastIndex(({ state }) => state === 'locked')
  return (locked === -1 ? over.at(-1) : over[locked + 1])?.month
}

function Content({ spend, stale }: { spend: EcSpend; stale: boolean }) {
  const { view } = useView()
  const isPhone = useMediaQuery('(max-width: 700px)') ?? false
  if (spend.rows.length === 0) return <Nothing />
  const currencies = currenciesOf(spend)
  const chosen =
    currencies.find(currency => currency === view.currency) ?? currencies[0] ?? spend.base_currency
  return (
    <div className={styles.page} data-stale={stale || undefined} aria-busy={stale}>
      <Freshness spend={spend} />
      <Figures spend={spend} view={view} />
      <ChartCard spend={spend} view={view} currency={chosen} />
      <SpendTable spend={spend} currencies={currencies} currency={chosen} isPhone={isPhone} />
    </div>
  )
}

/** How recent it is, and whether more is to come. */
function Freshness({ spend: { as_of, waiting } }: { spend: EcSpend }) {
  const { t, language } = useTranslation('spending')
  return (
    <p className={styles.freshness} aria-live="polite">
      {as_of !== null && t('as_of', { at: instantText(as_of, language) })}{' '}
      {waiting > 0 && t('waiting', { count: waiting })}
    </p>
  )
}

function Nothing() {
  const { t } = useTranslation('spending')
  const { view, change } = useView()
  return (
    <Card padding="flush">
      {isFiltered(view) ? (
        <EmptyState
          icon={IconSearch}
          title={t('nothing_found')}
          actions={
            <Button variant="default" onClick={() => change(NO_FILTERS)}>
              {t('filter.clear')}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={IconBuildingStore}
          title={t('empty.title')}
          detail={t('empty.detail')}
          actions={
            <LinkButton to="/customer/advertiser" search={{ search: '', page: 1 }}>
              {t('empty.action')}
            </LinkButton>
          }
        />
      )}
    </Card>
  )
}
