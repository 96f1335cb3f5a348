import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAllIndustries } from '#web/pages/customers/data.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import styles from './ec-spend.module.css'
import { channels } from './search.ts'
import { useRunningMonth, useView } from './view.ts'

/** How far back months can be chosen; what is known of accounts begins 25 months before they came. */
const MONTHS_BACK = 59

export function Filters() {
  const { t, language } = useTranslation('spending')
  const { view, change } = useView()
  const industries = useAllIndustries().data ?? []
  const today = useRunningMonth()
  return (
    <div className={styles.filters} role="search" aria-label={t('filter.label')}>
      <MonthPicker
        label={t('filter.from')}
        value={view.from}
        from={monthsLater(today, -MONTHS_BACK)}
        to={view.to}
        latestFirst
        onChange={from => change({ from: from ?? undefined })}
      />
      <MonthPicker
        label={t('filter.to')}
        value={view.to}
        from={monthsLater(today, -MONTHS_BACK)}
        to={today}
        latestFirst
        onChange={to => change({ to: to ?? undefined, ...(to !== null && to < view.from && { from: to }) })}
      />
      <AdvertiserFilter />
      <FilterField
        label={t('filter.industry')}
        any={t('filter.industry_any')}
        options={industries.map(({ id, name, name_zh }) => ({
          value: id,
          label: language === 'zh-TW' ? name_zh : name,
        }))}
        value={view.industry}
        onChange={industry => change({ industry })}
      />
      <FilterField
        label={t('filter.channel')}
        any={t('filter.channel_any')}
        options={channels.map(value => ({ value, label: channelNames[value][language] }))}
        value={view.channel}
        onChange={channel => change({ channel })}
      />
      <div className={styles.switch}>
        <SwitchField
          label={t('filter.convert')}
          checked={view.convert === true}
          onChange={convert => change({ convert: convert || undefined, currency: undefined })}
        />
      </div>
    </div>
  )
}

const ANY = 'any'

function AdvertiserFilter() {
  const { t } = useTranslation('spending')
  const { view, change } = useView()
  const advertisers = useClients().data ?? []
  return (
    <SelectField
      label={t('filter.advertiser')}
      searchable
      value={String(view.advertiser ?? ANY)}
      options={[
        { value: ANY, label: t('filter.advertiser_any') },
        ...advertisers.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={chosen => change({ advertiser: chosen === ANY ? undefined : Number(chosen) })}
    />
  )
}
