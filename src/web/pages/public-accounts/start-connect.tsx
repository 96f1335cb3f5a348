import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { isConnectable, type Service } from '#shared/connect.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ConnectServices } from './connect-services.tsx'
import { useStartConnect } from './connection-data.ts'
import styles from './public-accounts.module.css'

interface StartConnectProps {
  platform: PublicAccountPlatform
  /** The login that is connected again. */
  login?: { id: number; services: readonly Service[] }
  head?: ReactNode
  onApps: () => void
  onClose: () => void
}

/** What for, and off to the platform. */
export function StartConnect({ platform, login, head, onApps, onClose }: StartConnectProps) {
  const { t, language } = useTranslation('connections')
  const start = useStartConnect()
  const [chosen, setChosen] = useState<Service[]>([...(login?.services ?? ['reporting'])])
  const [tried, setTried] = useState(false)
  const name = platform.names[language]

  function submit() {
    setTried(true)
    if (chosen.length === 0 || !platform.ready || !isConnectable(platform.platform)) return
    const again = login && { public_account: login.id }
    start.mutate({ platform: platform.platform, services: chosen, ...again })
  }

  return (
    <FormDialog
      opened
      title={t('start.submit', { platform: name })}
      submit={t('start.submit', { platform: name })}
      // Until the browser has left.
      loading={start.isPending || start.isSuccess}
      problem={start.error && <Problem code={start.error.code} audience="internal" />}
      onSubmit={submit}
      onClose={onClose}
    >
      {head}
      <p className={styles.lead}>{t('start.detail', { platform: name })}</p>
      {!platform.ready && (
        <InlineAlert
          severity="warning"
          action={
            <Button size="xs" variant="default" onClick={onApps}>
              {t('start.set_up')}
            </Button>
          }
        >
          {t('start.not_ready', { platform: name })}
        </InlineAlert>
      )}
      <ConnectServices platform={platform} chosen={chosen} onChange={setChosen} tried={tried} />
    </FormDialog>
  )
}
