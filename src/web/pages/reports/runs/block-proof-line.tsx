import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { BlockProof } from '#shared/api/executions.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import styles from './block-line.module.css'

// The names of metrics are in the catalogues, which are too large for a page that mostly has no difference to
// show.
const ProofDifferences = lazy(async () => ({
  default: (await import('./proof-differences.tsx')).ProofDifferences,
}))

/** Whether the table's sums equal the platform's own totals, and if not, by how much they differ. */
export function BlockProofLine({ channel, proof }: { channel: Channel; proof: BlockProof }) {
  const { t } = useTranslation('runs')
  if (proof.matches)
    return (
      <p className={styles.proof} data-matches>
        <IconShieldCheck size={15} stroke={1.7} aria-hidden />
        {t('proof.matches')}
      </p>
    )
  return (
    <div className={styles.proof}>
      <IconAlertTriangle size={15} stroke={1.7} aria-hidden />
      <div>
        {t('proof.differs', { count: proof.differences.length })}
        <Suspense fallback={null}>
          <ProofDifferences channel={channel} differences={proof.differences} />
        </Suspense>
      </div>
    </div>
  )
}
