import { CAP_NEAR } from '#shared/account-standing.ts'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import { formatRate } from '#web/ui/rate.ts'
import styles from './businesses.module.css'

/** How much of its cap an account has used, and what is left. */
export function CapBar({ account }: { account: BusinessAccount }) {
  const { t, language } = useTranslation('businesses')
  const { name, spend_cap, amount_spent, cap_used, currency } = account
  if (spend_cap === null) return <span className={styles.quiet}>{t('no_cap')}</span>
  if (amount_spent === null || cap_used === null)
    return <span className={styles.quiet}>{t('not_visible')}</span>
  const left = formatMoney(Math.max(0, spend_cap - amount_spent), currency, language)
  return (
    <span className={styles.cap} data-near={cap_used >= CAP_NEAR || undefined}>
      <meter
        min={0}
        max={WHOLE}
        low={HALFWAY}
        high={CAP_NEAR - 1}
        optimum={0}
        value={Math.min(cap_used, WHOLE)}
        aria-label={t('cap_of', { name })}
      />
      <small>{t('cap_used', { rate: formatRate(cap_used, language), left })}</small>
    </span>
  )
}

/** In basis points: up to here there is plenty left. */
const HALFWAY = 5000
const WHOLE = 10_000
