import { useSearch } from '@tanstack/react-router'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { emptyDraft, lineAfter, ofAdvertiser } from './editor/draft.ts'
import { OrderEditor } from './editor/order-editor.tsx'
import { useAdvertiser } from '#web/pages/pickers/data.ts'

/** A new quotation; of an advertiser, where its page has led here. */
export function NewOrder() {
  const { advertiser: id = null } = useSearch({ from: '/shell/customer/insertion-order/new' })
  const { data: advertiser, isPending } = useAdvertiser(id)
  if (id !== null && isPending) return <PageLoading />
  return (
    <OrderEditor
      key={id}
      quotation={null}
      initial={{
        ...emptyDraft(),
        lines: [lineAfter(undefined)],
        ...(advertiser && ofAdvertiser(advertiser)),
      }}
    />
  )
}
