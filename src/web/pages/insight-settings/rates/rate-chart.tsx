import { IconChartLine } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { monthText } from '#web/ui/month.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import type { Rates } from './data.ts'
import type { RateGrid } from './rate-grid.ts'
import styles from './rates.module.css'

const HEIGHT = 240

/** One currency over the months: together they would be lines at the floor and one at the ceiling. */
export function RateChart({ rates: { base }, grid }: { rates: Rates; grid: RateGrid }) {
  const { t, language } = useTranslation('rates')
  const [chosen, setChosen] = useState<string | null>(null)
  const { currencies, cell } = grid
  const currency = currencies.find(each => each === chosen) ?? currencies[0]
  if (currency === undefined) return null
  const months = grid.months.toReversed()
  const title = t('chart.title', { currency, base })
  return (
    <Card title={title}>
      {currencies.length > 1 && (
        <div className={styles.chosen}>
          <SegmentedField
            label={t('chart.currency')}
            labelHidden
            options={currencies.map(each => ({ value: each, label: each }))}
            value={currency}
            onChange={setChosen}
          />
        </div>
      )}
      <LazyChart
        height={HEIGHT}
        data={{
          kind: 'line',
          closeUp: true,
          points: months,
          series: [
            {
              key: currency,
              name: currency,
              values: months.map(month => {
                const found = cell(month, currency)
                return found.kind === 'known' ? Number(found.rate.rate) : null
              }),
            },
          ],
        }}
        words={{
          label: title,
          points_label: t('month'),
          format: value => value.toLocaleString(language, { maximumFractionDigits: 10 }),
          formatTick: value => value.toLocaleString(language, { maximumSignificantDigits: 4 }),
          pointTick: month => monthText(month, language),
        }}
        empty={<EmptyState icon={IconChartLine} title={t('chart.empty')} />}
      />
    </Card>
  )
}
