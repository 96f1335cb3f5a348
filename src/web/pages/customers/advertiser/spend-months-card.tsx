import { IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import type { Advertiser, AdvertiserSpend } from '#shared/api/advertisers.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { channelTones } from '#web/pages/reports/channel-tones.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import styles from './advertiser.module.css'
import { useSpendMonths } from './data.ts'

const HEIGHT = 280

/** What its channels have cost by month; one currency at a time, since nothing converts them here. */
export function SpendMonthsCard({ advertiser: { id, billing_currency } }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  const { data, error, refetch } = useSpendMonths(id)
  const [chosen, setChosen] = useState<string | null>(null)
  const currencies = data ? currenciesOf(data) : []
  const currency =
    currencies.find(each => each === (chosen ?? billing_currency)) ??
    currencies[0] ??
    billing_currency ??
    'TWD'
  if (error && !data) return <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />
  const series = (data?.series ?? []).filter(each => each.currency === currency)
  return (
    <Card
      title={t('spend.title')}
      actions={
        currencies.length > 1 && (
          <SegmentedField
            label=""
            options={currencies.map(each => ({ value: each, label: each }))}
            value={currency}
            onChange={setChosen}
          />
        )
      }
    >
      <LazyChart
        height={HEIGHT}
        data={
          data
            ? {
                kind: 'stacked',
                points: data.months,
                series: series.map(({ channel, cost }) => ({
                  key: channel,
                  name: channelNames[channel][language],
                  tone: channelTones[channel],
                  values: cost.map(value => (value === null ? null : value / MILLIONTHS)),
                })),
              }
            : null
        }
        words={{
          label: t('spend.label', { currency }),
          points_label: t('spend.month'),
          format: value => formatMoney(Math.round(value * MILLIONTHS), currency, language),
          formatTick: value =>
            value.toLocaleString(language, { notation: 'compact', maximumFractionDigits: 1 }),
          pointTick: month => monthText(month, language),
        }}
        empty={<EmptyState icon={IconChartBar} title={t('spend.none')} detail={t('spend.none_detail')} />}
      />
      {data && <Freshness spend={data} series={series} />}
    </Card>
  )
}

/** The one with most figures first. */
function currenciesOf({ series }: AdvertiserSpend): string[] {
  const counts = new Map<string, number>()
  for (const { currency, cost } of series)
    counts.set(currency, (counts.get(currency) ?? 0) + cost.filter(value => value !== null).length)
  return [...counts]
    .toSorted(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([currency]) => currency)
}

/** Which months are not known as a whole, and how old the figures are. */
function Freshness({ spend, series }: { spend: AdvertiserSpend; series: AdvertiserSpend['series'] }) {
  const { t } = useTranslation('advertisers')
  const partial = spend.months.filter((_, at) => series.some(({ known }) => known[at] === 'partial')).length
  if (spend.as_of === null) return null
  return (
    <p className={styles.small}>
      {t('spend.as_of')} <RelativeTime at={spend.as_of} />
      {partial > 0 && ` · ${t('spend.partial', { count: partial })}`}
    </p>
  )
}
