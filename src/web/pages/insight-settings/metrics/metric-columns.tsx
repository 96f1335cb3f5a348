import { UnstyledButton } from '@mantine/core'
import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/insight-settings/insight-settings.module.css'
import { useInsightView } from '#web/pages/insight-settings/view.ts'
import { ChannelIcons } from '#web/pages/reports/channel-icon.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { FormulaText } from './formula-text.tsx'

/** On a phone a row is a card: what it means and who has it are below its name. */
export function useMetricColumns(): Column<CalculatedMetric>[] {
  const { t, language } = useTranslation('insight')
  return [
    {
      key: 'name',
      header: t('field.name_column'),
      sort: language === 'en' ? 'name' : 'name_zh',
      cell: metric => <MetricName metric={metric} />,
    },
    {
      key: 'formula',
      header: t('field.formula'),
      room: 'some',
      narrow: true,
      cell: ({ formula, channels }) => <FormulaText formula={formula} channels={channels} />,
    },
    {
      key: 'unit',
      header: t('field.unit'),
      width: '110px',
      room: 'much',
      cell: ({ unit, decimals }) => (
        <>
          {t(`unit.${unit}`)}
          <small className={styles.below}>{t('decimals', { count: decimals })}</small>
        </>
      ),
    },
    {
      key: 'channels',
      header: t('field.channels'),
      width: '130px',
      room: 'much',
      narrow: true,
      cell: ({ channels }) => <ChannelIcons channels={channels.map(channel => ({ channel }))} />,
    },
    {
      key: 'used',
      header: t('field.used_by'),
      align: 'end',
      width: '110px',
      room: 'some',
      narrow: true,
      cell: metric =>
        metric.used_by === 0 ? (
          <span className={styles.quiet}>{t('unused')}</span>
        ) : (
          t('used_by', { count: metric.used_by })
        ),
    },
  ]
}

function MetricName({ metric }: { metric: CalculatedMetric }) {
  const { t, language } = useTranslation('insight')
  const { t: tCustomers } = useTranslation('customers')
  const { change } = useInsightView()
  const names = language === 'en' ? [metric.name, metric.name_zh] : [metric.name_zh, metric.name]
  return (
    <>
      <UnstyledButton className={styles.open ?? ''} onClick={() => change({ metric: metric.id })}>
        {names[0]}
      </UnstyledButton>{' '}
      {!metric.is_active && <StatusBadge tone="neutral" label={tCustomers('state.inactive')} />}
      <small className={styles.below}>
        {names[1]} · {metric.advertiser_name ?? t('scope.agency')}
      </small>
    </>
  )
}
