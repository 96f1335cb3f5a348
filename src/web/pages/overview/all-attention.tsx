import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { IconCircleCheck } from '@tabler/icons-react'
import { AttentionLines } from './attention-lines.tsx'
import { ATTENTION_PAGE, useAttention } from './data.ts'
import { withChange } from './search.ts'

/** Every report that needs attention, page by page. */
export function AllAttention({ page }: { page: number }) {
  const { t } = useTranslation('overview')
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/' })
  return (
    <PagedList
      list={useAttention(page)}
      page={page}
      pageSize={ATTENTION_PAGE}
      onPage={attention =>
        void navigate({ to: '/', search: withChange(search, { attention }), resetScroll: false })
      }
      empty={<EmptyState icon={IconCircleCheck} title={t('attention.none')} />}
    >
      {reports => <AttentionLines reports={reports} />}
    </PagedList>
  )
}
