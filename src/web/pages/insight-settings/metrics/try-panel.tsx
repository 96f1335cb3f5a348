import { useDebouncedValue } from '@mantine/hooks'
import { IconChartLine } from '@tabler/icons-react'
import { useState } from 'react'
import type { TriedFormula } from '#shared/api/insight-settings.ts'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { isErrorCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Language } from '#shared/language.ts'
import { codeOf } from '#web/pages/insight-settings/data.ts'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useAccountsLike, useTriedFormula } from './data.ts'
import type { MetricDraft } from './metric-draft.ts'
import styles from './metrics.module.css'

const TYPING_MS = 500
const HEIGHT = 220

type Tried = Pick<MetricDraft, 'advertiser' | 'formula' | 'unit' | 'decimals'>

/** A formula that can be read, with the last 30 days of an account. */
export function TryPanel({ draft, channels }: { draft: Tried; channels: readonly Channel[] }) {
  const { t, language } = useTranslation('insight')
  const [chosen, setChosen] = useState<Channel | null>(null)
  const [account, setAccount] = useState<number | null>(null)
  const channel = channels.find(each => each === chosen) ?? channels[0]
  if (channel === undefined) return null
  return (
    <section className={styles.tryout} aria-label={t('try.title')}>
      <h3>{t('try.title')}</h3>
      <div className={styles.tryFields}>
        <SelectField
          label={t('try.channel')}
          value={channel}
          options={channels.map(each => ({ value: each, label: channelNames[each][language] }))}
          onChange={next => {
            setChosen(next)
            setAccount(null)
          }}
        />
        <AccountSelect
          key={channel}
          channel={channel}
          advertiser={draft.advertiser}
          value={account}
          onChange={setAccount}
        />
      </div>
      {account !== null && <Result draft={draft} channel={channel} account={account} />}
    </section>
  )
}

interface AccountSelectProps {
  channel: Channel
  advertiser: number | null
  value: number | null
  onChange: (account: number) => void
}

function AccountSelect({ channel, advertiser, value, onChange }: AccountSelectProps) {
  const { t } = useTranslation('insight')
  const [typed, setTyped] = useState('')
  const [label, setLabel] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), TYPING_MS)
  const accounts = useAccountsLike(channel, advertiser, settled === label ? '' : settled)
  const found = (accounts.data ?? []).map(({ id, name, external_id: externalId }) => ({
    value: String(id),
    label: `${name} (${externalId})`,
  }))
  const known = value === null || found.some(option => option.value === String(value))
  return (
    <SelectField
      label={t('try.account')}
      placeholder={t('try.choose')}
      searchable
      onSearch={setTyped}
      value={value === null ? null : String(value)}
      options={known ? found : [{ value: String(value), label }, ...found]}
      onChange={next => {
        setLabel(found.find(option => option.value === next)?.label ?? label)
        onChange(Number(next))
      }}
      nothingFound={t(accounts.isPending ? 'try.loading' : 'try.no_account')}
    />
  )
}

interface ResultProps {
  draft: Tried
  channel: Channel
  account: number
}

function Result({ draft: { formula, unit, decimals }, channel, account }: ResultProps) {
  const { t, language } = useTranslation('insight')
  // Not each letter is a request.
  const [settled] = useDebouncedValue(formula.trim(), TYPING_MS)
  const tried = useTriedFormula({ formula: settled, unit, decimals, ad_account: account, channel })
  const { data, error } = tried
  if (error)
    return (
      <p className={styles.refused}>
        <ProblemText code={codeOf(error)} audience="internal" />
      </p>
    )
  if (data && data.code !== null)
    return (
      <p className={styles.refused}>
        {isErrorCode(data.code) && <ProblemText code={data.code} audience="internal" channel={channel} />}
      </p>
    )
  const format = formatOf({ unit, decimals, language, currency: data?.currency ?? '' })
  return (
    <div aria-busy={tried.isFetching} aria-live="polite">
      {data && (
        <p className={styles.total}>
          {t('try.total')} <strong>{data.total === null ? t('try.none') : format(data.total)}</strong>
        </p>
      )}
      <LazyChart
        height={HEIGHT}
        data={data ? chartOf(data, t('try.value')) : null}
        words={{
          label: t('try.title'),
          points_label: t('try.day'),
          format,
          formatTick: value =>
            value.toLocaleString(language, {
              notation: 'compact',
              maximumSignificantDigits: 3,
              ...(unit === 'percent' && { style: 'percent' }),
            }),
          pointTick: day => day.slice(5),
        }}
        empty={<EmptyState icon={IconChartLine} title={t('try.empty')} />}
      />
    </div>
  )
}

const chartOf = ({ days }: TriedFormula, name: string) => ({
  kind: 'line' as const,
  points: days.map(({ day }) => day),
  series: [{ key: 'value', name, values: days.map(({ value }) => value) }],
})

interface Format extends Pick<MetricDraft, 'unit' | 'decimals'> {
  language: Language
  currency: string
}

/** As a cell of a report has it. */
function formatOf({ unit, decimals, language, currency }: Format) {
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    ...(unit === 'percent' && { style: 'percent' }),
    ...(unit === 'money' && /^[A-Z]{3}$/.test(currency) && { style: 'currency', currency }),
  })
  return (value: number) => format.format(value)
}
