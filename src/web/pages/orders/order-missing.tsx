import { IconFileUnknown } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import type { Problem as Failure } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'

/** An order that is not there, or that could not be loaded. */
export function OrderMissing({ error, onRetry }: { error: Failure; onRetry: () => void }) {
  const { t } = useTranslation('orders')
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} />
      <Card>
        {error.status === 404 ? (
          <EmptyState
            icon={IconFileUnknown}
            title={t('missing')}
            detail={t('missing_detail')}
            actions={
              <LinkButton to="/customer/insertion-order" search={{ search: '', page: 1 }}>
                {t('to_list')}
              </LinkButton>
            }
          />
        ) : (
          <Problem code={error.code} request_id={error.request_id} onRetry={onRetry} />
        )}
      </Card>
    </>
  )
}
