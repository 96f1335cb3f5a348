import { Button } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Suspense, useState, type FormEvent } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import type { Problem, ProblemCode } from '#web/client/problem.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { LazyProblemText } from '#web/ui/lazy-problem.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { useDemo, useSignIn } from './data.ts'
import { DemoPeople } from './demo-people.tsx'

/** Loaded only where needed: the first page must be small. */
const CodeStep = lazy(async () => {
  const [{ CodeStep: step }] = await Promise.all([import('./code-step.tsx'), loadInnerTexts()])
  return { default: step }
})

interface Credentials {
  username: string
  password: string
}

/** The password was right, and the error is about the code. */
const codeProblems: readonly ProblemCode[] = [
  'second_factor_required',
  'second_factor_wrong',
  'second_factor_unreadable',
]

/** Name and password; in demo mode also the people of the demo agency, one click each. */
export function SignIn() {
  const { t } = useTranslation('sign_in')
  const { redirect } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const demo = useDemo()
  const signIn = useSignIn(() => router.history.push(redirect ?? '/'))
  // The person whose password was right and who has to enter a code.
  const [known, setKnown] = useState<Credentials | null>(null)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  usePageTitle(t('title'))

  const send = (credentials: Credentials, code?: string) =>
    signIn.mutate(
      { ...credentials, ...(code !== undefined && { code }) },
      { onError: problem => setKnown(codeProblems.includes(problem.code) ? credentials : null) },
    )

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (username.trim() && password) send({ username: username.trim(), password })
  }

  if (known)
    return (
      <Suspense>
        <CodeStep
          problem={signIn.error}
          loading={signIn.isPending}
          onSubmit={code => send(known, code)}
          onBack={() => {
            signIn.reset()
            setKnown(null)
          }}
        />
      </Suspense>
    )
  return (
    <EntryPage title={t('title')} detail={t('tagline')}>
      <form onSubmit={submit} noValidate>
        {signIn.error && (
          <InlineAlert severity="error">
            <SignInProblem problem={signIn.error} />
          </InlineAlert>
        )}
        <TextField
          label={t('username')}
          value={username}
          onChange={setUsername}
          autoComplete="username"
          error={tried && !username.trim() && t('username_required')}
        />
        <PasswordField
          label={t('password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          error={tried && !password && t('password_required')}
        />
        <Button type="submit" fullWidth size="md" loading={signIn.isPending}>
          {t('submit')}
        </Button>
      </form>
      {demo && (
        <DemoPeople
          demo={demo}
          disabled={signIn.isPending}
          onChoose={name => send({ username: name, password: demo.password })}
        />
      )}
    </EntryPage>
  )
}

/** Why signing in failed, without saying which of name and password was wrong. */
function SignInProblem({ problem }: { problem: Problem }) {
  const { t } = useTranslation('sign_in')
  if (problem.code === 'unauthenticated' || problem.code === 'invalid') return t('refused')
  if (problem.code === 'rate_limited' && problem.retry_after_ms !== null)
    return t('too_many', { minutes: Math.ceil(problem.retry_after_ms / 60_000) })
  return <LazyProblemText code={problem.code} />
}
