import { Button, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { CodeEntry } from './code-entry.tsx'
import { isWhole, noCode } from './entered-code.ts'
import styles from './second-factor.module.css'

interface PasswordCheckFormProps {
  /** What follows; a verb. */
  submit: string
  tone?: 'normal' | 'danger'
  /** There is a second factor: it takes a code of it, too. */
  with_code: boolean
  loading: boolean
  problem: Refused | null
  onSubmit: (proof: { password: string; code: string }) => void
}

/** The password once more, and a code, before actions that an unattended browser must not allow. */
export function PasswordCheckForm({
  submit,
  tone = 'normal',
  with_code,
  loading,
  problem,
  onSubmit,
}: PasswordCheckFormProps) {
  const { t } = useTranslation('second_factor')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState(noCode)
  const [wrong_password] = problem?.fields.password ?? []
  const [wrong_code] = problem?.fields.code ?? []
  const isReady = password !== '' && (!with_code || isWhole(code))

  function send(event: FormEvent) {
    event.preventDefault()
    if (isReady && !loading) onSubmit({ password, code: code.text })
  }

  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <p className={styles.hint}>{t(with_code ? 'prove_detail_code' : 'prove_detail')}</p>
        <PasswordField
          label={t('password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          error={wrong_password && <ProblemText code={wrong_password} />}
        />
        {with_code && (
          <CodeEntry code={code} onChange={setCode} error={wrong_code && <ProblemText code={wrong_code} />} />
        )}
        {problem && !wrong_password && !wrong_code && <Problem code={problem.code} />}
        <div>
          <Button
            type="submit"
            loading={loading}
            disabled={!isReady}
            {...(tone === 'danger' && { color: 'red' })}
          >
            {submit}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
