import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import styles from './businesses.module.css'

/** What the login may not see is not 0. */
export function Amount({ amount, currency }: { amount: number | null; currency: string }) {
  const { t, language } = useTranslation('businesses')
  if (amount === null) return <span className={styles.quiet}>{t('not_visible')}</span>
  return <span className={styles.money}>{formatMoney(amount, currency, language)}</span>
}
