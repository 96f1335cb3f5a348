import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScrollRegion } from '#web/pages/ec-spend/scroll-region.tsx'
import { monthText } from '#web/ui/month.ts'
import { RateValue } from './rate-cell.tsx'
import type { RateGrid } from './rate-grid.ts'
import styles from './rates.module.css'

export interface GridProps {
  grid: RateGrid
  base: string
  mayChange: boolean
}

/** Months by currencies, the running month on top. */
export function RateTable({ grid: { months, currencies, cell }, base, mayChange }: GridProps) {
  const { t, language } = useTranslation('rates')
  return (
    <ScrollRegion label={t('table.title', { base })}>
      <table className={styles.table} aria-label={t('table.title', { base })}>
        <thead>
          <tr>
            <th scope="col">{t('month')}</th>
            {currencies.map(currency => (
              <th key={currency} scope="col" data-align="end">
                {currency}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month, row) => (
            <tr key={month}>
              <th scope="row">
                {monthText(month, language)}
                {row === 0 && <small>{t('running')}</small>}
              </th>
              {currencies.map(currency => (
                <td key={currency} data-align="end">
                  <RateValue
                    month={month}
                    currency={currency}
                    cell={cell(month, currency)}
                    mayChange={mayChange}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
