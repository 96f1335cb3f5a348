import { notify } from '#web/client/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { useAsk, type Question } from './data.ts'

/**
 * Asks a platform. What it says to the login stands in the row; what an import brought, or what kept us from
 * asking, is told beside.
 */
export function useAsking(): (question: Question) => void {
  const { t, language } = useTranslation('public_accounts')
  const { t: tErrors } = useTranslation('errors')
  const ask = useAsk({
    onAnswer({ kind, account }, { accounts = 0, new: added = 0 }) {
      if (kind === 'test') return
      notify({ severity: 'success', message: t('import.done', { name: account.name, accounts, added }) })
    },
    onProblem({ account }, { code }) {
      const sub_message =
        code === 'unreachable' || code === 'unreadable'
          ? tErrors(code)
          : problemText(code, 'internal', language)
      notify({ severity: 'error', message: t('ask_failed', { name: account.name }), sub_message })
    },
  })
  return question => ask.mutate(question)
}
