import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LaterProblemText } from '#web/ui/later-problem.tsx'

/** Why signing in failed, without telling which of name and password was wrong. */
export function SignInProblem({ problem }: { problem: Problem }) {
  const { t } = useTranslation('sign_in')
  if (problem.code === 'unauthenticated' || problem.code === 'invalid') return t('refused')
  if (problem.code === 'rate_limited' && problem.retry_after_ms !== null)
    return t('too_many', { minutes: Math.ceil(problem.retry_after_ms / 60_000) })
  return <LaterProblemText code={problem.code} />
}
