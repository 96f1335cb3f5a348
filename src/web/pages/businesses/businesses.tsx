import { IconBuildingCommunity } from '@tabler/icons-react'
import { LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { BusinessTab } from './business-tab.tsx'
import tabStyles from '#web/pages/tab-nav.module.css'
import { useBusinessNames } from './data.ts'
import { useBusinessesView } from './view.ts'

/** Which ad accounts the agency reaches at Meta, which have stopped or near their cap, and whose they are. */
export function Businesses() {
  const { t } = useTranslation('businesses')
  const { view } = useBusinessesView()
  const names = useBusinessNames()
  const businesses = Object.entries(names.data ?? {}).map(([id, name]) => ({ id: Number(id), name }))
  const current = businesses.find(({ id }) => id === view.business) ?? businesses[0]
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      {names.error ? (
        <Problem {...names.error} onRetry={() => void names.refetch()} />
      ) : !names.data ? (
        <Card padding="flush">
          <TableLoading rows={6} />
        </Card>
      ) : current ? (
        <>
          <TabNav businesses={businesses} current={current.id} />
          <BusinessTab key={current.id} id={current.id} name={current.name} />
        </>
      ) : (
        <Card>
          <EmptyState icon={IconBuildingCommunity} title={t('none')} detail={t('none_detail')} />
        </Card>
      )}
    </>
  )
}

interface TabNavProps {
  businesses: readonly { id: number; name: string }[]
  current: number
}

/** The tabs are addresses: links that can be sent and opened anew. */
function TabNav({ businesses, current }: TabNavProps) {
  const { t } = useTranslation('businesses')
  return (
    <nav className={tabStyles.tabs} aria-label={t('title')}>
      {businesses.map(({ id, name }) => (
        <LinkText
          key={id}
          to="/bm-management"
          search={{ search: '', page: 1, business: id }}
          resetScroll={false}
          aria-current={id === current ? 'page' : undefined}
        >
          {name}
        </LinkText>
      ))}
    </nav>
  )
}
