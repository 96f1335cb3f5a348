import { useTranslation } from '#web/i18n/use-translation.ts'
import { asProblem } from './problem.ts'

/**
 * Why a request failed, where no page has words of its own for it: without a connection, or beyond one
 * person's share, with the seconds or the number. null: it is something else.
 */
export function useFailureText(): (error: unknown) => string | null {
  const { t } = useTranslation('shares')
  const { t: tErrors } = useTranslation('errors')
  return error => {
    const { code, retry_after_ms, body } = asProblem(error)
    if (code === 'unreachable') return tErrors(navigator.onLine ? 'unreachable' : 'offline')
    if (code === 'rate_limited' && retry_after_ms !== null)
      return t('try_again_in', { seconds: Math.ceil(retry_after_ms / 1000) })
    if (typeof body.limit !== 'number') return null
    const limit = { limit: body.limit }
    if (code === 'too_many_reports') return t('too_many_reports', limit)
    if (code === 'too_many_folders') return t('too_many_folders', limit)
    if (code === 'too_many_spreadsheets') return t('too_many_spreadsheets', limit)
    return code === 'too_many_issues' ? t('too_many_issues', limit) : null
  }
}
