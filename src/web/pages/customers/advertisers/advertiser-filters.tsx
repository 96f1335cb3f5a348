import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAllAgents, useAllIndustries } from '#web/pages/customers/data.ts'
import { useColleagues } from '#web/pages/customers/people.ts'
import { useAdvertisersView } from '#web/pages/customers/view.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

/** Search and filters of the list; all of them are in the URL. */
export function AdvertiserFilters() {
  const { t, language } = useTranslation('advertisers')
  const { t: tCustomers } = useTranslation('customers')
  const { view, change } = useAdvertisersView()
  const industries = useAllIndustries().data ?? []
  const agents = useAllAgents().data ?? []
  const colleagues = useColleagues()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <FilterField
        aria-label={t('field.industry')}
        any={t('filter.industry_any')}
        options={industries.map(({ id, name, name_zh }) => ({
          value: id,
          label: language === 'en' ? name : name_zh,
        }))}
        value={view.industry}
        onChange={industry => change({ industry })}
      />
      <FilterField
        aria-label={t('field.agent')}
        any={t('filter.agent_any')}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={view.agent}
        onChange={agent => change({ agent })}
      />
      <FilterField
        aria-label={t('field.members')}
        any={t('filter.member_any')}
        options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
        value={view.member}
        onChange={member => change({ member })}
      />
      <FilterField
        aria-label={tCustomers('state.label')}
        any={tCustomers('state.any')}
        options={[
          { value: 'active', label: tCustomers('state.active') },
          { value: 'inactive', label: tCustomers('state.inactive') },
          { value: 'no_agreement', label: t('filter.no_agreement') },
        ]}
        value={
          view.no_agreement
            ? 'no_agreement'
            : view.is_active === undefined
              ? undefined
              : view.is_active
                ? 'active'
                : 'inactive'
        }
        onChange={state =>
          change({
            is_active: state === 'active' ? true : state === 'inactive' ? false : undefined,
            no_agreement: state === 'no_agreement' ? true : undefined,
          })
        }
      />
    </>
  )
}
