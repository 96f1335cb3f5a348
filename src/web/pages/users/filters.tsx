import { employmentStatuses } from '#shared/employment.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useView } from './view.ts'

/** Clients have few people and search them by name; the agency's own people narrow the list down. */
export function Filters() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const me = useMe()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      {me.identity !== 'external_user' && <AgencyFilters deleted={me.identity === 'superuser'} />}
    </>
  )
}

/** `deleted`: whether the reader sees deleted accounts. */
function AgencyFilters({ deleted }: { deleted: boolean }) {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const departments = useDepartments().data ?? []
  const clients = useClients().data ?? []
  return (
    <>
      <FilterField
        aria-label={t('filter.type')}
        any={t('filter.type_any')}
        options={[
          { value: 1 as const, label: t('filter.employees') },
          { value: 2 as const, label: t('filter.clients') },
        ]}
        value={view.user_type}
        onChange={type => change({ user_type: type, plan: undefined, department: undefined })}
      />
      {view.user_type === 2 ? (
        <FilterField
          aria-label={t('form.plan')}
          any={t('filter.plan_any')}
          options={[
            { value: 0 as const, label: t('plan.basic') },
            { value: 1 as const, label: t('plan.advanced') },
          ]}
          value={view.plan}
          onChange={plan => change({ plan })}
        />
      ) : (
        <FilterField
          aria-label={t('column.department')}
          any={t('filter.department_any')}
          options={departments.map(({ id, name, people }) => ({
            value: id,
            label: people === undefined ? name : t('filter.department', { name, count: people }),
          }))}
          value={view.department}
          onChange={department => change({ department })}
        />
      )}
      <FilterField
        aria-label={t('column.client')}
        any={t('filter.client_any')}
        options={clients.map(({ id, name }) => ({ value: id, label: name }))}
        value={view.advertiser}
        onChange={advertiser => change({ advertiser })}
      />
      <FilterField
        aria-label={t('form.employment')}
        any={t('filter.employment_any')}
        options={[1, 3, 2, ...(deleted ? [0] : [])].map(value => ({
          value,
          label: t(`employment.${employmentStatuses[value] ?? 'employed'}`),
        }))}
        value={view.employment}
        onChange={employment => change({ employment })}
      />
      <FilterField
        aria-label={t('filter.state')}
        any={t('filter.state_any')}
        options={[
          { value: 1 as const, label: t('state.open') },
          { value: 0 as const, label: t('state.closed') },
        ]}
        value={view.is_active}
        onChange={open => change({ is_active: open })}
      />
    </>
  )
}
