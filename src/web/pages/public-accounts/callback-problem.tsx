import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { BackButton } from './back-button.tsx'

const known = [
  'connect_denied',
  'state_unknown',
  'connect_failed',
  'platform_not_ready',
  'scope_missing',
] as const

/** Why there is no login, and what can be done about it. */
export function CallbackProblem({ problem: { code, body } }: { problem: Problem }) {
  const { t } = useTranslation('connections')
  const words = body['platform_message']
  const todo = known.find(each => each === code) ?? 'other'
  return (
    <EntryPage
      title={t('callback.title')}
      detail={
        <InlineAlert severity={code === 'connect_denied' ? 'info' : 'error'}>
          <ProblemText code={code} audience="internal" />
          {typeof words === 'string' && <p>{t('callback.words', { words })}</p>}
          <p>{t(`callback.todo.${todo}`)}</p>
        </InlineAlert>
      }
    >
      <BackButton />
    </EntryPage>
  )
}
