import { Button, Stack } from '@mantine/core'
import type { FinishConnectReply } from '#shared/api/connections.ts'
import { isConnectable } from '#shared/connect.ts'
import { isErrorCode } from '#shared/errors.ts'
import { listText } from '#shared/language.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { BackButton } from './back-button.tsx'
import { shortName } from './connect-services.tsx'
import { useImport, useStartConnect } from './connection-data.ts'

interface ResultProps {
  result: FinishConnectReply
}

/** What the login can do now, what it lacks, and the accounts that it brings. */
export function ConnectResult({ result }: ResultProps) {
  const { t, language } = useTranslation('connections')
  const { login, services, problem } = result
  const on = services.filter(({ enabled }) => enabled).map(({ service }) => t(`service.${service}`))
  return (
    <EntryPage
      title={t('callback.done', { name: login.name })}
      detail={
        <>
          {login.person_name !== null && <>{t('callback.as', { person: login.person_name })} · </>}
          {t('callback.on', { services: on.length > 0 ? listText(on, language) : '–' })}
        </>
      }
    >
      <Stack>
        {result.code && <Missing result={result} />}
        {problem !== null && (
          <Problem code={isErrorCode(problem) ? problem : 'internal_error'} audience="internal" />
        )}
        <Accounts result={result} />
        <BackButton />
      </Stack>
    </EntryPage>
  )
}

function Missing({ result: { login, services, scopes } }: ResultProps) {
  const { t } = useTranslation('connections')
  const start = useStartConnect()
  const { platform, id } = login
  const again = () => {
    if (isConnectable(platform))
      start.mutate({ platform, public_account: id, services: services.map(({ service }) => service) })
  }
  return (
    <InlineAlert
      severity="warning"
      title={t('callback.missing_title')}
      action={
        <Button size="xs" variant="default" loading={start.isPending} onClick={again}>
          {t('callback.ask_again')}
        </Button>
      }
    >
      {t('callback.missing', { scopes: scopes.map(shortName).join(', ') })}
    </InlineAlert>
  )
}

/** Superusers import at once; a keeper's accounts are here already. */
function Accounts({ result: { login, accounts } }: ResultProps) {
  const { t } = useTranslation('connections')
  const isSuperuser = useMe().identity === 'superuser'
  const imported = useImport(login.id)
  if (accounts === null) return null
  if (accounts.total === 0) return <InlineAlert severity="info">{t('callback.no_accounts')}</InlineAlert>
  if (imported.data)
    return (
      <InlineAlert severity="success">
        {t('callback.imported', { accounts: imported.data.accounts, added: imported.data.new })}
      </InlineAlert>
    )
  return (
    <>
      <p>{t('callback.accounts', { count: accounts.total, added: accounts.new })}</p>
      {imported.error && <Problem code={imported.error.code} audience="internal" />}
      {isSuperuser && (
        <Button loading={imported.isPending} onClick={() => imported.mutate()}>
          {t('callback.import')}
        </Button>
      )}
    </>
  )
}
