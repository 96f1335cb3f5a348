import { Button, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { SecondFactorSecret } from '#shared/api/second-factor.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CodeField } from '#web/ui/code-field.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useBegin, useConfirm } from './data.ts'
import { PasswordCheckForm } from './password-check-form.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './second-factor.module.css'

interface SetUpProps {
  /** The person's name, written above the saved codes. */
  username: string
  /** The person has one already, which the new one replaces. */
  enabled: boolean
  onDone: () => void
}

/** Password, then the app, then the recovery codes. */
export function SetUp({ username, enabled, onDone }: SetUpProps) {
  const { t } = useTranslation('second_factor')
  const begin = useBegin()
  const confirm = useConfirm()
  // Once it is on, `enabled` says so: what it was when the dialog opened decides.
  const [with_code] = useState(enabled)
  if (confirm.data)
    return <RecoveryCodes username={username} codes={confirm.data.recovery_codes} onDone={onDone} />
  if (begin.data)
    return (
      <AddToApp
        made={begin.data}
        loading={confirm.isPending}
        problem={confirm.error}
        onConfirm={confirm.mutate}
      />
    )
  return (
    <PasswordCheckForm
      submit={t('continue')}
      with_code={with_code}
      loading={begin.isPending}
      problem={begin.error}
      onSubmit={({ password, code }) => begin.mutate({ password, ...(with_code && { code }) })}
    />
  )
}

interface AddToAppProps {
  made: SecondFactorSecret
  loading: boolean
  problem: Refused | null
  onConfirm: (code: string) => void
}

function AddToApp({ made: { uri, secret }, loading, problem, onConfirm }: AddToAppProps) {
  const { t } = useTranslation('second_factor')
  const [code, setCode] = useState('')
  const [wrong] = problem?.fields.code ?? []

  function send(event: FormEvent) {
    event.preventDefault()
    if (code.length === 6 && !loading) onConfirm(code)
  }

  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <h2 className={styles.heading}>{t('scan_title')}</h2>
        <p className={styles.hint}>{t('scan_detail')}</p>
        <QrCode text={uri} label={t('qr')} />
        <div className={styles.key}>
          <span className={styles.hint}>{t('key')}</span>
          <code className={styles.keyText}>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
          <CopyButton text={secret} label={t('key_copy')} />
        </div>
        <CodeField
          kind="app"
          label={t('first_code')}
          value={code}
          onChange={setCode}
          focusedFirst
          error={wrong && <ProblemText code={wrong} />}
        />
        {problem && !wrong && <Problem code={problem.code} />}
        <div>
          <Button type="submit" loading={loading} disabled={code.length < 6}>
            {t('turn_on')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
