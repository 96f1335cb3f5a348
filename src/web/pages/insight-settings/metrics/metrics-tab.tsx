import { Button } from '@mantine/core'
import { IconMathFunction, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScopeFilter } from '#web/pages/insight-settings/scope-filter.tsx'
import styles from '#web/pages/insight-settings/insight-settings.module.css'
import { isFiltered, NO_FILTERS, useInsightView } from '#web/pages/insight-settings/view.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { METRICS, metricFilters, PAGE_SIZE, useMetrics } from './data.ts'
import { MetricDrawer, NewMetricDrawer } from './metric-drawer.tsx'
import { useMetricColumns } from './metric-columns.tsx'

/** Metrics of the agency's own, each a formula over those of the catalogue. */
export function MetricsTab() {
  const { view, change } = useInsightView()
  const metrics = useMetrics(view)
  const [isCreating, setIsCreating] = useState(false)
  return (
    <>
      <ListCard
        toolbar={<Toolbar onCreate={() => setIsCreating(true)} />}
        toolbarClass={styles.toolbar}
        list={metrics}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoMetrics onCreate={() => setIsCreating(true)} />}
        csv={{ path: METRICS, filters: metricFilters(view) }}
      >
        {(rows, stale) => <MetricTable rows={rows} stale={stale} />}
      </ListCard>
      {isCreating && <NewMetricDrawer onClose={() => setIsCreating(false)} />}
      {view.metric !== undefined && (
        <MetricDrawer key={view.metric} id={view.metric} onClose={() => change({ metric: undefined })} />
      )}
    </>
  )
}

function Toolbar({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('insight')
  const { t: tCustomers } = useTranslation('customers')
  const { view, change } = useInsightView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <ScopeFilter agency />
      <FilterField
        aria-label={tCustomers('state.label')}
        any={tCustomers('state.any')}
        options={[
          { value: 'active', label: tCustomers('state.active') },
          { value: 'inactive', label: tCustomers('state.inactive') },
        ]}
        value={view.is_active === undefined ? undefined : view.is_active ? 'active' : 'inactive'}
        onChange={state => change({ is_active: state === undefined ? undefined : state === 'active' })}
      />
      <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
        {t('create.title')}
      </Button>
    </>
  )
}

function MetricTable({ rows, stale }: { rows: readonly CalculatedMetric[]; stale: boolean }) {
  const { t } = useTranslation('insight')
  const { view, change } = useInsightView()
  return (
    <DataTable
      label={t('tab.metrics')}
      columns={useMetricColumns()}
      rows={rows}
      rowKey={metric => metric.id}
      rowName={metric => metric.name}
      ordering={view.ordering ?? 'name'}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function NoMetrics({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('insight')
  const { view, change } = useInsightView()
  if (isFiltered(view))
    return <NothingFound title={t('nothing_found')} clear={t('clear')} onClear={() => change(NO_FILTERS)} />
  return (
    <EmptyState
      icon={IconMathFunction}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onCreate}>{t('create.title')}</Button>}
    />
  )
}
