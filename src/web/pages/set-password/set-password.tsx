import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { client } from '#web/client/client.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'

const LEAST_LENGTH = 12

/** Where a one-time link leads: choose the password of a new account, or a new one of an old. */
export function SetPassword() {
  const { t } = useTranslation('sign_in')
  const token = useToken()
  usePageTitle(t('set_title'))
  const set = useMutation<null, Problem, string>({
    mutationFn: password => client.anonymous('POST', '/api/set-password/', { body: { token, password } }),
  })
  if (token === '' || set.isSuccess)
    return (
      <EntryPage title={t('set_title')} detail={t(set.isSuccess ? 'set_done' : 'set_no_link')}>
        <LinkButton to="/sign-in" fullWidth size="md">
          {t('to_sign_in')}
        </LinkButton>
      </EntryPage>
    )
  return (
    <EntryPage title={t('set_title')} detail={t('set_detail')}>
      <PasswordForm problem={set.error} saving={set.isPending} onSubmit={set.mutate} />
    </EntryPage>
  )
}

/**
 * From the fragment, which no browser sends to a server or to another site; links of an earlier version have
 * it in the query. Only the page holds it: neither the address bar nor the history keeps a secret that opens
 * an account.
 */
function useToken(): string {
  const search = useSearch({ from: '/set-password' })
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? search.token)
  useEffect(() => {
    if (location.hash !== '' || location.search !== '')
      history.replaceState(history.state, '', location.pathname)
  }, [])
  return token
}

interface PasswordFormProps {
  problem: Problem | null
  saving: boolean
  onSubmit: (password: string) => void
}

function PasswordForm({ problem, saving, onSubmit }: PasswordFormProps) {
  const { t } = useTranslation('sign_in')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [tried, setTried] = useState(false)
  const tooShort = [...password].length < LEAST_LENGTH
  const different = repeated !== password
  // A problem with the password is shown at its field; anything else is about the link or the request.
  const [fault] = problem?.fields.password ?? []

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!tooShort && !different) onSubmit(password)
  }

  return (
    <form onSubmit={submit} noValidate>
      {problem && !fault && (
        <InlineAlert severity="error">
          {problem.code === 'not_found' || problem.code === 'invalid' ? (
            t('set_link_gone')
          ) : (
            <ProblemText code={problem.code} />
          )}
        </InlineAlert>
      )}
      <PasswordField
        label={t('set_password')}
        hint={t('set_rule')}
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        error={tried && (tooShort ? t('set_too_short') : fault && <ProblemText code={fault} />)}
      />
      <PasswordField
        label={t('set_repeat')}
        value={repeated}
        onChange={setRepeated}
        autoComplete="new-password"
        error={tried && different && t('set_different')}
      />
      <Button type="submit" fullWidth size="md" loading={saving}>
        {t('set_submit')}
      </Button>
    </form>
  )
}
