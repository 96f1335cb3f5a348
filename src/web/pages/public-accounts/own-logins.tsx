import { Button, Group } from '@mantine/core'
import { isConnectable } from '#shared/connect.ts'
import { platformFacts } from '#shared/platforms.ts'
import type { LoginKeeper } from '#shared/api/connections.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ExpiryCell } from './account-cells.tsx'
import { useKeepers, useStartConnect } from './connection-data.ts'
import styles from './public-accounts.module.css'

/** For who is no superuser: the logins that they keep; nothing for who keeps none. */
export function OwnLogins() {
  const own = useKeepers(null)
  if (own.error) return <Problem code={own.error.code} onRetry={() => void own.refetch()} />
  if (!own.data) return <PageLoading />
  return own.data.length === 0 ? <NotFound /> : <List logins={own.data} />
}

function List({ logins }: { logins: readonly LoginKeeper[] }) {
  const { t } = useTranslation('connections')
  usePageTitle(t('own.title'))
  return (
    <>
      <PageHeader title={t('own.title')} detail={t('own.detail')} />
      <ul className={styles.list}>
        {logins.map(each => (
          <li key={each.id}>
            <OwnLogin keeper={each} />
          </li>
        ))}
      </ul>
    </>
  )
}

function OwnLogin({ keeper: { public_account, login } }: { keeper: LoginKeeper }) {
  const { t, language } = useTranslation('connections')
  const start = useStartConnect()
  const { platform, name, expires_at } = login
  return (
    <Group justify="space-between" className={styles.own ?? ''}>
      <div>
        <div className={styles.name}>{name}</div>
        <small className={styles.platform}>{platformFacts(platform).names[language]}</small>
      </div>
      <ExpiryCell at={expires_at} />
      {isConnectable(platform) && (
        <Button
          variant="default"
          loading={start.isPending}
          onClick={() => start.mutate({ platform, public_account })}
        >
          {t('drawer.reconnect')}
        </Button>
      )}
      {start.error && <Problem code={start.error.code} audience="internal" />}
    </Group>
  )
}
