import { VisuallyHidden } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Spend } from '#shared/api/spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { channelTones } from '#web/pages/reports/channel-tones.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'
import { Choice } from './choice.tsx'
import styles from './overview.module.css'
import { withChange, type OverviewSearch } from './search.ts'
import { changeOf, comparePeriods, moneyText, type Compared, type CurrencySpend } from './spend-figures.ts'
import { spendPeriods, type PeriodDays, type SpendPeriod } from './spend-periods.ts'

const CHART_HEIGHT = 280

interface SpendCardProps {
  spend: UseQueryResult<Spend, Problem>
  period: SpendPeriod
  days: PeriodDays
}

/**
 * What the channels cost over a period, against the one before; one currency at a time, since there are no
 * rates to add them up with. A converted total would be the first of the figures.
 */
export function SpendCard({
  spend: { data, error, refetch, isPlaceholderData },
  period,
  days,
}: SpendCardProps) {
  const { t } = useTranslation('overview_later')
  const search = useSearch({ from: '/shell/' })
  const navigate = useNavigate()
  const choose = (change: Pick<OverviewSearch, 'period' | 'currency'>) =>
    void navigate({ to: '/', search: withChange(search, change), replace: true, resetScroll: false })
  const currencies = data && comparePeriods(data, days)
  const chosen = currencies?.find(({ currency }) => currency === search.currency) ?? currencies?.[0]
  const isLoading = !data || isPlaceholderData || (!chosen && data.waiting > 0)
  return (
    <Card
      title={t('spend_title')}
      actions={
        <span className={styles.choices}>
          <Choice
            label={t('period')}
            options={spendPeriods.map(value => ({ value, name: t(`periods.${value}`) }))}
            chosen={period}
            onChoose={value => choose({ period: value })}
          />
          {currencies && currencies.length > 1 && (
            <Choice
              label={t('currency')}
              options={currencies.map(({ currency }) => ({ value: currency, name: currency }))}
              chosen={chosen?.currency}
              onChoose={currency => choose({ currency })}
            />
          )}
        </span>
      }
    >
      <div className={styles.spend}>
        {error && !data ? (
          <LazyProblem code={error.code} onRetry={() => void refetch()} />
        ) : (
          <SpendOf spend={isPlaceholderData ? undefined : chosen} isLoading={isLoading} days={days} />
        )}
        {data && !isPlaceholderData && <Freshness spend={data} days={days} />}
      </div>
    </Card>
  )
}

interface SpendOfProps {
  spend: CurrencySpend | undefined
  isLoading: boolean
  days: PeriodDays
}

function SpendOf({ spend, isLoading, days }: SpendOfProps) {
  const { t, language } = useTranslation('overview_later')
  const money = (value: number) => moneyText(value, spend?.currency ?? 'TWD', language)
  const before = t('against', days.before)
  const compact = { notation: 'compact', maximumFractionDigits: 1 } as const
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <div className={styles.strip} role="region" aria-label={t('by_channel')} tabIndex={0}>
        {spend && (
          <dl className={styles.figures}>
            <Figure name={t('all_channels')} compared={spend.total} money={money} before={before} />
            {spend.channels.map(({ channel, ...compared }) => (
              <Figure
                key={channel}
                name={channelNames[channel][language]}
                compared={compared}
                money={money}
                before={before}
              />
            ))}
          </dl>
        )}
      </div>
      <LazyChart
        height={CHART_HEIGHT}
        data={
          isLoading
            ? null
            : {
                kind: 'stacked',
                points: spend?.days ?? [],
                series: (spend?.channels ?? []).map(({ channel, by_day }) => ({
                  key: channel,
                  name: channelNames[channel][language],
                  tone: channelTones[channel],
                  values: by_day,
                })),
                ...(spend?.total.before !== null &&
                  spend && {
                    reference: {
                      key: 'before',
                      name: t('days_before', days.before),
                      values: spend.before_by_day,
                    },
                  }),
              }
        }
        words={{
          label: t('spend_label', { currency: spend?.currency ?? '' }),
          points_label: t('day'),
          format: money,
          formatTick: value => value.toLocaleString(language, compact),
          pointTick: day => day.slice(5),
        }}
        empty={
          <EmptyState
            icon={IconChartBar}
            title={days.now === null ? t('no_full_day') : t('no_spend')}
            detail={t('no_spend_detail')}
          />
        }
      />
    </>
  )
}

interface FigureProps {
  name: string
  compared: Compared
  money: (value: number) => string
  /** What it is compared with, in words. */
  before: string
}

function Figure({ name, compared, money, before }: FigureProps) {
  const { t, language } = useTranslation('overview_later')
  const change = changeOf(compared)
  const rounded = change === null ? null : Math.round(change * 100)
  const arrow = rounded === null || rounded === 0 ? '=' : rounded > 0 ? '↑' : '↓'
  const share = (Math.abs(rounded ?? 0) / 100).toLocaleString(language, { style: 'percent' })
  return (
    <div>
      <dt>{name}</dt>
      <dd>{money(compared.now)}</dd>
      <dd className={styles.change} title={before}>
        {rounded === null ? (
          t('nothing_before')
        ) : (
          <>
            <span aria-hidden>
              {arrow} {share}
            </span>
            <VisuallyHidden>
              {t(rounded < 0 ? 'less' : rounded > 0 ? 'more' : 'same', { share })}
            </VisuallyHidden>
          </>
        )}
      </dd>
    </div>
  )
}

/** Which days are complete, and of how many accounts the spend is known. */
function Freshness({ spend, days }: { spend: Spend; days: PeriodDays }) {
  const { t } = useTranslation('overview_later')
  const { accounts, waiting, failing, complete } = spend
  return (
    <p className={styles.freshness} aria-live="polite">
      {days.now && `${t('spend_days', days.now)} `}
      {waiting > 0 ? t('spend_waiting', { waiting, accounts }) : t('spend_accounts', { count: accounts })}
      {complete && ` ${t('spend_until', { day: complete.to })}`}
      {complete && complete.from > days.before.start && ` ${t('spend_from', { day: complete.from })}`}
      {failing > 0 && ` ${t('spend_failing', { count: failing })}`}
    </p>
  )
}
