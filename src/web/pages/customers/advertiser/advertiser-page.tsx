import { useParams, useSearch } from '@tanstack/react-router'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { isId } from '#web/client/search.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAllAgents, useAllIndustries } from '#web/pages/customers/data.ts'
import { FeesTab } from '#web/pages/customers/fees/fees-tab.tsx'
import type { AdvertiserSearch } from '#web/pages/customers/search.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { AccountsTab } from './accounts-tab.tsx'
import { AdvertiserMenu } from './advertiser-menu.tsx'
import styles from './advertiser.module.css'
import { useAdvertiser } from './data.ts'
import { DataTab } from './data-tab.tsx'
import { MembersTab } from './members-tab.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { TabNav } from './tab-nav.tsx'

/** Everything about one customer, by tabs. */
export function AdvertiserPage() {
  const { id } = useParams({ from: '/shell/customer/advertiser/$id' })
  if (!isId(Number(id))) return <NotFound />
  return <Found key={id} id={Number(id)} />
}

function Found({ id }: { id: number }) {
  const { data, error, refetch } = useAdvertiser(id)
  if (error?.status === 404) return <NotFound />
  if (data) return <Page advertiser={data} />
  if (error) return <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />
  return <PageLoading />
}

const contents = {
  overview: OverviewTab,
  data: DataTab,
  members: MembersTab,
  accounts: AccountsTab,
  fees: FeesTab,
  orders: OrdersTab,
}

function Page({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('customers')
  const { tab = 'overview' }: AdvertiserSearch = useSearch({ from: '/shell/customer/advertiser/$id' })
  const Content = contents[tab]
  usePageTitle(advertiser.name, true)
  return (
    <>
      <PageHeader
        title={
          <span className={styles.title}>
            {advertiser.name}
            {!advertiser.is_active && <StatusBadge tone="neutral" label={t('state.inactive')} />}
          </span>
        }
        detail={<Summary advertiser={advertiser} />}
        actions={<AdvertiserMenu advertiser={advertiser} />}
      />
      <TabNav id={advertiser.id} />
      <Content advertiser={advertiser} />
    </>
  )
}

function Summary({ advertiser: { industry, agent, tax_id } }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  const found = useAllIndustries().data?.find(({ id }) => id === industry)
  const agency = useAllAgents().data?.find(({ id }) => id === agent)
  const parts = [
    found && (language === 'en' ? found.name : found.name_zh),
    agency && t('through', { agent: agency.name }),
    tax_id,
  ]
  return parts.filter(Boolean).join(' · ')
}
