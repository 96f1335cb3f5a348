import type { Statement } from '#shared/api/ec-spend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import styles from './month.module.css'
import { sumsOf } from './sums.ts'

/** What statements amount to, with their taxes, by currency. */
export function SumsList({ statements }: { statements: readonly Statement[] }) {
  const { t, language } = useTranslation('closing')
  return (
    <dl className={styles.sums}>
      {sumsOf(statements).map(({ currency, count, total, isPartial }) => (
        <div key={currency}>
          <dt>{t('sums.count', { currency, count })}</dt>
          <dd>
            {formatMoney(total, currency, language)}
            {isPartial && <small> {t('sums.partial')}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
