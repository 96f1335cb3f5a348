import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { LoginService } from '#shared/api/connections.ts'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { shortName } from './connect-services.tsx'
import { useServices, useSetService } from './connection-data.ts'
import { usePlatforms } from './data.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { Keepers } from './keepers.tsx'
import { Permissions } from './permissions.tsx'
import styles from './public-accounts.module.css'
import { StartConnect } from './start-connect.tsx'

interface LoginDrawerProps {
  account: PublicAccount
  onApps: () => void
  onClose: () => void
}

const WIDTH = 520

/** What a login is used for, what it may do, and who keeps it. */
export function LoginDrawer({ account, onApps, onClose }: LoginDrawerProps) {
  const { t } = useTranslation('connections')
  const [open, setOpen] = useState<'reconnect' | 'disconnect' | null>(null)
  const isConnected = account.kind === 'oauth'
  return (
    <Dialog opened side size={WIDTH} title={account.name} onClose={onClose}>
      {account.person_name !== null && (
        <p className={styles.lead}>{t('drawer.person', { person: account.person_name })}</p>
      )}
      {isConnected ? (
        <>
          <Services login={account.id} />
          <Permissions login={account.id} />
        </>
      ) : (
        <p className={styles.lead}>{t('drawer.by_hand')}</p>
      )}
      <Keepers login={account.id} />
      {isConnected && (
        <Group mt="lg">
          <Button variant="default" onClick={() => setOpen('reconnect')}>
            {t('drawer.reconnect')}
          </Button>
          <Button variant="default" color="red" onClick={() => setOpen('disconnect')}>
            {t('drawer.disconnect')}
          </Button>
        </Group>
      )}
      {open === 'reconnect' && <Reconnect account={account} onApps={onApps} onClose={() => setOpen(null)} />}
      {open === 'disconnect' && (
        <DisconnectDialog account={account} onDone={onClose} onClose={() => setOpen(null)} />
      )}
    </Dialog>
  )
}

/** The same login again, with the services that it has or others. */
function Reconnect({ account, onApps, onClose }: LoginDrawerProps) {
  const platform = usePlatforms().data?.find(each => each.platform === account.platform)
  const services = useServices(account.id).data
  if (!platform || !services) return null
  const login = { id: account.id, services: services.map(({ service }) => service) }
  return <StartConnect platform={platform} login={login} onApps={onApps} onClose={onClose} />
}

function Services({ login }: { login: number }) {
  const { t } = useTranslation('connections')
  const services = useServices(login)
  const set = useSetService()
  return (
    <section className={styles.section}>
      <h3>{t('drawer.services')}</h3>
      {services.error && <Problem code={services.error.code} onRetry={() => void services.refetch()} />}
      {services.isPending && <TableLoading rows={2} />}
      {services.data?.map(each => (
        <ServiceSwitch
          key={each.id}
          service={each}
          isBusy={set.isPending}
          onChange={enabled => set.mutate({ id: each.id, enabled })}
        />
      ))}
      {set.error && <Problem code={set.error.code} audience="internal" />}
    </section>
  )
}

interface ServiceSwitchProps {
  service: LoginService
  isBusy: boolean
  onChange: (enabled: boolean) => void
}

function ServiceSwitch({ service: { service, enabled, missing }, isBusy, onChange }: ServiceSwitchProps) {
  const { t } = useTranslation('connections')
  return (
    <SwitchField
      label={t(`service.${service}`)}
      hint={
        missing.length === 0
          ? t(`service_hint.${service}`)
          : t('drawer.missing', { scopes: missing.map(shortName).join(', ') })
      }
      checked={enabled}
      disabled={isBusy}
      onChange={onChange}
    />
  )
}
