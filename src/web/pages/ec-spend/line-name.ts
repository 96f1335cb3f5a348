import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Line } from './lines.ts'

/** What a line of a table is called. */
export function useLineName() {
  const { t, language } = useTranslation('spending')
  return ({ kind, advertiser_name, channel, account_name }: Line): string => {
    if (kind === 'channel') return channel === null ? '' : channelNames[channel][language]
    if (kind === 'account') return account_name ?? t('adjustments')
    return advertiser_name ?? t('nobody')
  }
}
