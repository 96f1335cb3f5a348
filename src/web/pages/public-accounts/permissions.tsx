import { Button, Group } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import type { LoginPermission } from '#shared/api/connections.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { shortName } from './connect-services.tsx'
import { useCheckPermissions, usePermissions } from './connection-data.ts'
import styles from './public-accounts.module.css'

/** What was granted at the platform, and when that was asked last. */
export function Permissions({ login }: { login: number }) {
  const { t } = useTranslation('connections')
  const permissions = usePermissions(login)
  const check = useCheckPermissions(login)
  const [first] = permissions.data ?? []
  return (
    <section className={styles.section}>
      <Group justify="space-between">
        <h3>{t('drawer.permissions')}</h3>
        <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {t('drawer.check')}
        </Button>
      </Group>
      {check.error && <Problem code={check.error.code} audience="internal" />}
      <ul className={styles.list}>
        {permissions.data?.map(permission => (
          <li key={`${permission.service} ${permission.scope}`}>
            <code title={permission.scope}>{shortName(permission.scope)}</code>
            <Granted permission={permission} />
          </li>
        ))}
      </ul>
      {first && (
        <p className={styles.none}>
          {t('drawer.checked')} <RelativeTime at={first.checked_at} />
        </p>
      )}
    </section>
  )
}

function Granted({ permission: { granted, needed } }: { permission: LoginPermission }) {
  const { t } = useTranslation('connections')
  if (granted === null)
    return <StatusBadge tone="neutral" icon={IconHelpCircle} label={t('drawer.unknown')} />
  if (granted) return <StatusBadge tone="good" icon={IconCircleCheck} label={t('drawer.granted')} />
  if (!needed) return <span className={styles.none}>{t('drawer.not_needed')}</span>
  return <StatusBadge tone="bad" icon={IconCircleX} label={t('drawer.not_granted')} />
}
