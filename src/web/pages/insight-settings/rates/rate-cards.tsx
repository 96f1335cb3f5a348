import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthText } from '#web/ui/month.ts'
import { RateValue } from './rate-cell.tsx'
import type { GridProps } from './rate-table.tsx'
import styles from './rates.module.css'

/** The same on a phone: month below month, each with its currencies. */
export function RateCards({ grid: { months, currencies, cell }, mayChange }: GridProps) {
  const { t, language } = useTranslation('rates')
  return (
    <ol className={styles.cards}>
      {months.map((month, row) => (
        <li key={month}>
          <h3>
            {monthText(month, language)}
            {row === 0 && <small>{t('running')}</small>}
          </h3>
          <dl>
            {currencies.map(currency => (
              <div key={currency}>
                <dt>{currency}</dt>
                <dd>
                  <RateValue
                    month={month}
                    currency={currency}
                    cell={cell(month, currency)}
                    mayChange={mayChange}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  )
}
