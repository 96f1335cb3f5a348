import { Button } from '@mantine/core'
import { audienceKinds, audienceStatuses, shareStates } from '#shared/audiences.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FilterField } from '#web/ui/filter-field.tsx'
import { sharedChannels } from './account-rules.ts'
import { AdvertiserField } from './advertiser-field.tsx'
import styles from './audiences.module.css'
import { filterCount, NO_FILTERS, useView } from './view.ts'

export function MoreFilters() {
  const { t, language } = useTranslation('audiences')
  const { view, change } = useView()
  return (
    <div className={styles.filters}>
      <AdvertiserField
        label={t('filter.advertiser')}
        none={t('filter.advertiser_any')}
        value={view.advertiser ?? null}
        onChange={advertiser => change({ advertiser: advertiser ?? undefined })}
      />
      <FilterField
        label={t('filter.kind')}
        any={t('filter.kind_any')}
        options={audienceKinds.map(kind => ({ value: kind, label: t(`kind.${kind}`) }))}
        value={view.kind}
        onChange={kind => change({ kind })}
      />
      <FilterField
        label={t('filter.status')}
        any={t('filter.status_any')}
        options={audienceStatuses.map(status => ({ value: status, label: t(`status.${status}`) }))}
        value={view.status}
        onChange={status => change({ status })}
      />
      <FilterField
        label={t('filter.share_state')}
        any={t('filter.share_state_any')}
        options={shareStates.map(state => ({ value: state, label: t(`state.${state}`) }))}
        value={view.share_state}
        onChange={state => change({ share_state: state })}
      />
      <FilterField
        label={t('filter.channel')}
        any={t('filter.channel_any')}
        options={sharedChannels.map(channel => ({ value: channel, label: channelNames[channel][language] }))}
        value={view.channel}
        onChange={channel => change({ channel })}
      />
      {filterCount(view) > 0 && (
        <Button variant="default" className={styles.clear} onClick={() => change(NO_FILTERS)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}
