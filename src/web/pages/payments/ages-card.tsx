import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { PaymentList } from '#shared/api/payments.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'

const ages = ['not_due', '0_30', '31_60', '61_90', 'over_90'] as const
const HEIGHT = 220

/** How long payments that are not paid have been due; one currency at a time. */
export function AgesCard({ list }: { list: z.infer<typeof PaymentList> | undefined }) {
  const { t, language } = useTranslation('payments')
  const [wished, setWished] = useState<string | null>(null)
  const currencies = [...new Set(list?.ages.map(({ currency }) => currency) ?? [])].toSorted()
  const currency = currencies.find(each => each === wished) ?? mostOpen(list) ?? currencies[0] ?? 'TWD'
  const openOf = (age: (typeof ages)[number]) =>
    list?.ages.find(each => each.age === age && each.currency === currency)?.open ?? 0
  return (
    <Card
      title={t('ages.title')}
      actions={
        currencies.length > 1 && (
          <SegmentedField
            label={t('ages.currency')}
            labelHidden
            options={currencies.map(value => ({ value, label: value }))}
            value={currency}
            onChange={setWished}
          />
        )
      }
    >
      <LazyChart
        height={HEIGHT}
        data={
          list
            ? {
                kind: 'bars',
                points: ages.map(age => t(`ages.${age}`)),
                series: [
                  {
                    key: 'open',
                    name: t('ages.open'),
                    // Nothing is drawn where nothing is open.
                    values: ages.map(age => (currencies.length === 0 ? null : openOf(age) / MILLIONTHS)),
                  },
                ],
              }
            : null
        }
        words={{
          label: t('ages.label', { currency }),
          points_label: t('ages.points'),
          format: value => formatMoney(Math.round(value * MILLIONTHS), currency, language),
          formatTick: value =>
            value.toLocaleString(language, { notation: 'compact', maximumFractionDigits: 1 }),
        }}
        empty={<EmptyState icon={IconCircleCheck} title={t('ages.empty')} />}
      />
    </Card>
  )
}

/** The currency of most payments. */
function mostOpen(list: z.infer<typeof PaymentList> | undefined): string | undefined {
  const counts = new Map<string, number>()
  for (const { currency, count } of list?.ages ?? [])
    counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}
