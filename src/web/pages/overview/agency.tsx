import { Skeleton } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Overview } from '#shared/api/overview.ts'
import { useIsPageIdle } from '#web/client/page-idle.ts'
import { loadOverviewTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PartError } from '#web/pages/part-error.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { AttentionCard } from './attention-card.tsx'
import styles from './overview.module.css'
import { Tiles } from './tiles.tsx'

/** What is below the fold: its code loads when the rest is drawn. */
const AgencyLater = lazy(async () => {
  const [{ AgencyLater: drawn }] = await Promise.all([import('./agency-later.tsx'), loadOverviewTexts()])
  return { default: drawn }
})

/** The overview of the agency's own people: what needs them first. */
export function Agency({ overview }: { overview: Overview }) {
  const { t } = useTranslation('ui')
  const loading = (
    <output aria-label={t('loading')} className={styles.wide}>
      <Skeleton height={380} radius="md" />
    </output>
  )
  return (
    <div className={styles.page}>
      <Tiles overview={overview} />
      <div className={styles.wide}>
        <AttentionCard attention={overview.attention} />
      </div>
      {useIsPageIdle() ? (
        <CatchBoundary getResetKey={() => 'later'} errorComponent={PartError}>
          <Suspense fallback={loading}>
            <AgencyLater overview={overview} />
          </Suspense>
        </CatchBoundary>
      ) : (
        loading
      )}
    </div>
  )
}
