import { useState } from 'react'
import type { PublicAccount, PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useConnect, usePlatforms } from './data.ts'
import { EMPTY_LOGIN, isWhole, loginOf } from './login-draft.ts'
import { LoginFields } from './login-fields.tsx'
import { LoginProblem } from './login-problem.tsx'

interface ConnectDialogProps {
  onConnected: (account: PublicAccount) => void
  onClose: () => void
}

/** Which platform, what its login is called here, and the login. */
export function ConnectDialog({ onConnected, onClose }: ConnectDialogProps) {
  const { t, language } = useTranslation('public_accounts')
  const platforms = usePlatforms()
  const connect = useConnect(onConnected)
  const [platform, setPlatform] = useState<PublicAccountPlatform | null>(null)
  const [name, setName] = useState<string | null>(null)
  const [draft, setDraft] = useState(EMPTY_LOGIN)
  const [tried, setTried] = useState(false)
  // Until somebody gives it another one, it is called like its platform.
  const called = name ?? platform?.names[language] ?? ''

  function choose(value: string) {
    setPlatform(platforms.data?.find(candidate => candidate.platform === value) ?? null)
    setDraft(EMPTY_LOGIN)
    setTried(false)
    connect.reset()
  }

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
        onChange={choose}
      />
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
            // Fields of two platforms may have one name.
            key={platform.platform}
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
