import { Button } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { CodeEntry } from '#web/pages/second-factor/code-entry.tsx'
import { isWhole, noCode } from '#web/pages/second-factor/entered-code.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { LazyProblemText } from '#web/ui/lazy-problem.tsx'

interface CodeStepProps {
  problem: Problem | null
  loading: boolean
  onSubmit: (code: string) => void
  onBack: () => void
}

/** The second step, for people with a second factor. */
export function CodeStep({ problem, loading, onSubmit, onBack }: CodeStepProps) {
  const { t } = useTranslation('code_step')
  const { t: tSignIn } = useTranslation('sign_in')
  usePageTitle(t('title'))
  const [code, setCode] = useState(noCode)
  const [tried, setTried] = useState(false)
  const isWrong = problem?.code === 'second_factor_wrong'
  const wrong = t(code.kind === 'app' ? 'code_wrong' : 'recovery_wrong')

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (isWhole(code) && !loading) onSubmit(code.text)
  }

  return (
    <EntryPage title={t('title')} detail={t(code.kind === 'app' ? 'detail' : 'recovery_detail')}>
      <form onSubmit={submit} noValidate>
        {problem?.code === 'second_factor_unreadable' && (
          <InlineAlert severity="error">
            <LazyProblemText code={problem.code} />
          </InlineAlert>
        )}
        <CodeEntry
          code={code}
          onChange={entered => {
            setCode(entered)
            setTried(false)
          }}
          focusedFirst
          error={tried && (isWhole(code) ? isWrong && wrong : t('code_required'))}
        />
        <Button type="submit" fullWidth size="md" loading={loading}>
          {tSignIn('submit')}
        </Button>
        <Button variant="default" fullWidth onClick={onBack} disabled={loading}>
          {t('back')}
        </Button>
      </form>
    </EntryPage>
  )
}
