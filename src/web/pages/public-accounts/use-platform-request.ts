import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { useRequestMutation, type PlatformRequest } from './data.ts'

/**
 * Sends a request to a platform. The outcome for the login is shown in the row; the outcome of an import, or
 * why there was no request, is shown beside it.
 */
export function usePlatformRequest(): (request: PlatformRequest) => void {
  const { t, language } = useTranslation('public_accounts')
  const mutation = useRequestMutation({
    onReply({ kind, account }, { accounts = 0, new: added = 0 }) {
      if (kind === 'test') return
      showToast({ severity: 'success', message: t('import.done', { name: account.name, accounts, added }) })
    },
    onProblem({ account }, { code }) {
      const sub_message = problemText(code, 'internal', language)
      showToast({ severity: 'error', message: t('ask_failed', { name: account.name }), sub_message })
    },
  })
  return request => mutation.mutate(request)
}
