import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { isConnectable, type ConnectablePlatform } from '#shared/connect.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SecretField } from '#web/ui/secret-field.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeApp } from './connection-data.ts'
import { usePlatforms } from './data.ts'
import styles from './public-accounts.module.css'

const WIDTH = 560

/** The agency's own app at each platform that people are sent to. */
export function AppsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('connections')
  const platforms = usePlatforms()
  return (
    <Dialog opened side size={WIDTH} title={t('apps.title')} onClose={onClose}>
      <p className={styles.lead}>{t('apps.detail')}</p>
      {platforms.error ? (
        <Problem code={platforms.error.code} onRetry={() => void platforms.refetch()} />
      ) : platforms.data ? (
        platforms.data.map(each =>
          // Anew when it was saved: what was typed is stored then.
          isConnectable(each.platform) ? (
            <App key={`${each.platform} ${each.version}`} app={each} platform={each.platform} />
          ) : null,
        )
      ) : (
        <TableLoading rows={4} />
      )}
    </Dialog>
  )
}

interface AppProps {
  app: PublicAccountPlatform
  platform: ConnectablePlatform
}

function App({ app, platform }: AppProps) {
  const { t, language } = useTranslation('connections')
  const name = app.names[language]
  return (
    <section className={styles.section} aria-label={name}>
      <Group justify="space-between">
        <h3>{name}</h3>
        <StatusBadge
          tone={app.ready ? 'good' : 'warn'}
          icon={app.ready ? IconCircleCheck : IconAlertTriangle}
          label={t(app.ready ? 'apps.ready' : 'apps.not_ready')}
        />
      </Group>
      {app.callback_url !== null && (
        <div className={styles.copied}>
          <span>{t('apps.callback')}</span>
          <code>{app.callback_url}</code>
          <CopyButton text={app.callback_url} />
        </div>
      )}
      <AppForm app={app} platform={platform} />
    </section>
  )
}

function AppForm({ app, platform }: AppProps) {
  const { t, language } = useTranslation('connections')
  const name = app.names[language]
  const change = useChangeApp(platform, () =>
    showToast({ severity: 'success', message: t('apps.saved', { platform: name }) }),
  )
  const [open, setOpen] = useState({ client_id: app.client_id ?? '', config_id: app.config_id ?? '' })
  const [secrets, setSecrets] = useState({ client_secret: '', developer_token: '' })
  const errorOf = (field: string) => {
    const code = change.error?.fields[field]?.[0]
    return code && <ProblemText code={code} />
  }
  const hasFieldProblem = Object.keys(change.error?.fields ?? {}).length > 0

  function save() {
    const { client_id, config_id } = open
    change.mutate({
      version: app.version,
      client_id: client_id.trim() || null,
      ...(platform === 'meta' && { config_id: config_id.trim() || null }),
      // An empty field keeps the secret that is stored.
      ...Object.fromEntries(Object.entries(secrets).filter(([, text]) => text.trim() !== '')),
    })
  }

  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={t(`apps.client_id.${platform}`)}
        value={open.client_id}
        onChange={text => setOpen({ ...open, client_id: text })}
        autoComplete="off"
        error={errorOf('client_id')}
      />
      <SecretField
        label={t(`apps.client_secret.${platform}`)}
        value={secrets.client_secret}
        onChange={text => setSecrets({ ...secrets, client_secret: text })}
        error={errorOf('client_secret')}
        {...(app.has_client_secret && { hint: t('apps.stored') })}
      />
      {platform === 'meta' && (
        <TextField
          label={t('apps.config_id')}
          hint={t('apps.config_id_hint')}
          value={open.config_id}
          onChange={text => setOpen({ ...open, config_id: text })}
          autoComplete="off"
          error={errorOf('config_id')}
        />
      )}
      {platform === 'google' && (
        <SecretField
          label={t('apps.developer_token')}
          hint={t(app.has_developer_token ? 'apps.stored' : 'apps.developer_token_hint')}
          value={secrets.developer_token}
          onChange={text => setSecrets({ ...secrets, developer_token: text })}
          error={errorOf('developer_token')}
        />
      )}
      {change.error && !hasFieldProblem && <Problem code={change.error.code} audience="internal" />}
      <Group justify="flex-end">
        <Button type="submit" size="xs" loading={change.isPending}>
          {t('apps.save')}
        </Button>
      </Group>
    </form>
  )
}
