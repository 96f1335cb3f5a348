import { useState, type ReactNode } from 'react'
import type { PublicAccount, PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useConnect, usePlatforms } from './data.ts'
import { EMPTY_LOGIN, isWhole, loginOf } from './login-draft.ts'
import { LoginFields } from './login-fields.tsx'
import { LoginProblem } from './login-problem.tsx'
import { StartConnect } from './start-connect.tsx'

interface ConnectDialogProps {
  onConnected: (account: PublicAccount) => void
  onApps: () => void
  onClose: () => void
}

type Way = 'connect' | 'keys'

/** Which platform, and how: a person agrees there, or keys are entered here. */
export function ConnectDialog({ onConnected, onApps, onClose }: ConnectDialogProps) {
  const platforms = usePlatforms()
  const [platform, setPlatform] = useState<PublicAccountPlatform | null>(null)
  const [way, setWay] = useState<Way>('connect')
  const { t, language } = useTranslation('connections')
  const choose = (value: string) =>
    setPlatform(platforms.data?.find(candidate => candidate.platform === value) ?? null)
  const head = (error: boolean) => (
    <>
      <PlatformField platform={platform} tried={error} onChoose={choose} />
      {platform?.kind === 'oauth' && (
        <SegmentedField<Way>
          label={t('way.label')}
          options={[
            { value: 'connect', label: t('way.connect', { platform: platform.names[language] }) },
            { value: 'keys', label: t('way.keys') },
          ]}
          value={way}
          onChange={setWay}
        />
      )}
    </>
  )
  if (platform?.kind === 'oauth' && way === 'connect')
    return (
      <StartConnect
        key={platform.platform}
        platform={platform}
        head={head(false)}
        onApps={onApps}
        onClose={onClose}
      />
    )
  return (
    <EnterKeys
      key={platform?.platform ?? ''}
      platform={platform}
      head={head}
      onConnected={onConnected}
      onClose={onClose}
    />
  )
}

interface PlatformFieldProps {
  platform: PublicAccountPlatform | null
  tried: boolean
  onChoose: (value: string) => void
}

function PlatformField({ platform, tried, onChoose }: PlatformFieldProps) {
  const { t, language } = useTranslation('public_accounts')
  const platforms = usePlatforms()
  return (
    <SelectField
      label={t('form.platform')}
      placeholder={t('form.platform_choose')}
      value={platform?.platform ?? null}
      options={(platforms.data ?? []).map(option => ({
        value: option.platform,
        label: option.names[language],
      }))}
      error={tried && !platform && <ProblemText code="field_required" />}
      required
      onChange={onChoose}
    />
  )
}

interface EnterKeysProps {
  platform: PublicAccountPlatform | null
  head: (error: boolean) => ReactNode
  onConnected: (account: PublicAccount) => void
  onClose: () => void
}

/** What its login is called here, and the login. */
function EnterKeys({ platform, head, onConnected, onClose }: EnterKeysProps) {
  const { t, language } = useTranslation('public_accounts')
  const platforms = usePlatforms()
  const connect = useConnect(onConnected)
  const [name, setName] = useState<string | null>(null)
  const [draft, setDraft] = useState(EMPTY_LOGIN)
  const [tried, setTried] = useState(false)
  // Until somebody gives it another one, it is called like its platform.
  const called = name ?? platform?.names[language] ?? ''

  function submit() {
    setTried(true)
    if (platform && called.trim() && isWhole(platform, draft))
      connect.mutate({ platform: platform.platform, name: called, ...loginOf(platform, draft) })
  }

  return (
    <FormDialog
      opened
      title={t('connect.title')}
      submit={t('connect.submit')}
      loading={connect.isPending}
      problem={
        platforms.error ? (
          <Problem code={platforms.error.code} onRetry={() => void platforms.refetch()} />
        ) : (
          <LoginProblem problem={connect.error} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      {head(tried)}
      {platform && (
        <>
          <TextField
            label={t('form.name')}
            hint={t('form.name_hint')}
            value={called}
            onChange={setName}
            maxLength={120}
            autoComplete="off"
            required
            error={tried && !called.trim() && <ProblemText code="field_required" />}
          />
          <LoginFields
            platform={platform}
            draft={draft}
            onChange={setDraft}
            tried={tried}
            problem={connect.error}
          />
        </>
      )}
    </FormDialog>
  )
}
