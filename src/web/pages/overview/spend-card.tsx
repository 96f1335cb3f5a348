import { VisuallyHidden } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Spend } from '#shared/api/spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { channelTones } from '#web/pages/reports/channel-tones.ts'
import { Card } from '#web/ui/card.tsx'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'
import styles from './overview.module.css'
import { changeOf, compareHalves, moneyText, type Compared, type CurrencySpend } from './spend-figures.ts'

const CHART_HEIGHT = 280

/**
 * What the channels cost over the last 30 days, against the 30 before; one currency at a time, since they
 * cannot be added up.
 */
export function SpendCard({ spend }: { spend: UseQueryResult<Spend, Problem> }) {
  const { t } = useTranslation('overview')
  const currencies = useMemo(() => spend.data && compareHalves(spend.data), [spend.data])
  const [choice, setChoice] = useState<string | null>(null)
  const chosen = currencies?.find(({ currency }) => currency === choice) ?? currencies?.[0]
  return (
    <Card
      title={t('spend_title')}
      actions={
        currencies &&
        currencies.length > 1 && (
          <CurrencyChoice
            currencies={currencies.map(({ currency }) => currency)}
            chosen={chosen?.currency}
            onChoose={setChoice}
          />
        )
      }
    >
      <div className={styles.spend}>
        {spend.error && !spend.data ? (
          <LazyProblem code={spend.error.code} onRetry={() => void spend.refetch()} />
        ) : (
          <SpendOf spend={chosen} is_loading={!spend.data || (!chosen && spend.data.waiting > 0)} />
        )}
        {spend.data && <Freshness {...spend.data} />}
      </div>
    </Card>
  )
}

/** Native radio buttons: Mantine's control would bring 50 kB of other widgets to the first page. */
function CurrencyChoice(props: {
  currencies: readonly string[]
  chosen: string | undefined
  onChoose: (currency: string) => void
}) {
  const { t } = useTranslation('overview')
  const name = useId()
  return (
    <span className={styles.currency} role="radiogroup" aria-label={t('currency')}>
      {props.currencies.map(currency => (
        <label key={currency}>
          <input
            type="radio"
            name={name}
            checked={currency === props.chosen}
            onChange={() => props.onChoose(currency)}
          />
          <span>{currency}</span>
        </label>
      ))}
    </span>
  )
}

function SpendOf({ spend, is_loading }: { spend: CurrencySpend | undefined; is_loading: boolean }) {
  const { t, language } = useTranslation('overview')
  const money = (value: number) => moneyText(value, spend?.currency ?? 'TWD', language)
  const compact = { notation: 'compact', maximumFractionDigits: 1 } as const
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <div className={styles.strip} role="region" aria-label={t('by_channel')} tabIndex={0}>
        {spend && (
          <dl className={styles.figures}>
            <Figure name={t('all_channels')} compared={spend.total} money={money} />
            {spend.channels.map(({ channel, ...compared }) => (
              <Figure
                key={channel}
                name={channelNames[channel][language]}
                compared={compared}
                money={money}
              />
            ))}
          </dl>
        )}
      </div>
      <LazyChart
        height={CHART_HEIGHT}
        data={
          is_loading
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
                    reference: { key: 'before', name: t('days_before'), values: spend.before_by_day },
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
        empty={<EmptyState icon={IconChartBar} title={t('no_spend')} detail={t('no_spend_detail')} />}
      />
    </>
  )
}

function Figure(props: { name: string; compared: Compared; money: (value: number) => string }) {
  const { name, compared, money } = props
  const { t, language } = useTranslation('overview')
  const change = changeOf(compared)
  const rounded = change === null ? null : Math.round(change * 100)
  const arrow = rounded === null || rounded === 0 ? '=' : rounded > 0 ? '↑' : '↓'
  const share = (Math.abs(rounded ?? 0) / 100).toLocaleString(language, { style: 'percent' })
  return (
    <div>
      <dt>{name}</dt>
      <dd>{money(compared.now)}</dd>
      <dd className={styles.change} title={t('against')}>
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

/** Whether the spend of all accounts is known. */
function Freshness({ accounts, waiting, failing }: { accounts: number; waiting: number; failing: number }) {
  const { t } = useTranslation('overview')
  return (
    <p className={styles.freshness} aria-live="polite">
      {waiting > 0 ? t('spend_waiting', { waiting, accounts }) : t('spend_accounts', { count: accounts })}
      {failing > 0 && ` ${t('spend_failing', { count: failing })}`}
    </p>
  )
}
