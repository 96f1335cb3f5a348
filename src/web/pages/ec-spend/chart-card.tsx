import { IconChartBar } from '@tabler/icons-react'
import type { EcSpend } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { channelTones } from '#web/pages/reports/channel-tones.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { monthText } from '#web/ui/month.ts'
import { linesOf } from './lines.ts'
import type { View } from './view.ts'

const HEIGHT = 300

/** By month, the channels on top of each other, in one currency. */
export function ChartCard({ spend, view, currency }: { spend: EcSpend; view: View; currency: string }) {
  const { t, language } = useTranslation('spending')
  const title = t('chart.title', { measure: t(`measure.${view.measure}`), currency })
  const lines = linesOf(spend.rows, { currency, measure: view.measure, group: 'channel' })
  return (
    <Card title={title}>
      <LazyChart
        height={HEIGHT}
        data={{
          kind: 'stacked',
          points: view.months,
          series: lines.flatMap(({ channel, cells }) =>
            channel === null
              ? []
              : [
                  {
                    key: channel,
                    name: channelNames[channel][language],
                    tone: channelTones[channel],
                    values: view.months.map(month => unitsOf(cells.get(month)?.amount)),
                  },
                ],
          ),
        }}
        words={{
          label: title,
          points_label: t('month'),
          format: value => formatMoney(BigInt(Math.round(value * MILLIONTHS)), currency, language),
          formatTick: value =>
            value.toLocaleString(language, { notation: 'compact', maximumFractionDigits: 1 }),
          pointTick: month => monthText(month, language),
        }}
        empty={<EmptyState icon={IconChartBar} title={t('chart.empty')} />}
      />
    </Card>
  )
}

const unitsOf = (amount: bigint | null | undefined) =>
  amount === null || amount === undefined ? null : Number(amount) / MILLIONTHS
