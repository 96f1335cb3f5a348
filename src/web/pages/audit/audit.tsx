import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { auditActions } from '#shared/audit.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard } from '#web/pages/list-card.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { AuditTable } from './audit-table.tsx'
import styles from './audit.module.css'
import { filtersOf, PAGE_SIZE, PATH, useTrail } from './data.ts'
import { isFiltered, NO_FILTERS, useView } from './view.ts'

/** Who signed in, changed, shared, ran or deleted what. */
export function Audit() {
  const { t } = useTranslation('audit')
  const { view, change } = useView()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        list={useTrail(view)}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<EmptyState icon={IconSearch} title={t('empty')} actions={<ClearFilters />} />}
        csv={{ path: PATH, filters: filtersOf(view) }}
      >
        {(lines, stale) => <AuditTable lines={lines} stale={stale} />}
      </ListCard>
    </>
  )
}

function Filters() {
  const { t } = useTranslation('audit')
  const { view, change } = useView()
  return (
    <>
      <FilterField
        label={t('filter.action')}
        any={t('filter.action_any')}
        options={auditActions.map(action => ({ value: action, label: t(`action.${action}`) }))}
        value={view.action}
        onChange={action => change({ action })}
      />
      <DayField label={t('filter.from')} value={view.from ?? ''} onChange={from => change({ from })} />
      <DayField label={t('filter.to')} value={view.to ?? ''} onChange={to => change({ to })} />
      <Narrowed />
      <ClearFilters />
    </>
  )
}

/** The person and the object that the list has been narrowed to by a click in it. */
function Narrowed() {
  const { t } = useTranslation('audit')
  const { view } = useView()
  const { data } = useTrail(view)
  const { actor, object, object_id } = view
  if (actor === undefined && object === undefined) return null
  const name = data?.results.find(line => line.actor === actor)?.actor_name
  const found = data?.results.find(line => line.object_id === object_id)?.detail?.['name']
  const what = typeof found === 'string' ? found : t('number', { id: object_id ?? '' })
  return (
    <p className={styles.narrowed}>
      {[
        actor !== undefined && t('filter.by', { name: name ?? t('number', { id: actor }) }),
        object !== undefined && t('filter.about', { what }),
      ]
        .filter(part => part !== false)
        .join(' · ')}
    </p>
  )
}

function ClearFilters() {
  const { t } = useTranslation('audit')
  const { view, change } = useView()
  if (!isFiltered(view)) return null
  return (
    <Button variant="default" onClick={() => change(NO_FILTERS)}>
      {t('filter.clear')}
    </Button>
  )
}
