import type { BlockProof } from '#shared/api/executions.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { metricIn } from '#shared/metrics.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './block-line.module.css'

interface ProofDifferencesProps {
  channel: Channel
  differences: BlockProof['differences']
}

/** Each metric whose sum is not the platform's total, with both numbers. */
export function ProofDifferences({ channel, differences }: ProofDifferencesProps) {
  const { t, language } = useTranslation('runs')
  const catalogue = catalogueOf(channel)
  const text = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 6 })
  return (
    <ul className={styles.differences} data-tabular>
      {differences.map(({ metric, table, platform }) => (
        <li key={metric}>
          {t('proof.difference', {
            metric: metricIn(catalogue, metric)?.names[language] ?? metric,
            table: text(table),
            platform: text(platform),
          })}
        </li>
      ))}
    </ul>
  )
}
