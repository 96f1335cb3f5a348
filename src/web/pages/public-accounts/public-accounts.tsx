import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { AccountActionDialog, type AccountAction } from './account-action.tsx'
import { AccountTable } from './account-table.tsx'
import { AppsDialog } from './apps-dialog.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { OwnLogins } from './own-logins.tsx'
import { filtersOf, PAGE_SIZE, PATH, usePublicAccounts } from './data.ts'
import styles from './public-accounts.module.css'
import { usePlatformRequest } from './use-platform-request.ts'
import { useView } from './view.ts'

/** The agency's shared logins to the platforms; for who is no superuser those that they keep. */
export function PublicAccounts() {
  return useMe().identity === 'superuser' ? <AllLogins /> : <OwnLogins />
}

function AllLogins() {
  const { t } = useTranslation('public_accounts')
  const { t: apps } = useTranslation('connections')
  const { view, change } = useView()
  const accounts = usePublicAccounts(view)
  const [connecting, setConnecting] = useState(false)
  const [action, setAction] = useState<AccountAction | null>(null)
  const [showsApps, setShowsApps] = useState(false)
  const send = usePlatformRequest()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <Button variant="default" onClick={() => setShowsApps(true)}>
              {apps('apps.open')}
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setConnecting(true)}>
              {t('connect.title')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={
          <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
        }
        toolbarClass={styles.toolbar}
        list={accounts}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoAccounts onConnect={() => setConnecting(true)} />}
        csv={{ path: PATH, filters: filtersOf(view) }}
      >
        {(rows, stale) => <AccountTable accounts={rows} stale={stale} onAsk={send} onAction={setAction} />}
      </ListCard>
      {connecting && (
        <ConnectDialog
          onConnected={account => {
            setConnecting(false)
            send({ kind: 'import', account })
          }}
          onApps={() => setShowsApps(true)}
          onClose={() => setConnecting(false)}
        />
      )}
      {action && (
        <AccountActionDialog
          action={action}
          onApps={() => setShowsApps(true)}
          onClose={() => setAction(null)}
        />
      )}
      {showsApps && <AppsDialog onClose={() => setShowsApps(false)} />}
    </>
  )
}

function NoAccounts({ onConnect }: { onConnect: () => void }) {
  const { t } = useTranslation('public_accounts')
  const { view, change } = useView()
  if (view.search !== '')
    return (
      <NothingFound
        title={t('empty.search_title')}
        clear={t('empty.search_clear')}
        onClear={() => change({ search: '' })}
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
