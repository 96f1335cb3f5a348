import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormulaText } from './formula-text.tsx'
import styles from './metrics.module.css'
import { TryPanel } from './try-panel.tsx'

/** A metric for those who may not change it. */
export function MetricFacts({ metric }: { metric: CalculatedMetric }) {
  const { t, language } = useTranslation('insight')
  const facts = [
    { key: 'name', value: metric.name },
    { key: 'name_zh', value: metric.name_zh },
    { key: 'explanation', value: metric.explanation },
    { key: 'advertiser', value: metric.advertiser_name ?? t('scope.agency') },
    { key: 'formula', value: <FormulaText formula={metric.formula} channels={metric.channels} /> },
    { key: 'unit', value: t(`unit.${metric.unit}`) },
    {
      key: 'channels',
      value: listText(
        metric.channels.map(channel => channelNames[channel][language]),
        language,
      ),
    },
    { key: 'used_by', value: metric.used_by === 0 ? t('unused') : t('used_by', { count: metric.used_by }) },
  ] as const
  return (
    <div className={styles.facts}>
      <p className={styles.hint}>{t('read_only')}</p>
      <dl>
        {facts
          .filter(({ value }) => value !== '')
          .map(({ key, value }) => (
            <div key={key}>
              <dt>{t(`field.${key}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <TryPanel draft={metric} channels={metric.channels} />
    </div>
  )
}
