import type { Check } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthText } from '#web/ui/month.ts'
import { instantText } from '#web/ui/times.ts'
import type { CheckGroup } from './check-groups.ts'

export const checkKey = ({ code, month, ad_account, advertiser, currency, billing_currency }: Check) =>
  [code, month, ad_account, advertiser, currency, billing_currency].join(' ')

/** What a check has found. */
export function CheckText({ group: { check, channels } }: { group: CheckGroup }) {
  const { t, language } = useTranslation('closing')
  const { month, account_name, advertiser_name, currency, billing_currency, until } = check
  const names = channels.map(channel => channelNames[channel][language])
  return t(`check.${textOf(check)}`, {
    month: monthText(month, language),
    account: account_name ?? '',
    advertiser: advertiser_name ?? '',
    channel: listText(names, language),
    currency: currency ?? '',
    billing_currency: billing_currency ?? '',
    at: until === null ? '' : instantText(until, language),
  })
}

/** While nothing is locked, billing may begin with any month. */
export const textOf = ({ code, can_waive }: Check) =>
  code === 'earlier_month_open' && can_waive ? 'nothing_locked' : code
