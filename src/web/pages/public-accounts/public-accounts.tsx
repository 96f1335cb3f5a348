import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { AccountDeedDialog, type AccountDeed } from './account-deed.tsx'
import { AccountTable } from './account-table.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { PAGE_SIZE, usePublicAccounts } from './data.ts'
import styles from './public-accounts.module.css'
import { useAsking } from './use-asking.ts'
import { useView } from './view.ts'

/** The agency's shared logins to the platforms. */
export function PublicAccounts() {
  const { t } = useTranslation('public_accounts')
  const { view, change } = useView()
  const accounts = usePublicAccounts(view)
  const [connecting, setConnecting] = useState(false)
  const [deed, setDeed] = useState<AccountDeed | null>(null)
  const ask = useAsking()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setConnecting(true)}>
            {t('connect.title')}
          </Button>
        }
      />
      <Card padding="flush">
        <div className={styles.toolbar} role="search">
          <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
        </div>
        <Body onConnect={() => setConnecting(true)} onAsk={ask} onDeed={setDeed} />
        {accounts.data && accounts.data.count > 0 && (
          <Pager
            page={view.page}
            page_size={PAGE_SIZE}
            count={accounts.data.count}
            onPage={page => change({ page })}
          />
        )}
      </Card>
      {connecting && (
        <ConnectDialog
          onConnected={account => {
            setConnecting(false)
            ask({ kind: 'import', account })
          }}
          onClose={() => setConnecting(false)}
        />
      )}
      {deed && <AccountDeedDialog deed={deed} onClose={() => setDeed(null)} />}
    </>
  )
}

type BodyProps = Omit<Parameters<typeof AccountTable>[0], 'accounts' | 'stale'> & { onConnect: () => void }

function Body({ onConnect, ...props }: BodyProps) {
  const { t } = useTranslation('public_accounts')
  const { view, change } = useView()
  const { data, error, isPlaceholderData, refetch } = usePublicAccounts(view)
  const count = data?.count ?? 0
  // The last one of the last page is gone, or an old address names a page too many.
  const is_beyond = count > 0 && data?.results.length === 0
  const toLastPage = useEffectEvent(() => change({ page: Math.ceil(count / PAGE_SIZE) }))
  useEffect(() => {
    if (is_beyond) toLastPage()
  }, [is_beyond])
  if (error)
    return (
      <div className={styles.problem}>
        <Problem code={error.code} request_id={error.request_id} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || is_beyond) return <TableLoading rows={5} />
  if (data.results.length > 0)
    return <AccountTable accounts={data.results} stale={isPlaceholderData} {...props} />
  if (view.search !== '')
    return (
      <EmptyState
        icon={IconSearch}
        title={t('empty.search_title')}
        actions={
          <Button variant="default" onClick={() => change({ search: '' })}>
            {t('empty.search_clear')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={IconPlugConnected}
      title={t('empty.title')}
      detail={t('empty.detail')}
      actions={<Button onClick={onConnect}>{t('connect.title')}</Button>}
    />
  )
}
