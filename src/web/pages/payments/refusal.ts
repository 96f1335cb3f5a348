import type { ReactNode } from 'react'
import { useFailureText } from '#web/client/failure-text.ts'
import type { Problem as Failure } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'

/** What the server refused of a payment: of one field, or of all of it. */
export function useRefusal(error: Failure | null) {
  const { t, language } = useTranslation('payments')
  const failureText = useFailureText()
  const textOf = (code: Failure['code']) => problemText(code, 'internal', language)
  return {
    of(field: string): ReactNode {
      const code = error?.fields[field]?.[0]
      return code && textOf(code)
    },
    whole:
      error === null || Object.keys(error.fields).length > 0
        ? null
        : error.code === 'conflict'
          ? t('stale')
          : (failureText(error) ?? textOf(error.code)),
  }
}
