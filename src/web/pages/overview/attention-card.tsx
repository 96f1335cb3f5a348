import { IconCircleCheck } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Overview } from '#shared/api/overview.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { AttentionLines } from './attention-lines.tsx'
import styles from './overview.module.css'
import { withChange } from './search.ts'

/** Few look through all of them. */
const AllAttention = lazy(async () => ({ default: (await import('./all-attention.tsx')).AllAttention }))

/** The reports that need attention: the most urgent ones, or all of them page by page. */
export function AttentionCard({ attention: { count, results } }: Pick<Overview, 'attention'>) {
  const { t } = useTranslation('overview')
  const search = useSearch({ from: '/shell/' })
  const page = search.attention
  const few = <AttentionLines reports={results} />
  return (
    <Card title={count > 0 ? t('attention.count', { count }) : t('attention.title')} padding="flush">
      {count === 0 ? (
        <EmptyState icon={IconCircleCheck} title={t('attention.none')} detail={t('attention.none_detail')} />
      ) : page === undefined ? (
        few
      ) : (
        <Suspense fallback={few}>
          <AllAttention page={page} />
        </Suspense>
      )}
      {count > results.length && (
        <p className={styles.more}>
          <LinkText
            to="/"
            search={withChange(search, { attention: page === undefined ? 1 : undefined })}
            resetScroll={false}
          >
            {page === undefined ? t('attention.all', { count }) : t('attention.fewer')}
          </LinkText>
        </p>
      )}
    </Card>
  )
}
