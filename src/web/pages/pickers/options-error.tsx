import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'

export interface OptionsQuery {
  error: { status: number } | null
  refetch: () => unknown
}

/**
 * Said at a field when what there is to choose from could not be read: an empty list would say that there is
 * none. null: it could. What is chosen may be gone, or not visible, which is no failure.
 */
export function optionsError(...queries: readonly OptionsQuery[]) {
  const failed = queries.filter(({ error }) => error !== null && error.status !== 404)
  if (failed.length === 0) return null
  return <OptionsError onRetry={() => failed.forEach(({ refetch }) => void refetch())} />
}

function OptionsError({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('errors')
  return (
    <>
      {t('options')}{' '}
      <Button size="compact-xs" variant="subtle" onClick={onRetry}>
        {t('retry')}
      </Button>
    </>
  )
}
