import { useParams } from '@tanstack/react-router'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { Quotation } from '#shared/api/quotations.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { useOrder } from './data.ts'
import { draftOf } from './editor/draft.ts'
import { OrderEditor } from './editor/order-editor.tsx'
import { OrderMissing } from './order-missing.tsx'

/** The editor of a draft. */
export function EditOrder() {
  const { id } = useParams({ from: '/shell/customer/insertion-order/$id/edit' })
  const { data, error, refetch } = useOrder(Number(id))
  if (error && !data) return <OrderMissing error={error} onRetry={() => void refetch()} />
  if (!data) return <PageLoading />
  if (data.status !== 'draft' || !data.may.includes('edit')) return <NotEditable id={id} />
  return <Draft key={data.id} quotation={data} />
}

/** What others save meanwhile does not replace what is being written. */
function Draft({ quotation }: { quotation: Quotation }) {
  const [initial] = useState(() => draftOf(quotation))
  return <OrderEditor quotation={quotation} initial={initial} />
}

function NotEditable({ id }: { id: string }) {
  const { t } = useTranslation('quotation')
  return (
    <EmptyState
      icon={IconLock}
      title={t('not_editable')}
      actions={
        <LinkButton to="/customer/insertion-order/$id" params={{ id }} variant="default">
          {t('bar.view')}
        </LinkButton>
      }
    />
  )
}
