import type { Check } from '#shared/api/ec-spend.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthText } from '#web/ui/month.ts'

/** Where a check is worked off; nowhere: it passes by itself, or is waived. */
export function CheckLink({ check: { code, month, advertiser } }: { check: Check }) {
  const { t, language } = useTranslation('closing')
  const looks = { size: 'xs', variant: 'default' } as const
  if (code === 'earlier_month_open' || code === 'later_month_locked')
    return (
      <LinkButton {...looks} to="/ec-spend/$month" params={{ month }}>
        {t('link.month', { month: monthText(month, language) })}
      </LinkButton>
    )
  if (code === 'invoice_differs')
    return (
      <LinkButton {...looks} to="/ec-spend/$month" params={{ month }} search={{ tab: 'reconciliation' }}>
        {t('link.reconciliation')}
      </LinkButton>
    )
  if (code === 'no_agreement' && advertiser !== null)
    return (
      <LinkButton
        {...looks}
        to="/customer/advertiser/$id"
        params={{ id: String(advertiser) }}
        search={{ tab: 'fees' }}
      >
        {t('link.fees')}
      </LinkButton>
    )
  if (code === 'rate_missing' || code === 'rate_provisional')
    return (
      <LinkButton {...looks} to="/insight-setting" search={{ search: '', page: 1, tab: 'rates' }}>
        {t('link.rates')}
      </LinkButton>
    )
  if (code === 'spend_of_nobody')
    return (
      <LinkButton {...looks} to="/customer/advertiser" search={{ search: '', page: 1 }}>
        {t('link.relate')}
      </LinkButton>
    )
  return null
}
