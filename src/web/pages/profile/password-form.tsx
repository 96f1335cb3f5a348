import { Button, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useSaveProfile } from './data.ts'

/** A new password needs the present one. */
export function PasswordForm() {
  const { t } = useTranslation('profile')
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const save = useSaveProfile(() => {
    setOld('')
    setFresh('')
    showToast({ severity: 'success', message: t('password_changed') })
  })
  const [wrong] = save.error?.fields['password.old'] ?? []
  const [bad] = save.error?.fields['password.new'] ?? []

  function submit(event: FormEvent) {
    event.preventDefault()
    if (old && fresh) save.mutate({ password: { old, new: fresh } })
  }

  return (
    <Card title={t('password')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <PasswordField
            label={t('password_old')}
            value={old}
            onChange={setOld}
            autoComplete="current-password"
            error={wrong && <ProblemText code={wrong} />}
          />
          <PasswordField
            label={t('password_new')}
            hint={t('password_rule')}
            value={fresh}
            onChange={setFresh}
            autoComplete="new-password"
            error={bad && <ProblemText code={bad} />}
          />
          {save.error && !wrong && !bad && <Problem code={save.error.code} />}
          <div>
            <Button type="submit" variant="default" loading={save.isPending} disabled={!old || !fresh}>
              {t('password_change')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  )
}
